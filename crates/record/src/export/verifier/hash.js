// The hashes of the log, as src/store/chain.rs has them. SHA-256 is the browser's own (SubtleCrypto); where a browser keeps it from
// pages that were not fetched over a safe line, the one below is used, and the page says so.

const subtle = globalThis.crypto && globalThis.crypto.subtle;

const K = Uint32Array.from([
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const words = new Uint32Array(64);

/** SHA-256 (FIPS 180-4) of some bytes, without the browser's help. */
function ownSha256(bytes) {
    const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
    view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
    const h = Uint32Array.of(
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19);
    const turn = (x, by) => (x >>> by) | (x << (32 - by));
    for (let at = 0; at < padded.length; at += 64) {
        for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
        for (let i = 16; i < 64; i++) {
            const x = words[i - 15];
            const y = words[i - 2];
            const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
            const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
            words[i] = words[i - 16] + s0 + words[i - 7] + s1;
        }
        let [a, b, c, d, e, f, g, k] = h;
        for (let i = 0; i < 64; i++) {
            const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
            const one = (k + s1 + ((e & f) ^ (~e & g)) + K[i] + words[i]) | 0;
            const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
            const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
            [k, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
        }
        [a, b, c, d, e, f, g, k].forEach((value, i) => { h[i] += value; });
    }
    const out = new DataView(new ArrayBuffer(32));
    h.forEach((value, i) => out.setUint32(i * 4, value));
    return new Uint8Array(out.buffer);
}

/** SHA-256 of some bytes, as 32 bytes. */
const sha256 = subtle
    ? async (bytes) => new Uint8Array(await subtle.digest("SHA-256", bytes))
    : async (bytes) => ownSha256(bytes);

const encoder = new TextEncoder();
const BODY = encoder.encode("rollbook/v1 body\0");
const LEAF = encoder.encode("rollbook/v1 leaf\0");
const LINK = encoder.encode("rollbook/v1 link\0");

/** A number as 8 bytes, big end first. */
function u64(number) {
    const out = new DataView(new ArrayBuffer(8));
    out.setUint32(0, Math.floor(number / 0x100000000));
    out.setUint32(4, number >>> 0);
    return new Uint8Array(out.buffer);
}

function joined(...parts) {
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}

const commitmentOf = (salt, body) => sha256(joined(BODY, u64(salt.length), salt, u64(body.length), body));
const leafOf = (campaign, seq, shown, commitment) =>
    sha256(joined(LEAF, campaign, u64(seq), u64(shown.length), shown, commitment));
const linkOf = (prev, leaf) => sha256(joined(LINK, prev, leaf));

const SHOWN = encoder.encode("rollbook/v1 shown\0");
const SEEN = encoder.encode("rollbook/v1 seen\0");
const shownOf = (campaign, shown) => sha256(joined(SHOWN, campaign, u64(shown.length), shown));
const seenOf = (before, shown) => sha256(joined(SEEN, before, shown));

/** Lower-case hex of exactly so many bytes; null for anything else. */
function unhex(text, length = 32) {
    if (typeof text !== "string" || text.length !== length * 2 || !/^[0-9a-f]*$/.test(text)) return null;
    const out = new Uint8Array(length);
    for (let i = 0; i < length; i++) out[i] = parseInt(text.substr(i * 2, 2), 16);
    return out;
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function same(one, other) {
    if (!one || !other) return false;
    for (let i = 0; i < 32; i++) if (one[i] !== other[i]) return false;
    return true;
}
