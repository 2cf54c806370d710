// Chromium without a window, spoken to over a pipe (Chrome DevTools Protocol); no package is needed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const WAIT = 60_000;

/** Starts a browser; `end` ends it. */
export async function start(program = process.env.CHROMIUM || "chromium") {
    const profile = mkdtempSync(join(tmpdir(), "rollbook-chromium-"));
    const child = spawn(program, [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
        "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
    ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    const [, , , write, read] = child.stdio;
    const waiting = new Map();
    const listeners = new Set();
    let last = 0;
    let rest = Buffer.alloc(0);
    const failed = (why) => { for (const { reject } of waiting.values()) reject(why); waiting.clear(); };
    child.on("error", (error) => failed(new Error(`${program} does not start: ${error.message}`)));
    child.on("exit", () => failed(new Error(`${program} ended`)));
    read.on("data", (bytes) => {
        rest = Buffer.concat([rest, bytes]);
        for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
            const message = JSON.parse(rest.subarray(0, end).toString());
            rest = rest.subarray(end + 1);
            const own = waiting.get(message.id);
            waiting.delete(message.id);
            if (own && message.error) own.reject(new Error(`${own.method}: ${message.error.message}`));
            else if (own) own.resolve(message.result);
            else for (const listener of listeners) listener(message);
        }
    });
    const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { method, resolve, reject });
        write.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
    await send("Browser.getVersion");
    return {
        open: (path, options) => page(send, listeners, path, options),
        end: async () => {
            const gone = new Promise((resolve) => child.on("exit", resolve));
            await send("Browser.close").catch(() => {});
            await gone;
            rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
        },
    };
}

/**
 * Opens a file in a tab. `options`: width, height, scale, dark, print; `before`, a script that runs before any of the page's own.
 * The page has `evaluate`, `wait`, `setFile`, `key`, `screenshot`, `close`, and `errors`: what the console and the network said.
  */
async function page(send, listeners, path, { width = 1000, height = 800, scale = 1, dark = false, print = false, before } = {}) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const own = (method, params) => send(method, params, sessionId);
    const errors = [];
    let loaded;
    const isLoaded = new Promise((resolve) => { loaded = resolve; });
    const listener = (message) => {
        if (message.sessionId !== sessionId) return;
        const { method, params } = message;
        if (method === "Page.loadEventFired") loaded();
        if (method === "Runtime.exceptionThrown") errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) errors.push(JSON.stringify(params.args));
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) errors.push(params.entry.text);
        if (method === "Network.requestWillBeSent" && !/^(file|blob|data):/.test(params.request.url)) errors.push(`it asked for ${params.request.url}`);
    };
    listeners.add(listener);
    for (const domain of ["Page", "Runtime", "Log", "Network", "DOM"]) await own(`${domain}.enable`);
    await own("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: width < 600 });
    await own("Emulation.setEmulatedMedia", {
        media: print ? "print" : "screen",
        features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
    });
    if (before) await own("Page.addScriptToEvaluateOnNewDocument", { source: before });
    await own("Page.navigate", { url: pathToFileURL(path).href });
    await isLoaded;
    const evaluate = async (expression) => {
        const { result, exceptionDetails } = await own("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    };
    return {
        errors,
        evaluate,
        send: own,
        /** Until the expression is true. */
        wait: async (expression, most = WAIT) => {
            const until = Date.now() + most;
            while (!(await evaluate(`!!(${expression})`))) {
                if (Date.now() > until) throw new Error(`never: ${expression}`);
                await new Promise((resolve) => setTimeout(resolve, 20));
            }
        },
        setFile: async (selector, file) => {
            const { root } = await own("DOM.getDocument");
            const { nodeId } = await own("DOM.querySelector", { nodeId: root.nodeId, selector });
            await own("DOM.setFileInputFiles", { nodeId, files: [file] });
        },
        key: async (key, code = key, text = undefined) => {
            const keys = { Tab: 9, Enter: 13, " ": 32 };
            const event = { key, code, windowsVirtualKeyCode: keys[key], text };
            await own("Input.dispatchKeyEvent", { type: "keyDown", ...event });
            await own("Input.dispatchKeyEvent", { type: "keyUp", ...event });
        },
        screenshot: async (file) => {
            const { data } = await own("Page.captureScreenshot", { captureBeyondViewport: true });
            writeFileSync(file, Buffer.from(data, "base64"));
        },
        close: async () => {
            listeners.delete(listener);
            await send("Target.closeTarget", { targetId });
        },
    };
}
