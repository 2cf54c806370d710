// Kinds of forgery on a players' copy: each takes the lines (JSON lines) or the rows (CSV) of a good one and changes something.
import { createHash, randomBytes } from "node:crypto";

const sha = (...parts) => createHash("sha256").update(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest();
const size = (number) => { const out = Buffer.alloc(8); out.writeBigUInt64BE(BigInt(number)); return out; };
const sized = (bytes) => Buffer.concat([size(bytes.length), bytes]);
const commitmentOf = (salt, body) => sha("rollbook/v1 body\0", sized(salt), sized(body));
const leafOf = (uuid, seq, shown, commitment) =>
    sha("rollbook/v1 leaf\0", Buffer.from(uuid.replaceAll("-", ""), "hex"), size(seq), sized(shown), commitment);
const linkOf = (prev, leaf) => sha("rollbook/v1 link\0", prev, leaf);

/** Canonical JSON of a value with integers only. */
export const canonical = (value) => {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
};

/** A copy in JSON lines out of entries `{ shown, body, salt, commitment }`, hashed from the first to the last. */
export function sealed(uuid, header, entries) {
    let prev = Buffer.alloc(32);
    let n = 0;
    const lines = [header];
    entries.forEach(({ shown, body, salt, commitment }, at) => {
        const seq = at + 1;
        const own = body === undefined ? Buffer.from(commitment ?? randomBytes(32)) : commitmentOf(salt, Buffer.from(body));
        const seen = shown ?? `{"hidden":true,"seq":${seq}}`;
        prev = linkOf(prev, leafOf(uuid, seq, Buffer.from(seen), own));
        const proof = `"seq":${seq},"commitment":"${own.toString("hex")}","chain":"${prev.toString("hex")}"`;
        const open = body === undefined ? "" : `,"salt":"${salt.toString("hex")}","body":${body}`;
        lines.push(`{${shown === undefined ? "" : `"n":"P${++n}","public":${shown},`}"proof":{${proof}${open}}}`);
    });
    return { lines, head: `#${entries.length} ${prev.toString("hex").slice(0, 20)}` };
}

/** The entries of a good copy, for hashing anew. */
export function entriesOf(lines) {
    return lines.slice(1).map((line) => {
        const { public: shown, proof } = JSON.parse(line);
        return {
            shown: shown && canonical(shown),
            body: proof.body && canonical(proof.body),
            salt: proof.salt && Buffer.from(proof.salt, "hex"),
            commitment: Buffer.from(proof.commitment, "hex"),
        };
    });
}

const replaced = (at, from, to) => (lines) => lines.map((line, nth) => {
    if (nth !== at(lines)) return line;
    if (!line.includes(from)) throw new Error(`${from} is not in ${line}`);
    return line.replace(from, to);
});
const where = (text) => (lines) => {
    const at = lines.findIndex((line) => line.includes(text));
    if (at < 0) throw new Error(`${text} is in no line`);
    return at;
};
const first = () => 0;
const check = where('"kind":"check"');
const hidden = (lines) => lines.findIndex((line) => line.startsWith('{"proof"'));
const last = (lines) => lines.length - 1;
const edited = (at, edit) => (lines) => lines.map((line, nth) => {
    if (nth !== at(lines)) return line;
    const value = JSON.parse(line);
    edit(value);
    return JSON.stringify(value);
});
const without = (at, many = 1) => (lines) => lines.filter((_, nth) => nth < at(lines) || nth >= at(lines) + many);
const anew = (change) => (lines) => {
    const { uuid } = JSON.parse(lines[0]).rollbook;
    const entries = entriesOf(lines);
    return sealed(uuid, lines[0], change(entries) ?? entries).lines;
};
const flip = (text) => (text[0] === "0" ? "1" : "0") + text.slice(1);

/** By name; `receipt`: with the receipt of the good copy's end. A name that ends in "is sound" is found by no check without a receipt. */
export const LINES = {
    "nothing is changed: is sound": (lines) => lines,
    "a total in what players see": replaced(check, '"total":', '"total":1'),
    "a sentence": replaced(check, '"text":"', '"text":"Actually, '),
    "a total in the body": (lines) => lines.map((line, nth) => {
        if (nth !== check(lines)) return line;
        const at = line.lastIndexOf('"total":');
        return `${line.slice(0, at)}"total":1${line.slice(at + 8)}`;
    }),
    "a space in the body": replaced(check, '"body":{', '"body":{ '),
    "a space in what players see": replaced(check, '"public":{', '"public":{ '),
    "another number": replaced(check, '"seq":', '"seq":6'),
    "a salt": edited(check, ({ proof }) => { proof.salt = flip(proof.salt); }),
    "a salt in capitals": replaced(check, '"salt":"', '"salt":"A'),
    "a commitment": edited(check, ({ proof }) => { proof.commitment = flip(proof.commitment); }),
    "a chain value": edited(check, ({ proof }) => { proof.chain = flip(proof.chain); }),
    "a longer chain value": replaced(check, '"chain":"', '"chain":"0'),
    "the last chain value": edited(last, ({ proof }) => { proof.chain = flip(proof.chain); }),
    "a hidden entry's commitment": edited(hidden, ({ proof }) => { proof.commitment = flip(proof.commitment); }),
    "a hidden entry's chain value": edited(hidden, ({ proof }) => { proof.chain = flip(proof.chain); }),
    "a hidden entry shown": edited(hidden, (line) => { line.public = { at: 1, kind: "note", session: 1, text: "x", visibility: "public" }; line.n = "P5"; }),
    "a hidden entry with a number": edited(hidden, (line) => { line.n = "P5"; }),
    "a hidden entry with a body": edited(hidden, ({ proof }) => { proof.body = {}; }),
    "a shown entry hidden": edited(check, (line) => { delete line.public; delete line.n; }),
    "a body without its salt": edited(check, ({ proof }) => { delete proof.salt; }),
    "a salt without its body": edited(check, ({ proof }) => { delete proof.body; }),
    "a body and its salt taken out: is sound": (lines) => lines.map((line, nth) => {
        if (nth !== check(lines)) return line;
        return `${line.slice(0, line.indexOf(',"salt"'))}}}`;
    }),
    "a body that stands elsewhere": replaced(check, '"proof":', '"body":{},"proof":'),
    "a text beside it": replaced(check, '"proof":', '"text":"He cheated","proof":'),
    "an unknown field": replaced(check, '"proof":', '"note":"he cheated","proof":'),
    "an unknown field in the proof": replaced(check, '"proof":{', '"proof":{"note":1,'),
    "a field twice": replaced(check, '"proof":{', '"proof":{"seq":1,'),
    "no proof": edited(check, (line) => { delete line.proof; }),
    "a number that is text": replaced(check, '"seq":', '"seq":"1","x":'),
    "a number in the view": replaced(check, '{"n":"P', '{"n":"P1'),
    "a number in the view that is too great": (lines) => lines.map((line, nth) =>
        (nth === check(lines) ? line.replace(/"n":"P\d+"/, '"n":"P18446744073709551627"') : line)),
    "a field twice in what players see": replaced(check, '"text":"', '"text":"He cheated.","text":"'),
    "a total with a point": (lines) => lines.map((line, nth) => (nth === check(lines) ? line.replace(/"total":(\d+)/, '"total":$1.0') : line)),
    "no number in the view": edited(check, (line) => { delete line.n; }),
    "a number in the view of 0": (lines) => lines.map((line, nth) => (nth === check(lines) ? line.replace(/"n":"P\d+"/, '"n":"P0"') : line)),
    "the first entry left out": without(() => 1),
    "an entry left out": without(check),
    "a hidden entry left out": without(hidden),
    "three entries left out": without(check, 3),
    "two gaps": (lines) => without(() => 12)(without(() => 4)(lines)),
    "the last entry left out: is sound": without(last),
    "the last five left out: is sound": (lines) => lines.slice(0, -5),
    "all but the header": (lines) => lines.slice(0, 1),
    "all but the header and the first: is sound": (lines) => lines.slice(0, 2),
    "two swapped": (lines) => lines.map((line, at) => (at === 5 ? lines[6] : at === 6 ? lines[5] : line)),
    "one moved to the end": (lines) => [...lines.slice(0, 5), ...lines.slice(6), lines[5]],
    "one moved to the front": (lines) => [lines[0], lines[9], ...lines.slice(1, 9), ...lines.slice(10)],
    "all turned round": (lines) => [lines[0], ...lines.slice(1).reverse()],
    "one twice": (lines) => [...lines.slice(0, 6), lines[5], ...lines.slice(6)],
    "one twice, changed": (lines) => [...lines.slice(0, 6), lines[5].replace('"n":"P', '"n":"P1'), ...lines.slice(6)],
    "half a line": (lines) => lines.map((line, at) => (at === 7 ? line.slice(0, 40) : line)),
    "half a last line": (lines) => lines.map((line, at) => (at === lines.length - 1 ? line.slice(0, 40) : line)),
    "an empty line: is sound": (lines) => [...lines.slice(0, 7), "", ...lines.slice(7)],
    "blank lines at the end: is sound": (lines) => [...lines, "", " ", ""],
    "blank lines before all: is sound": (lines) => ["", ...lines],
    "a mark of UTF-8: is sound": (lines) => [`\uFEFF${lines[0]}`, ...lines.slice(1)],
    "lines that end as on Windows: is sound": (lines) => lines.map((line) => `${line}\r`),
    "a second number": replaced(check, '{"n":', '{"players_n":"P5","n":'),
    "a line of something else": (lines) => [...lines.slice(0, 7), "null", ...lines.slice(7)],
    "a word at the end": (lines) => [...lines, "verified"],
    "another campaign's name": replaced(first, '"campaign":"', '"campaign":"Not '),
    "another campaign": edited(first, ({ rollbook }) => { rollbook.uuid = "00000000-0000-7000-8000-0000000000ff"; }),
    "no campaign's name": edited(first, ({ rollbook }) => { delete rollbook.campaign; }),
    "a campaign without a name": edited(first, ({ rollbook }) => { rollbook.campaign = ""; }),
    "no campaign": edited(first, ({ rollbook }) => { delete rollbook.uuid; }),
    "another format": replaced(first, '"format":1', '"format":2'),
    "the GM's": replaced(first, '"player"', '"gm"'),
    "called the GM's, and it is a players'": replaced(first, '"format":1', '"format":1,"secret":"x"'),
    "a part that it is not": replaced(first, '"format":1', `"after":{"chain":"${"0".repeat(64)}","seq":3},"format":1`),
    "nobody's": replaced(first, '"player"', '"everybody"'),
    "a field in the header": replaced(first, '"format":1', '"format":1,"verified":true'),
    "a field beside the header": replaced(first, '{"rollbook"', '{"by":"me","rollbook"'),
    "no header": (lines) => lines.slice(1),
    "an empty file": () => [],
    "all hashed anew without a change: is sound": anew(() => {}),
    "a sentence, and all hashed anew: is sound": anew((entries) => { entries[5].shown = entries[5].shown.replace('"text":"', '"text":"Well, '); }),
    "an entry left out, and all hashed anew: is sound": anew((entries) => entries.filter((_, at) => at !== entries.length - 3)),
    "an entry put in, and all hashed anew: is sound": anew((entries) => [...entries.slice(0, 6), entries[5], ...entries.slice(6)]),
    "a hidden entry put in, and all hashed anew: is sound": anew((entries) => [...entries.slice(0, 6), {}, ...entries.slice(6)]),
    "two swapped, and all hashed anew: is sound": anew((entries) => { [entries[5], entries[6]] = [entries[6], entries[5]]; }),
    "what cannot be read, and all hashed anew": anew((entries) => { entries[5].shown = '{"at":"noon"}'; }),
    "a body that is none, and all hashed anew": anew((entries) => { entries[5].body = '{"v":2}'; }),
    "no campaign in the log, and all hashed anew": anew((entries) => entries.slice(1)),
};

const bound = where('"bound":');

/** The same of a copy that tells only how many entries are hidden, with the receipt of the end of its session. */
export const TOTAL = {
    "nothing is changed: is sound": (lines) => lines,
    "the lines behind the end of the session cut off: is sound": (lines) => lines.slice(0, bound(lines) + 1),
    "a sentence": replaced(() => 5, '"text":"', '"text":"Well, '),
    "a sentence behind the end": replaced(last, '"text":"', '"text":"Well, '),
    "a number": replaced(() => 5, '"n":"P5"', '"n":"P6"'),
    "a chain value": replaced(() => 5, '"seen":"', '"seen":"0'),
    "an unknown field": replaced(() => 5, '"proof":', '"note":1,"proof":'),
    "a line left out": without(() => 5),
    "the first line left out": without(() => 1),
    "two swapped": (lines) => lines.map((line, at) => (at === 5 ? lines[6] : at === 6 ? lines[5] : line)),
    "a line twice": (lines) => [...lines.slice(0, 6), lines[5], ...lines.slice(6)],
    "half a line": (lines) => lines.map((line, at) => (at === 7 ? line.slice(0, 40) : line)),
    "the end of the session cut off": (lines) => lines.slice(0, bound(lines)),
    "the salt of the end": replaced(bound, '"salt":"', '"salt":"0'),
    "the body of the end": replaced(bound, '"body":{', '"body":{ '),
    "the link of the end": replaced(bound, '"prev":"', '"prev":"0'),
    "the commitment of the end": replaced(bound, '"commitment":"', '"commitment":"0'),
    "the number of the end": replaced(bound, '"seq":', '"seq":1'),
    "the end without its binding": edited(bound, ({ proof }) => { delete proof.bound; }),
    "another kind of copy": replaced(first, '"seal":"total"', '"seal":"none"'),
    "no kind of copy": replaced(first, ',"seal":"total"', ""),
    "another campaign": edited(first, ({ rollbook }) => { rollbook.uuid = "00000000-0000-7000-8000-0000000000ff"; }),
    "no lines": (lines) => lines.slice(0, 1),
};

/** The column in which the proof begins. */
export const PROOF_OF = 14;

const cellOf = (row, name, to) => (rows) => rows.map((own, nth) => {
    if (nth !== row(rows)) return own;
    const at = rows[0].indexOf(name);
    return own.map((cell, column) => (column === at ? to(cell) : cell));
});
const checkRow = (rows) => rows.findIndex((row) => row[3] === "check");
const severalRow = (rows) => rows.findIndex((row, at) => at > 0 && row[0] !== "" && row[PROOF_OF] === "");
const hiddenRow = (rows) => rows.findIndex((row) => row[0] === "");
const rowWithout = (at) => (rows) => rows.filter((_, nth) => nth !== at(rows));

/** The same of rows; the first has the names. */
export const ROWS = {
    "nothing is changed: is sound": (rows) => rows,
    ...Object.fromEntries(["n", "time", "session", "kind", "actor", "text", "expression", "individual_rolls", "total", "outcome", "label",
        "visibility", "rule", "players_n"].map((name) => [`a cell of ${name}`,
        cellOf(checkRow, name, (cell) => (["n", "players_n"].includes(name) ? "77" : `${cell}x`))])),
    "a players' number that is text": cellOf(checkRow, "players_n", () => "many"),
    "a total of a further roll": cellOf(severalRow, "total", () => "99"),
    "a further roll left out": rowWithout(severalRow),
    "a further roll twice": (rows) => rows.flatMap((row, at) => (at === severalRow(rows) ? [row, row] : [row])),
    "a cell beside a hidden entry": cellOf(hiddenRow, "text", () => "The GM cheats."),
    "a hidden entry with a number": cellOf(hiddenRow, "n", () => "5"),
    "a hidden entry left out": rowWithout(hiddenRow),
    "what players see, in the proof": cellOf(checkRow, "proof_public", (cell) => cell.replace('"total":', '"total":1')),
    "a proof that is no JSON": cellOf(checkRow, "proof_public", (cell) => cell.slice(1)),
    "a body": cellOf(checkRow, "proof_body", (cell) => cell.replace('"total":', '"total":1')),
    "no body": cellOf(checkRow, "proof_body", () => ""),
    "no salt": cellOf(checkRow, "proof_salt", () => ""),
    "a salt": cellOf(checkRow, "proof_salt", flip),
    "a commitment": cellOf(checkRow, "proof_commitment", flip),
    "a chain value": cellOf(checkRow, "proof_chain", flip),
    "another number": cellOf(checkRow, "proof_seq", (cell) => `6${cell}`),
    "no number": cellOf(checkRow, "proof_seq", () => ""),
    "another campaign in a row": cellOf(checkRow, "proof_of", (cell) => flip(cell)),
    "another campaign in all rows": (rows) => rows.map((row, at) => (at === 0 ? row : row.map((cell) => cell.replace(/^(rollbook 1 player ).*$/, "$100000000-0000-7000-8000-0000000000ff")))),
    "a row left out": rowWithout(checkRow),
    "the first row left out": rowWithout(() => 1),
    "the last row left out: is sound": rowWithout((rows) => rows.length - 1),
    "two swapped": (rows) => rows.map((row, at) => (at === 5 ? rows[6] : at === 6 ? rows[5] : row)),
    "one twice": (rows) => [...rows.slice(0, 6), rows[5], ...rows.slice(6)],
    "one moved to the end": (rows) => [...rows.slice(0, 5), ...rows.slice(6), rows[5]],
    "a row with one cell less": (rows) => rows.map((row, at) => (at === 7 ? row.slice(1) : row)),
    "a row with one cell more": (rows) => rows.map((row, at) => (at === 7 ? [...row, "x"] : row)),
    "sorted by time, the last first": (rows) => [rows[0], ...rows.slice(1).reverse()],
    "no proof columns": (rows) => rows.map((row) => row.slice(0, PROOF_OF)),
    "a column more": (rows) => rows.map((row) => [...row, "x"]),
    "no rows": (rows) => rows.slice(0, 1),
    "the GM's": (rows) => rows.map((row, at) => (at === 0 ? row : row.map((cell) => cell.replace(/^rollbook 1 player /, "rollbook 1 gm ")))),
};

const boundRow = (rows) => rows.findIndex((row, at) => at > 0 && row[rows[0].indexOf("proof_prev")] !== "");

/** The same of rows that tell only how many entries are hidden, with the receipt of the end of their session. */
export const TOTAL_ROWS = {
    "nothing is changed: is sound": (rows) => rows,
    "the rows behind the end of the session cut off: is sound": (rows) => rows.slice(0, boundRow(rows) + 1),
    "a sentence": cellOf(checkRow, "text", () => "He cheated."),
    "another number": cellOf(checkRow, "n", () => "77"),
    "no number": cellOf(checkRow, "n", () => ""),
    "what players see, in the proof": cellOf(checkRow, "proof_public", (cell) => cell.replace('"total":', '"total":1')),
    "a proof that is no JSON": cellOf(checkRow, "proof_public", (cell) => cell.slice(1)),
    "a chain value": cellOf(checkRow, "proof_seen", flip),
    "a row left out": rowWithout(checkRow),
    "the first row left out": rowWithout(() => 1),
    "two swapped": (rows) => rows.map((row, at) => (at === 5 ? rows[6] : at === 6 ? rows[5] : row)),
    "a row with one cell less": (rows) => rows.map((row, at) => (at === 7 ? row.slice(1) : row)),
    "the first row with one cell less": (rows) => rows.map((row, at) => (at === 1 ? row.slice(1) : row)),
    "the salt of the end": cellOf(boundRow, "proof_salt", flip),
    "the body of the end": cellOf(boundRow, "proof_body", (cell) => cell.replace("{", "{ ")),
    "no body of the end": cellOf(boundRow, "proof_body", () => ""),
    "the link of the end": cellOf(boundRow, "proof_prev", flip),
    "the commitment of the end": cellOf(boundRow, "proof_commitment", flip),
    "the number of the end": cellOf(boundRow, "proof_seq", (cell) => `1${cell}`),
    "the end without its binding": (rows) => ["seq", "prev", "commitment", "salt", "body"].reduce(
        (own, name) => cellOf(boundRow, `proof_${name}`, () => "")(own), rows),
    "another campaign in a row": cellOf(checkRow, "proof_of", (cell) => flip(cell)),
    "another campaign in all rows": (rows) => rows.map((row, at) => (at === 0 ? row : row.map((cell) => cell.replace(/^(rollbook 1 player )\S+( total)$/, "$100000000-0000-7000-8000-0000000000ff$2")))),
    "no rows": (rows) => rows.slice(0, 1),
};
