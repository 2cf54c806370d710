// JSON whose parts keep the very text they were written with, because that text was hashed.

/** Behind the value that begins at `at`; the text is known to be JSON. */
function valueEnd(text, at) {
    const first = text[at];
    if (first === '"') return stringEnd(text, at);
    if (first !== "{" && first !== "[") {
        let end = at;
        while (end < text.length && !",]} \t\r\n".includes(text[end])) end++;
        return end;
    }
    const marks = /["{}[\]]/g;
    marks.lastIndex = at;
    for (let depth = 0, mark; (mark = marks.exec(text)); ) {
        if (mark[0] === '"') marks.lastIndex = stringEnd(text, mark.index);
        else depth += mark[0] === "{" || mark[0] === "[" ? 1 : -1;
        if (depth === 0) return marks.lastIndex;
    }
    return text.length;
}

function stringEnd(text, at) {
    for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
        let slashes = 0;
        while (text[end - 1 - slashes] === "\\") slashes++;
        if (slashes % 2 === 0) return end + 1;
    }
    return text.length;
}

/** The members of an object as the text of their values. Refuses one that is there twice, or that is not in `known`. */
function members(text, known) {
    const skip = (at) => { while (" \t\r\n".includes(text[at])) at++; return at; };
    const out = {};
    let at = skip(0);
    if (text[at] !== "{") throw new Error("invalid type: an object is wanted");
    at = skip(at + 1);
    while (text[at] !== "}") {
        const colon = stringEnd(text, at);
        const name = JSON.parse(text.slice(at, colon));
        if (!known.includes(name)) throw new Error(`unknown field \`${name}\``);
        if (Object.hasOwn(out, name)) throw new Error(`duplicate field \`${name}\``);
        const begin = skip(skip(colon) + 1);
        const end = valueEnd(text, begin);
        out[name] = text.slice(begin, end);
        at = skip(end);
        if (text[at] === ",") at = skip(at + 1);
    }
    for (const name of Object.keys(out)) if (out[name] === "null") delete out[name];
    return out;
}

/** A value, with whole numbers that a double cannot hold kept as they are written. */
function parsed(text) {
    if (!/\d{17}/.test(text)) return JSON.parse(text);
    const exact = (_, value, source) =>
        typeof value === "number" && !Number.isSafeInteger(value) && source ? BigInt(source.source) : value;
    return JSON.parse(text, exact);
}

/** The greatest number that an export has room for. */
const WHOLE_MAX = 0xffffffffffffffffn;

function wholeNumber(text, name) {
    if (!/^\d{1,20}$/.test(text || "") || BigInt(text) > WHOLE_MAX) throw new Error(`\`${name}\` is no whole number`);
    return Number(text);
}

function stringOf(text, name) {
    if (text === undefined || text[0] !== '"') throw new Error(`\`${name}\` is no text`);
    return JSON.parse(text);
}
