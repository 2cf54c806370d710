// A campaign played over MCP, for tests that need a log of their own.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Starts `serve` on a database; `call` calls a tool and gives its structured content, `end` ends it. */
export async function serve(program, adventure, db) {
    const server = spawn(program, ["serve", "--adventure", adventure, "--db", db], { stdio: ["pipe", "pipe", "pipe"] });
    let complaint = "";
    server.stderr.on("data", (text) => { complaint += text; });
    const waiting = new Map();
    const failed = (why) => { for (const { reject } of waiting.values()) reject(new Error(`${why}\n${complaint}`)); };
    const ended = new Promise((resolve) => server.on("exit", (code) => { failed(`the server ended with ${code}`); resolve(code); }));
    createInterface({ input: server.stdout }).on("line", (line) => {
        const { id, result, error } = JSON.parse(line);
        const own = waiting.get(id);
        waiting.delete(id);
        if (own) error ? own.reject(new Error(error.message)) : own.resolve(result);
    });
    let last = 0;
    const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const ask = (method, params) => new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        send({ id: last, method, params });
    });
    await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "browser", version: "1" } });
    send({ method: "notifications/initialized" });
    return {
        call: async (name, args) => {
            const result = await ask("tools/call", { name, arguments: args });
            if (result.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${JSON.stringify(result.content)}`);
            return result.structuredContent;
        },
        end: async () => {
            server.stdin.end();
            return ended;
        },
    };
}

/** An evening with public, hidden, blind and undone entries; answers the receipts of its last call and of its session's end. */
export async function evening(table) {
    const hero = (name) => ({ action: "create", name, attributes: { STR: 10, DEX: 14, CON: 10, INT: 10, WIS: 10, CHA: 10 } });
    await table.call("manage_character", { ...hero("Sabeth") });
    await table.call("manage_character", { ...hero("Jory") });
    await table.call("roll_dice", { expression: "2d6 + 3", context: "=HYPERLINK(\"x\")" });
    await table.call("roll_dice", { expression: "4d6kh3r1", context: "a line\nand \"another\"" });
    await table.call("roll_multiple", { rolls: [{ expression: "1d20" }, { expression: "3d8!" }, { expression: "1d6-4" }] });
    await table.call("skill_check", { character: "Sabeth", skill: "Lockpicking", difficulty: 15 });
    await table.call("roll_dice", { expression: "1d20 + 7", visibility: "gm", context: "the warden listens" });
    await table.call("roll_dice", { expression: "1d6", visibility: "blind" });
    await table.call("roll_dice", { expression: "{2d6+1, 3d4}kh1" });
    await table.call("manage_session", { action: "note", text: "The reeve is bribed", visibility: "gm" });
    await table.call("manage_session", { action: "note", text: "A boat at the quay, “Marigold”" });
    await table.call("manage_character", { action: "update", character: "Sabeth", gm_notes: "owes Mag Sorley", notes: "wet" });
    const { log } = await table.call("roll_dice", { expression: "1d8" });
    await table.call("manage_session", { action: "undo", entry: log }).catch(() => {});
    const { receipt: ended } = await table.call("manage_session", { action: "end" });
    for (let nth = 0; nth < 12; nth++) await table.call("roll_dice", { expression: "1d20 + 2", context: `round ${nth}` });
    const { receipt } = await table.call("roll_dice", { expression: "1d4" });
    return { receipt, ended };
}
