// verifier.mjs [PROGRAM]: the page of `rollbook verifier` in a real Chromium, on good and forged players' copies. It must find what
// `rollbook verify --copy` finds, in the same words.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "node:events";

import { start } from "./chromium.mjs";
import { entriesOf, LINES, PROOF_OF, ROWS, sealed, TOTAL, TOTAL_ROWS } from "./forgeries.mjs";
import { evening, serve } from "./served.mjs";

const program = resolve(process.argv[2] ?? "target/debug/rollbook");
const folder = mkdtempSync(join(tmpdir(), "rollbook-verifier-"));
const at = (name) => join(folder, name);
const rollbook = (...words) => {
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
    return { status, stdout, stderr };
};
const must = (...words) => {
    const done = rollbook(...words);
    assert.equal(done.status, 0, `${words.join(" ")}: ${done.stderr}`);
    return done.stdout;
};

const table = await serve(program, resolve("adventures/lockhouse"), at("campaigns.db"));
const { receipt, ended } = await evening(table);
assert.equal(await table.end(), 0);
must("verifier", "--out", at("verify.html"));
for (const [format, more] of [["jsonl", []], ["csv", ["--bom"]]]) {
    must("export", "--db", at("campaigns.db"), "--audience", "player", "--format", format, "--out", at(`good.${format}`), ...more);
}
for (const format of ["jsonl", "csv"]) {
    must("export", "--db", at("campaigns.db"), "--seal", "total", "--format", format, "--out", at(`total.${format}`));
    must("export", "--db", at("campaigns.db"), "--session", "last", "--format", format, "--out", at(`last.${format}`));
}
const totals = readFileSync(at("total.jsonl"), "utf8").trimEnd().split("\n");
const lines = readFileSync(at("good.jsonl"), "utf8").trimEnd().split("\n");

/** Rows of a CSV file, read apart from the page's own reader. */
function rowsOf(text) {
    const rows = [[]];
    for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/gy)) {
        if (quoted === undefined && plain === "" && end === "" ) break;
        rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
        if (end === "\n") rows.push([]);
    }
    return rows.filter((row) => row.length > 0);
}
const quoted = (rows, end) => rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",") + end).join("");
const csv = (rows) => rows.map((row) => `${row.map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`).join("");
const rows = rowsOf(readFileSync(at("good.csv"), "utf8"));
assert.ok(rows.some((row) => row[0] === "") && rows.some((row) => row[PROOF_OF] === ""), "hidden entries and further rolls are there");

/** What the program finds. */
function expected(file, receipt) {
    const { status, stdout } = rollbook("verify", "--json", "--copy", file, ...(receipt ? ["--receipt", receipt] : []));
    if (status === 2) return { verdict: "not_checked", findings: [] };
    const [copy] = JSON.parse(stdout).copies;
    assert.equal(status, copy.verdict === "verified" ? 0 : 1);
    return { verdict: copy.verdict, findings: copy.findings, first: copy.first_bad, campaign: copy.campaign };
}

const browser = await start();
const page = await browser.open(at("verify.html"));

/** What the page says of a file. */
async function found(page, file, receipt, most) {
    await page.evaluate(`document.getElementById("receipt").value = ${JSON.stringify(receipt ?? "")}`);
    await page.setFile("#file", file);
    await page.evaluate(`document.getElementById("check").click()`);
    await page.wait(`!document.getElementById("check").disabled`, most);
    return page.evaluate(`(() => {
        const text = (id) => document.getElementById(id).textContent;
        const list = (id) => [...document.querySelectorAll("#" + id + " li")].map((item) => item.textContent);
        if (document.getElementById("result").hidden) return { verdict: "not_checked", findings: [], status: text("status") };
        const bad = document.getElementById("bad").hidden === false;
        const first = /first bad entry is #(\\d+)/.exec(text("verdict"));
        const unsure = text("verdict").includes("cannot be compared");
        return { verdict: bad ? "not_verified" : unsure ? "not_compared" : "verified", findings: bad ? list("findings") : [], first: first ? Number(first[1]) : null,
            heading: text("verdict"), summary: text("summary"), proven: list("proven"), unproven: list("unproven"),
            focus: document.activeElement.id };
    })()`);
}

const tally = {};
async function agree(name, file, receipt) {
    const wanted = expected(file, receipt);
    const own = await found(page, file, receipt);
    if (/: the GM's(,|$)/.test(name)) {
        // The page leaves a game master's copies to the program.
        assert.notEqual(wanted.verdict, "verified", name);
        assert.match(own.status, /game master's copy/, name);
        return own;
    }
    assert.equal(own.verdict, wanted.verdict, `${name}: ${JSON.stringify([wanted, own], null, 1)}`);
    assert.deepEqual(own.findings.sort(), wanted.findings.sort(), name);
    if (wanted.verdict !== "not_checked") {
        assert.equal(own.first, wanted.first, name);
        assert.ok(own.summary.startsWith(`Players’ copy of ${wanted.campaign}:`), `${name}: ${own.summary} ${wanted.campaign}`);
    }
    tally[own.verdict] = (tally[own.verdict] ?? 0) + 1;
    return own;
}

// Good copies, with and without the receipt.
for (const file of ["good.jsonl", "good.csv"]) {
    const own = await agree(file, at(file), receipt);
    assert.match(own.heading, /fits your receipt/);
    assert.equal(own.focus, "verdict", "the verdict is read out");
    assert.ok(own.proven.some((sentence) => sentence.includes("none missing. None was opened.")), JSON.stringify(own));
    const bare = await agree(file, at(file));
    assert.match(bare.heading, /holds together/);
    assert.ok(bare.unproven[0].includes("only a receipt"), JSON.stringify(bare));
    const wrong = `${receipt.slice(0, -1)}${receipt.endsWith("0") ? "1" : "0"}`;
    assert.equal((await agree(file, at(file), wrong)).verdict, "not_verified");
    for (const pasted of [`The receipt is ${receipt}.`, `receipt: ${receipt}`, receipt.slice(1), ` ${receipt.toUpperCase()}\t`,
        `Players’ copy of the lock (#3), “${receipt}”`]) {
        assert.match((await agree(`${file}, ${pasted}`, at(file), pasted)).heading, /fits your receipt/, pasted);
    }
}
for (const file of ["last.jsonl", "last.csv"]) {
    const own = await agree(file, at(file), receipt);
    assert.equal(own.verdict, "verified", JSON.stringify(own));
}
assert.match((await found(page, at("last.csv"))).summary, /copy of [0-9a-f-]{36}:/, "a part without the entry that names its campaign");

// A receipt of what lies before a part is no finding, and cannot be compared; one of what was lost is, and both say so.
must("backup", "--db", at("campaigns.db"), "--out", at("early.db"));
const later = await serve(program, resolve("adventures/lockhouse"), at("campaigns.db"));
await later.call("roll_dice", { expression: "d20" });
const opened = {};
for (const visibility of ["gm", "blind"]) {
    const { log: entry } = await later.call("roll_dice", { expression: "d20", visibility });
    opened[visibility] = `#${entry} (by #${(await later.call("manage_session", { action: "reveal", entry })).log})`;
}
const { receipt: lost } = await later.call("manage_session", { action: "end" });
assert.equal(await later.end(), 0);
// What was opened is named, and what players saw in part apart from what they saw nothing of.
for (const format of ["jsonl", "csv"]) {
    must("export", "--db", at("campaigns.db"), "--format", format, "--out", at(`opened.${format}`));
    const { proven } = await agree(`opened: ${format}`, at(`opened.${format}`), lost);
    const sealed = proven.find((sentence) => sentence.includes("none missing."));
    assert.ok(sealed?.endsWith(`none missing. Opened: ${opened.gm}; each is what was sealed then.`), JSON.stringify(proven));
    assert.ok(proven.includes(`Opened of what players saw in part: ${opened.blind}; each is what was sealed then.`), JSON.stringify(proven));
}
must("restore", at("early.db"), "--db", at("campaigns.db"));
for (const format of ["jsonl", "csv"]) {
    must("export", "--db", at("campaigns.db"), "--session", "1", "--format", format, "--out", at(`part.${format}`));
    const before = await agree(`a part: ${format}`, at(`part.${format}`), "#1 9f3c21d07a44b81e6d05");
    assert.equal(before.verdict, "not_compared");
    assert.ok(before.unproven.some((sentence) => sentence.includes("#1, which lies before this part")), JSON.stringify(before));
    must("export", "--db", at("campaigns.db"), "--format", format, "--out", at(`restored.${format}`));
    const gone = await agree(`what was lost: ${format}`, at(`restored.${format}`), lost);
    assert.match(gone.findings.join(), /It may be of an entry that was lost: #\d+ says/);
}

// Forged copies: each with and without the receipt of the good one's end.
const kinds = [
    ...Object.entries(LINES).map(([name, forge]) => [`jsonl: ${name}`, "forged.jsonl", forge(lines).map((line) => `${line}\n`).join("")]),
    ...Object.entries(ROWS).map(([name, forge]) => [`csv: ${name}`, "forged.csv", csv(forge(rows))]),
    ["csv: every cell quoted, and nothing is changed: is sound", "forged.csv", quoted(rows, "\n")],
    ["csv: as spreadsheets end lines, and nothing is changed: is sound", "forged.csv", `\uFEFF${quoted(rows, "\r\n")}`],
    ["csv: blank lines at the end, and nothing is changed: is sound", "forged.csv", `${csv(rows)}\n\n`],
    ["csv: every cell quoted, and a further roll is changed", "forged.csv", quoted(ROWS["a total of a further roll"](rows), "\n")],
];
for (const [name, file, text] of kinds) {
    writeFileSync(at(file), text);
    const without = await agree(name, at(file));
    assert.equal(without.verdict === "verified", name.endsWith("is sound"), `${name}: ${JSON.stringify(without)}`);
    const with_ = await agree(`${name}, with the receipt`, at(file), receipt);
    const harmless = /nothing is changed|body and its salt taken out|hashed anew without a change|empty line|blank lines|mark of UTF|on Windows/.test(name);
    assert.equal(with_.verdict === "verified", harmless, `${name} with the receipt: ${JSON.stringify(with_)}`);
}
const totalRows = rowsOf(readFileSync(at("total.csv"), "utf8"));
const totalKinds = [
    ...Object.entries(TOTAL).map(([name, forge]) => [name, "forged.jsonl", forge(totals).map((line) => `${line}\n`).join("")]),
    ...Object.entries(TOTAL_ROWS).map(([name, forge]) => [name, "forged.csv", csv(forge(totalRows))]),
];
for (const [name, file, text] of totalKinds) {
    writeFileSync(at(file), text);
    const own = await agree(`total, ${file}: ${name}`, at(file), ended);
    assert.equal(own.verdict === "verified", name.endsWith("is sound"), `${name}: ${JSON.stringify(own)}`);
    await agree(`total, ${file}: ${name}, without a receipt`, at(file));
}
for (const format of ["jsonl", "csv"]) {
    // Honest, and older than the end that binds such a copy.
    const early = await agree(`total.${format}, an older receipt`, at(`total.${format}`), "#2 9f3c21d07a44b81e6d05");
    assert.equal(early.verdict, "not_compared", JSON.stringify(early));
}
for (const [file, receipt] of [["good.jsonl", "128"], ["good.jsonl", "#3 12345"], ["campaigns.db", undefined]]) {
    assert.match((await found(page, at(file), receipt)).status, /cannot be checked/, file);
}
assert.deepEqual(page.errors, []);
console.log(`ok     ${kinds.length + totalKinds.length} kinds of forgery, each with and without a receipt: ${JSON.stringify(tally)}, the program and the page agree`);

// Without SubtleCrypto the page's own SHA-256 is used, and it says so.
const bare = await browser.open(at("verify.html"), { before: "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined });" });
const own = await found(bare, at("good.jsonl"), receipt);
assert.ok(own.verdict === "verified" && own.unproven.some((sentence) => sentence.includes("the page’s own was used")), JSON.stringify(own));
writeFileSync(at("forged.jsonl"), LINES["a salt"](lines).map((line) => `${line}\n`).join(""));
assert.equal((await found(bare, at("forged.jsonl"), receipt)).verdict, "not_verified");
await bare.close();
console.log("ok     without SubtleCrypto");

// By keyboard alone, on a phone, in the dark.
const phone = await browser.open(at("verify.html"), { width: 360, height: 740, scale: 2, dark: true });
await phone.setFile("#file", at("good.csv"));
await phone.key("Tab");
assert.equal(await phone.evaluate("document.activeElement.id"), "file");
await phone.key("Tab");
await phone.send("Input.insertText", { text: receipt });
await phone.key("Enter", "Enter", "\r");
await phone.wait(`!document.getElementById("result").hidden`);
const shape = await phone.evaluate(`({ wide: document.documentElement.scrollWidth, dark: getComputedStyle(document.body).backgroundColor,
    labels: [...document.querySelectorAll("input, progress")].every(({ labels }) => labels.length === 1),
    role: document.getElementById("status").getAttribute("role"), language: document.documentElement.lang })`);
assert.deepEqual(shape, { wide: 360, dark: "rgb(23, 23, 27)", labels: true, role: "status", language: "en" });
if (process.env.SCREENSHOTS) await phone.screenshot(join(process.env.SCREENSHOTS, "verifier-phone.png"));
assert.deepEqual(phone.errors, []);
await phone.close();
console.log("ok     by keyboard, on a phone, in the dark");

// 100,000 entries, in both formats, good and with a changed one.
const { uuid } = JSON.parse(lines[0]).rollbook;
const few = entriesOf(lines);
const template = few.findIndex(({ body }) => body?.includes('"kind":"roll"'));
const many = [...few];
while (many.length < 100_000) many.push({ ...few[template], salt: randomBytes(32) });
const { lines: long, head } = sealed(uuid, lines[0], many);
const column = (name) => rows[0].indexOf(name);
const row = rows.find((own) => own[column("proof_seq")] === String(template + 1));
const tail = long.slice(few.length + 1).map((line) => {
    const { n, proof } = JSON.parse(line);
    const own = [...row];
    for (const [name, cell] of [["n", n], ["players_n", n], ["proof_seq", proof.seq], ["proof_commitment", proof.commitment], ["proof_chain", proof.chain],
        ["proof_salt", proof.salt]]) own[column(name)] = String(cell);
    return own;
});
const longs = [
    ["long.jsonl", long.map((line) => `${line}\n`), (line) => line.replace('"total":', '"total":1')],
    ["long.csv", [...rows, ...tail].map((own) => csv([own])), (line) => line.replace('""total"":', '""total"":1')],
];
for (const [file, texts, change] of longs) {
    const write = async () => {
        const out = createWriteStream(at(file));
        for (const text of texts) if (!out.write(text)) await once(out, "drain");
        await new Promise((done) => out.end(done));
    };
    await write();
    await page.evaluate(`window.gap = 0; window.then = performance.now();
        window.ticks ??= (function tick() { gap = Math.max(gap, performance.now() - then); window.then = performance.now(); setTimeout(tick, 0); return true; })();`);
    const begun = performance.now();
    const checked = await found(page, at(file), head, 120_000);
    const seconds = (performance.now() - begun) / 1000;
    assert.equal(checked.verdict, "verified", JSON.stringify(checked));
    const gap = await page.evaluate("gap");
    const native = performance.now();
    must("verify", "--copy", at(file), "--receipt", head);
    const took = (performance.now() - native) / 1000;
    console.log(`ok     ${file}: 100,000 entries in ${seconds.toFixed(1)} s, the page never still for more than ${gap.toFixed(0)} ms; the program: ${took.toFixed(1)} s`);
    assert.ok(seconds < 8 * took, "100,000 entries take less than 8 times as long as the program takes");
    assert.ok(gap < 500, "the page stays responsive");
    texts[texts.length - 50_000] = change(texts[texts.length - 50_000]);
    await write();
    const forged = await found(page, at(file), head, 120_000);
    assert.equal(forged.first, 50_001, JSON.stringify(forged.findings));
}

await browser.end();
rmSync(folder, { recursive: true, force: true });
