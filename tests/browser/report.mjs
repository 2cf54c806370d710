// report.mjs [PROGRAM]: the pages of `rollbook report` in a real Chromium: phone, desktop, light, dark and print; axe-core finds nothing, the
// console says nothing, and no page scrolls sideways. Pictures of each are left in target/browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { start } from "./chromium.mjs";
import { serve } from "./served.mjs";

const program = resolve(process.argv[2] ?? "target/debug/rollbook");
const folder = mkdtempSync(join(tmpdir(), "rollbook-report-"));
const pictures = resolve("target/browser");
const axe = readFileSync(join(pictures, "node_modules/axe-core/axe.min.js"), "utf8");
const database = join(folder, "campaigns.db");
mkdirSync(pictures, { recursive: true });

const table = await serve(program, resolve("adventures/lockhouse"), database);
await play(table);
assert.equal(await table.end(), 0);
for (const audience of ["player", "gm"]) {
    for (const format of ["html", "markdown"]) {
        const out = join(folder, `${audience}.${format}`);
        const done = spawnSync(program, ["report", "--db", database, "--audience", audience, "--format", format, "--out", out], { encoding: "utf8" });
        assert.equal(done.status, 0, done.stderr);
    }
}
const browser = await start();
try {
    for (const audience of ["player", "gm"]) await look(audience);
} finally {
    await browser.end();
    rmSync(folder, { recursive: true, force: true });
}

/** Each way to look at a report. */
async function look(audience) {
    const ways = [
        ["phone", { width: 360, height: 800, scale: 2 }],
        ["phone-dark", { width: 360, height: 800, scale: 2, dark: true }],
        ["desktop", { width: 1280, height: 900 }],
        ["desktop-dark", { width: 1280, height: 900, dark: true }],
        ["print", { width: 800, height: 1100, print: true }],
    ];
    for (const [name, options] of ways) {
        const page = await browser.open(join(folder, `${audience}.html`), options);
        // A phone zooms out of a page that is too wide, so its own width says nothing.
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok(wide <= options.width, `${audience} ${name}: the page is ${wide} wide, the window ${options.width}`);
        const inside = await page.evaluate(`[...document.querySelectorAll(".scroll")].filter((own) => own.scrollWidth > own.clientWidth).length`);
        assert.ok(!name.startsWith("phone") || inside === 0, `${audience} ${name}: ${inside} tables scroll sideways`);
        const small = await page.evaluate(`[...document.querySelectorAll("nav a")].filter((own) => own.getBoundingClientRect().height < 24).length`);
        assert.ok(name === "print" || small === 0, `${audience} ${name}: ${small} links are too small for a finger`);
        const folded = await page.evaluate(`[...document.querySelectorAll("details")].map((own) => own.getBoundingClientRect().height)`);
        assert.ok(folded.length > 0, `${audience} ${name}: the faces of the d20 are folded`);
        const isOpen = (height) => height > 300;
        assert.ok(name === "print" ? folded.every(isOpen) : !folded.some(isOpen), `${audience} ${name}: folded to ${folded}`);
        if (name === "phone") {
            const opened = await page.evaluate(`(() => { const own = document.querySelector("details"); own.querySelector("summary").click();
                const { height } = own.getBoundingClientRect(); own.open = false; return height; })()`);
            assert.ok(isOpen(opened), `${audience} ${name}: opened to ${opened}`);
        }
        assert.equal(await page.evaluate("document.scripts.length"), 0);
        assert.deepEqual(page.errors, [], `${audience} ${name}`);
        // The page may run nothing; what the tools of the browser run is no part of it.
        await page.evaluate(`${axe}; true`);
        const found = await page.evaluate(`axe.run(document, { preload: false }).then(({ violations, incomplete }) => ({
            wrong: violations.map((own) => own.id + ": " + own.nodes.map((node) => node.html).slice(0, 3).join(" ")),
            checked: violations.length + incomplete.length }))`);
        assert.deepEqual(found.wrong, [], `${audience} ${name}`);
        await page.screenshot(join(pictures, `${audience}-${name}.png`));
        if (name === "print") {
            const { data } = await page.send("Page.printToPDF", { printBackground: false });
            const pdf = Buffer.from(data, "base64");
            assert.ok(pdf.subarray(0, 5).toString() === "%PDF-" && pdf.length > 20_000, "a PDF");
            writeFileSync(join(pictures, `${audience}.pdf`), pdf);
        }
        await page.close();
    }
    console.log(`ok     the report for ${audience === "gm" ? "the GM" : "players"}: ${ways.map(([name]) => name).join(", ")}`);
}

/** An evening with everything in it that a report tells of, and enough dice for verdicts. */
async function play({ call }) {
    await call("manage_session", { action: "start", title: "The dark lamp" });
    const attributes = { STR: 12, DEX: 14, CON: 12, INT: 10, WIS: 12, CHA: 10 };
    for (const name of ["Jory Penrake", "Sabeth Quoin"]) {
        await call("manage_character", { action: "create", name, attributes, skills: { Melee: 3, Lockpicking: 3, Stealth: 2 } });
    }
    const note = (text, kind, more = {}) => call("manage_session", { action: "note", text, kind, ...more });
    await note("The harbour-master's door, nine at night", "scene");
    await note("Who put the lamp out?", "thread");
    await note("Mag Sorley's aunt did", "note", { visibility: "gm" });
    await call("skill_check", { character: "Sabeth Quoin", skill: "Lockpicking", difficulty: 15, context: "the harbour-master's lock" });
    await call("roll_dice", { expression: "1d20 + 2", visibility: "gm", context: "do they hear the breathing?" });
    await call("skill_check", { character: "Jory Penrake", skill: "Perception", difficulty: 12, visibility: "blind" });
    for (let nth = 0; nth < 45; nth++) {
        const character = nth % 3 ? "Sabeth Quoin" : "Jory Penrake";
        await call("skill_check", { character, skill: nth % 2 ? "Stealth" : "Perception", difficulty: 9 + nth % 8 });
    }
    await call("manage_combat", { action: "start", title: "The Mess, ankle-deep", combatants: [
        { name: "Jory Penrake" }, { name: "Sabeth Quoin" },
        { name: "Wrecker", count: 2, hp: 400, attributes: { STR: 12, DEX: 12 } }] });
    // However the dice fall nobody goes down: no blow takes more than is healed after it, and the wreckers have more than eight blows can take.
    for (let nth = 0; nth < 16; nth++) {
        const { current } = await call("manage_combat", { action: "status" });
        const foe = current.startsWith("Wrecker");
        const target = foe ? ["Jory Penrake", "Sabeth Quoin"][nth % 2] : `Wrecker ${1 + nth % 2}`;
        await call("skill_check", { character: current, skill: "Melee", target, damage: foe ? "1d4" : "1d8 + 2" });
        if (foe) await call("apply_damage", { target, amount: -12, reason: "a moment to breathe" });
        await call("manage_combat", { action: "next_turn" });
    }
    await call("apply_damage", { target: "Wrecker 1", amount: 500, reason: "the sluice gives way" });
    await call("manage_combat", { action: "end", outcome: "the wreckers have had enough and run" });
    await call("manage_character", { action: "award", character: "Jory Penrake", xp: 50 });
    await note("The keeper is dead", "discovery");
    await note("A slip", "note");
    await call("manage_session", { action: "undo" });
    await call("manage_session", { action: "end" });
}
