// Comma-separated values as `rollbook export --format csv` writes them: first what a reader reads, then the proof, from which the
// cells before it are worked out again (src/export/csv.rs).

const READ = ["n", "time", "session", "kind", "actor", "text", "expression", "individual_rolls", "total", "outcome", "label",
    "visibility", "rule", "players_n"];
const PROOF = ["proof_of", "proof_seq", "proof_public", "proof_commitment", "proof_chain", "proof_salt", "proof_body"];
const TOTAL_PROOF = ["proof_of", "proof_public", "proof_seen", "proof_seq", "proof_prev", "proof_commitment", "proof_salt", "proof_body"];
const PLAYERS_N = READ.length - 1;

/** Rows out of text that comes in pieces. */
class Rows {
    constructor() {
        this.text = "";
        this.at = 0;
        this.cells = [];
        this.ended = false;
    }

    add(text) {
        this.text = this.text.slice(this.at) + text;
        this.at = 0;
    }

    /** The next whole row; null where more text is wanted. */
    next() {
        const { text } = this;
        const cells = [];
        let at = this.at;
        if (at >= text.length) return null;
        for (;;) {
            let cell = "";
            if (text[at] === '"') {
                let end = text.indexOf('"', at + 1);
                while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
                if (end < 0 && !this.ended) return null;
                cell = text.slice(at + 1, end < 0 ? text.length : end).replaceAll('""', '"');
                at = end < 0 ? text.length : end + 1;
            }
            // Where a cell was quoted, what stands behind the closing quote belongs to it.
            STOP.lastIndex = at;
            const stop = STOP.exec(text).index;
            cells.push(cell + text.slice(at, stop));
            at = stop;
            // Of text that is still coming, the last quote may be the first of two.
            if (at >= text.length && !this.ended) return null;
            if (text[at] !== ",") break;
            at++;
        }
        while (text[at] === "\r" || text[at] === "\n") at++;
        this.at = at;
        return cells;
    }
}

/** The number of an entry, `P12`, in a cell or as JSON. */
function counted(text, name) {
    return wholeNumber((text || "").replace(/^("?)[#Pp]?(\d+)\1$/, "$2"), name);
}

const STOP = /[,\r\n]|$/g;

/** Microseconds since 1970 as `2026-11-21T19:30:00.123456Z`. */
function iso(at) {
    const seconds = Math.floor(at / 1e6);
    const micros = String(at - seconds * 1e6).padStart(6, "0");
    const date = new Date(seconds * 1000);
    return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(0, -5)}.${micros}Z`;
}

/** Every face that was drawn, in the order of draws. */
function faces(roll) {
    const out = [];
    const walk = (term) => {
        for (const die of term.dice || []) for (const face of die.rolls) if (face.reason !== "clamp") out.push(face.value);
        if (term.type === "group" || term.type === "compute") term.terms.forEach(walk);
    };
    (roll.terms || []).forEach(walk);
    ((roll.verdict && roll.verdict.terms) || []).forEach(walk);
    for (const again of roll.repeats || []) out.push(...faces(again));
    return out;
}

/** The readable cells of an entry: a row a roll, and one where it has none. */
function readable(n, seen) {
    const rolls = seen.rolls && seen.rolls.length > 0 ? seen.rolls : [null];
    return rolls.map((record, nth) => {
        const first = nth === 0;
        const roll = record ? [record.roll.expression, faces(record.roll).join(" "), record.roll.total] : ["", "", ""];
        const row = [`P${n}`, iso(seen.at), seen.session, seen.kind, seen.actor || "", first ? seen.text : "", ...roll,
            first ? seen.outcome || "" : "", first ? seen.label || "" : "", seen.visibility, first ? seen.rule || "" : "", `P${n}`];
        return row.map((cell) => harmless(String(cell)));
    });
}

function harmless(cell) {
    return /^[=+\-@\t\r]/.test(cell) && !/^[+-]?\d{1,19}$/.test(cell) ? `'${cell}` : cell;
}
