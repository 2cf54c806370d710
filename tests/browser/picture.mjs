// picture.mjs: docs/pictures/report.png, of the page that a failing test (report::golden) left in target/browser/report.html, and the page's SHA-256 beside
// it, by which that test knows which page the picture shows.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

import { start } from "./chromium.mjs";

const html = resolve("target/browser/report.html");
const picture = resolve("docs/pictures/report");
const browser = await start();
try {
    const page = await browser.open(html, { width: 900, height: 960 });
    await page.send("Emulation.setScrollbarsHidden", { hidden: true });
    // What a reader sees first, not the whole of the page.
    const { data } = await page.send("Page.captureScreenshot");
    writeFileSync(`${picture}.png`, Buffer.from(data, "base64"));
} finally {
    await browser.end();
}
writeFileSync(`${picture}.sha256`, `${createHash("sha256").update(readFileSync(html)).digest("hex")}\n`);
