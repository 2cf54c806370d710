// The lines of a copy, read from its file: JSON lines, or rows of comma-separated values.

const FORMAT = 1;
const LINE_MAX = 16 * 1024 * 1024;

/** What cannot be checked at all. */
class NoCopy extends Error {}

/** Why a line cannot be read, as src/export/copy/plain.rs says it. */
function why(text) {
    try {
        JSON.parse(text);
        return "its fields are not those that an export writes";
    } catch {
        return "what stands there is no whole JSON; it was cut off or edited";
    }
}

/** A line of JSON lines. */
function jsonLine(text) {
    JSON.parse(text);
    const own = members(text, ["n", "players_n", "text", "public", "body", "proof"]);
    const proof = members(own.proof || "null", ["seq", "commitment", "chain", "salt", "body"]);
    return {
        n: own.n === undefined ? undefined : counted(own.n, "n"),
        second: own.players_n === undefined ? undefined : counted(own.players_n, "players_n"),
        text: own.text,
        shown: own.public,
        strayBody: own.body !== undefined,
        seq: wholeNumber(proof.seq, "seq"),
        commitment: unhex(stringOf(proof.commitment, "commitment")) || NONE,
        chain: unhex(stringOf(proof.chain, "chain")),
        salt: proof.salt === undefined ? undefined : stringOf(proof.salt, "salt"),
        body: proof.body,
    };
}

/** A line of a copy that tells only how many entries are hidden. */
function totalLine(text) {
    JSON.parse(text);
    const own = members(text, ["n", "public", "proof"]);
    const proof = members(own.proof || "null", ["seen", "bound"]);
    const bound = proof.bound && members(proof.bound, ["seq", "prev", "commitment", "salt", "body"]);
    if (own.public === undefined) throw new Error("missing field `public`");
    return {
        n: counted(own.n, "n"),
        shown: own.public,
        seen: unhex(stringOf(proof.seen, "seen")),
        bound: bound && {
            seq: wholeNumber(bound.seq, "seq"),
            prev: unhex(stringOf(bound.prev, "prev")) || NONE,
            commitment: unhex(stringOf(bound.commitment, "commitment")) || NONE,
            salt: unhex(stringOf(bound.salt, "salt")) || NONE,
            body: bound.body,
        },
    };
}

/** The rows of an entry in comma-separated values: the first has the proof. */
function csvLine(rows, about) {
    if (about.seal !== undefined) return totalRows(rows, about);
    const [, seq, shown, commitment, chain, salt, body] = rows[0].slice(READ.length);
    if (rows[0][READ.length] !== about.is) throw new Error("it says that it is of another copy");
    for (const text of [shown, body]) if (text) whole(text);
    const n = rows[0][0];
    const given = (text) => (text === "" ? undefined : text);
    if (rows[0][PLAYERS_N] !== "") counted(rows[0][PLAYERS_N], "players_n");
    return {
        n: n === "" ? undefined : counted(n, "n"),
        shown: given(shown),
        strayBody: false,
        seq: wholeNumber(seq, "proof_seq"),
        commitment: unhex(commitment) || NONE,
        chain: unhex(chain),
        salt: given(salt),
        body: given(body),
        rows: rows.map((row) => row.slice(0, READ.length)),
    };
}

/** The same of a copy that tells only how many entries are hidden. */
function totalRows(rows, about) {
    const [of, shown, seen, seq, prev, commitment, salt, body] = rows[0].slice(READ.length);
    if (of !== about.is) throw new Error("it says that it is of another copy");
    for (const text of [shown, body]) if (text) whole(text);
    const isBound = [seq, prev, commitment, salt, body].some((text) => text !== "");
    return {
        bound: isBound ? {
            seq: wholeNumber(seq, "proof_seq"),
            prev: unhex(prev) || NONE,
            commitment: unhex(commitment) || NONE,
            salt: unhex(salt) || NONE,
            body,
        } : undefined,
        n: counted(rows[0][0], "n"),
        shown,
        seen: unhex(seen),
        rows: rows.map((row) => row.slice(0, READ.length)),
    };
}

/** Refuses a cell that is no whole JSON. */
function whole(text) {
    try {
        JSON.parse(text);
    } catch {
        throw new Error(why(text));
    }
}

function uuidBytes(uuid) {
    const bytes = typeof uuid === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid)
        ? unhex(uuid.replaceAll("-", ""), 16) : null;
    if (!bytes) throw new NoCopy("It does not say of which campaign it is.");
    return bytes;
}

/** The first line of JSON lines: what the copy says of itself. */
function header(text) {
    let about;
    try {
        JSON.parse(text);
        const own = members(members(text, ["rollbook"]).rollbook || "null", ["format", "audience", "campaign", "uuid", "after", "seal", "secret", "history_lost"]);
        about = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, JSON.parse(value)]));
    } catch {
        throw new NoCopy(`It does not begin as an export in JSON lines (${why(text)}). Choose a file as rollbook export wrote it.`);
    }
    if (typeof about.campaign !== "string") throw new NoCopy("Its first line names no campaign.");
    return known(about);
}

/** What the first row of comma-separated values says of the copy. */
function csvHeader(is, isTotal) {
    const form = isTotal ? /^rollbook (\d+) (player) (\S+) total$/ : /^rollbook (\d+) (\w+) (\S+)(?: after (\d+) ([0-9a-f]+))?$/;
    const found = form.exec(is || "");
    if (!found) throw new NoCopy("It does not say in its first row of which campaign it is; rollbook export --format csv does.");
    const after = found[4] === undefined ? undefined : { seq: Number(found[4]), chain: found[5] };
    return { ...known({ format: Number(found[1]), audience: found[2], uuid: found[3], after, seal: isTotal ? "total" : undefined }), is };
}

/** Refuses what this page does not check. */
function known(about) {
    if (about.format !== FORMAT) throw new NoCopy(`It is of format ${about.format}, and this page knows ${FORMAT}.`);
    if (about.audience !== "player") {
        throw new NoCopy("It is a game master's copy, with everything that is secret. This page checks players' copies; `rollbook verify --copy` checks both.");
    }
    const { after } = about;
    if (after && !(Number.isInteger(after.seq) && unhex(after.chain))) throw new NoCopy("It does not say behind which entry it begins.");
    return { ...about, uuidBytes: uuidBytes(about.uuid), begin: after && { seq: after.seq, chain: unhex(after.chain) } };
}

/** The pieces of a file; `read` is told how far they reach. */
async function* pieces(file, read) {
    for (let at = 0; at < file.size; at += 1 << 20) {
        read.bytes = Math.min(at + (1 << 20), file.size);
        yield new Uint8Array(await file.slice(at, read.bytes).arrayBuffer());
    }
}

/** Lines and what is wrong with those that cannot be read, behind the line that says what the copy is. */
async function* jsonLines(file, read) {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let about = null;
    let rest = [];
    const lineOf = function* (bytes) {
        let text = "";
        try { text = decoder.decode(bytes); } catch { text = "?"; }
        if (!about) text = text.replace(/^\uFEFF/, "");
        // Blank lines say nothing.
        if (/^[ \t\r\f]*$/.test(text)) return;
        if (!about) {
            about = header(text);
            yield { about };
            return;
        }
        let line;
        try {
            line = about.seal === undefined ? jsonLine(text) : totalLine(text);
        } catch {
            yield { unread: why(text) };
            return;
        }
        yield { line };
    };
    let length = 0;
    for await (const piece of pieces(file, read)) {
        let from = 0;
        for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
            yield* lineOf(joined(...rest, piece.subarray(from, end)));
            [rest, length, from] = [[], 0, end + 1];
        }
        rest.push(piece.subarray(from));
        length += piece.length - from;
        if (length > LINE_MAX) throw new NoCopy("A line in it is longer than 16 MiB.");
    }
    yield* lineOf(joined(...rest));
    if (!about) throw new NoCopy("It holds no entry.");
}

async function* csvLines(file, read) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const rows = new Rows();
    let columns = READ.length + PROOF.length;
    let about = null;
    let isTotal = false;
    let named = false;
    let entry = [];
    const whole = function* () {
        if (entry.length === 0) return;
        const [own, first] = [entry, entry[0]];
        entry = [];
        if (!about) {
            about = csvHeader(first[READ.length], isTotal);
            yield { about };
        }
        try {
            yield { line: csvLine(own, about) };
        } catch (error) {
            yield { unread: error.message };
        }
    };
    const take = function* () {
        for (let row = rows.next(); row; row = rows.next()) {
            if (!named) {
                isTotal = row.join() === [...READ, ...TOTAL_PROOF].join();
                if (!isTotal && row.join() !== [...READ, ...PROOF].join()) {
                    throw new NoCopy("It does not begin as a Rollbook export in JSON lines or CSV: it is none, or something took its proof columns away.");
                }
                if (isTotal) columns = READ.length + TOTAL_PROOF.length;
                named = true;
            } else if (row.length !== columns) {
                yield* whole();
                yield { unread: `a row has ${row.length} columns, and ${columns} are wanted` };
            } else if (entry.length > 0 && row.slice(READ.length).every((cell) => cell === "")) {
                entry.push(row);
            } else {
                yield* whole();
                entry.push(row);
            }
        }
    };
    try {
        for await (const piece of pieces(file, read)) {
            rows.add(decoder.decode(piece, { stream: true }));
            if (rows.text.length > LINE_MAX + (2 << 20)) throw new NoCopy("A row in it is longer than 16 MiB.");
            yield* take();
        }
        rows.add(decoder.decode());
    } catch (error) {
        throw error instanceof NoCopy ? error : new NoCopy("It is no text in UTF-8, as if a spreadsheet had saved it. Check it as it was exported.");
    }
    rows.ended = true;
    yield* take();
    yield* whole();
    if (!about) throw new NoCopy("It holds no entry.");
}
