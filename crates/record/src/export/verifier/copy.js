// A players' copy, line by line: what src/export/copy/ finds in one, in the same words.

const FINDINGS_MAX = 200;
const SPANS_MAX = 12;
const RECEIPT_DIGITS = 20;
const LOSSES = ["loss_accepted", "restored"];
const VISIBILITIES = ["public", "outcome_only", "blind", "gm"];

/** A receipt as a person pastes it: `#128 9f3c21d07a44b81e6d05`, alone or in a sentence. Null where none is given. */
function readReceipt(text) {
    if (!text.trim()) return null;
    const found = /#(\d{1,15})\s+([0-9a-fA-F]{6,64})(?![0-9a-fA-F])/.exec(text) || /^\s*(\d{1,15})\s+([0-9a-fA-F]{6,64})\s*$/.exec(text);
    if (!found) throw new NoCopy("That is no receipt; one looks like #128 9f3c21d07a44b81e6d05.");
    return { seq: Number(found[1]), hex: found[2].toLowerCase() };
}

/** Runs of entries with the same thing wrong are one finding. */
class Findings {
    constructor() {
        this.all = [];
        this.more = 0;
        this.byWords = new Map();
    }

    add(seq, what) {
        const own = seq === 0 ? undefined : this.byWords.get(what);
        if (own) return this.widen(own, seq);
        if (this.all.length >= FINDINGS_MAX) {
            this.more++;
            return;
        }
        const finding = { seq, what, spans: [[seq, seq]], more: 0 };
        this.all.push(finding);
        if (seq !== 0) this.byWords.set(what, finding);
    }

    widen(own, seq) {
        const last = own.spans[own.spans.length - 1];
        if (own.more > 0) own.more++;
        else if (last[1] === seq) return;
        else if (last[1] + 1 === seq) last[1] = seq;
        else if (own.spans.length < SPANS_MAX) own.spans.push([seq, seq]);
        else own.more++;
    }

    sentences() {
        const span = ([first, last]) => (first === last ? `#${first}` : `#${first} to #${last}`);
        const sorted = [...this.all].sort((one, other) => one.seq - other.seq);
        const out = sorted.map(({ seq, what, spans, more }) =>
            seq === 0 ? what : `${spans.map(span).join(", ")}${more ? ` and ${more} more` : ""}: ${what}`);
        return this.more ? [...out, `and ${this.more} more`] : out;
    }

    /** The first entry that is not as it should be; null where none is to blame. */
    first() {
        return this.all.reduce((least, { seq }) => (seq > 0 && (least === null || seq < least) ? seq : least), null);
    }
}

/** A copy being checked. */
class Check {
    constructor(about) {
        this.about = about;
        this.order = new Order(about.uuidBytes, about.begin);
        this.findings = new Findings();
        this.named = null;
        this.shown = 0;
        // Those that a part leaves out before its first.
        this.before = 0;
        this.slack = 0;
        this.closed = 0;
        this.sealed = 0;
        this.opened = [];
        // Lines that say that a part of the log was lost, or put back from a backup.
        this.losses = [];
        // Its first entry is not the beginning of a campaign.
        this.goesOn = false;
        this.reveals = [];
        this.commitments = new Map();
    }

    wrong(seq, what) {
        this.findings.add(seq, what);
    }

    /** Takes the next line; answers the entry that it is, and its chain value. */
    async line(line) {
        const { seq, chain, place, over, found, unread } = await this.order.place(line);
        if (unread) this.wrong(0, unread);
        found.forEach((what) => this.wrong(seq, what));
        if (place !== "again") {
            this.body(seq, line);
            if (line.text !== undefined) this.wrong(seq, "it has a text, which nothing proves");
            if (line.second !== undefined) this.wrong(seq, "it has a second number, which nothing proves");
            const seen = this.seen(seq, line, found.length === 0);
            if (seen && LOSSES.includes(seen.kind)) this.losses.push(seq);
            if (seq === 1 && !(seen && seen.kind === "campaign_created")) this.goesOn = true;
            if (line.shown === undefined) this.sealed++;
            else if (line.body === undefined) this.closed++;
            if (line.body === undefined) this.commitments.set(seq, { commitment: line.commitment, inPart: line.shown !== undefined });
            this.number(seq, line.n, place, over, line.shown !== undefined);
            if (line.rows && !this.reads(line, seen)) this.wrong(seq, "what it shows is not what its proof says");
        }
        return { seq, chain };
    }

    /** A receipt that fits nothing; where the log says of itself that a part of it was lost, it may be of that part. */
    lacks(seq, what) {
        const by = Math.max(...this.losses.filter((own) => own <= seq), 0);
        const lost = by === 0 ? "" : `. It may be of an entry that was lost: #${by} says that a part of the log was, or that a backup was put back`;
        this.wrong(seq, what + lost + (this.goesOn ? ". It may be of an earlier log, from which this one goes on" : ""));
    }

    /** The body, where there is one, once it is the one that was committed to. */
    body(seq, line) {
        if (line.strayBody) this.wrong(seq, "its body stands where this copy has none");
        if (line.body === undefined || line.salt === undefined) {
            if (line.body !== undefined || line.salt !== undefined) {
                this.wrong(seq, "it has a body without its salt, or a salt without its body");
            }
            return;
        }
        if (!same(line.committed, line.commitment)) {
            this.wrong(seq, "its body is not the one that was committed to");
            return;
        }
        const entry = entryOf(line.body);
        if (!entry) {
            this.wrong(seq, "its body cannot be read");
            return;
        }
        for (const change of entry.changes || []) {
            if (change.entity === "campaign") this.named = change.after || null;
        }
        if (entry.event.kind === "revealed") this.reveals.push({ seq, event: entry.event });
    }

    /** What players see of it; one that is not what was hashed need not be readable. */
    seen(seq, line, fits) {
        if (line.shown === undefined) return null;
        const seen = visibleOf(line.shown);
        if (!seen && fits) this.wrong(seq, "its public part cannot be read");
        return seen;
    }

    /** Whether the cells that a reader reads are those that its proof makes. */
    reads(line, seen) {
        // One that cannot be read is said to be so.
        if (!seen) return line.shown !== undefined || (line.rows.length === 1 && line.rows[0].every((cell) => cell === ""));
        return sameRows(readable(line.n, seen), line.rows);
    }

    /** Numbers run from 1 over what players see. How many of the missing entries were numbered is not known. */
    number(seq, n, place, over, seen) {
        // Of a part it is not known how many lines were before it.
        if (this.shown === 0 && this.about.begin) this.before = this.shown = Math.max((n || 0) - 1, 0);
        if (place === "gap") this.slack += over;
        if (place === "late" && seen && n !== undefined && n > 0 && n <= this.shown) return;
        const next = this.shown + 1;
        if (seen && n !== undefined && n >= next && n - next <= this.slack) {
            this.slack -= n - next;
            this.shown = n;
            return;
        }
        if (seen) this.shown++;
        if (seen || n !== undefined) this.wrong(seq, "its number in the view is not the next");
    }

    /** What was opened later is held against what was sealed then. */
    async open() {
        for (const { seq, event } of this.reveals) {
            const sealed = this.commitments.get(event.entry);
            if (!sealed) {
                // What lies before a part cannot be compared in it.
                const { begin } = this.about;
                if (event.entry >= seq || !(this.order.lacks(event.entry) || (begin && event.entry <= begin.seq))) {
                    this.wrong(seq, `it opens #${event.entry}, and there is no such sealed entry before it`);
                }
                continue;
            }
            const fits = same(await commitmentOf(unhex(event.salt) || NONE, encoder.encode(event.body)), sealed.commitment);
            if (fits && event.entry < seq) this.opened.push({ seq, entry: event.entry, inPart: sealed.inPart });
            else this.wrong(seq, `what it opens is not what was sealed in #${event.entry}`);
        }
    }

    async end() {
        const unread = this.order.unreadEnd();
        const { begin } = this.about;
        if (this.order.head.seq === (begin ? begin.seq : 0)) {
            this.wrong(0, unread || "it holds no entry");
            return;
        }
        if (unread) this.wrong(0, unread);
        for (const gap of this.order.gaps) this.wrong(gap.last + 1, lack(gap));
        if (this.about.secret !== undefined) {
            this.wrong(0, "its first line says that it is the GM's, and it is a players' copy");
        }
        await this.open();
        const { campaign, uuid } = this.about;
        if (!this.named && this.order.unsure) return;
        if (campaign === undefined && this.named && this.named.uuid === uuid) return;
        if (!this.named || this.named.name !== campaign || this.named.uuid !== uuid) {
            const name = this.named ? `"${this.named.name}"` : "none";
            const says = campaign === undefined ? `its rows name campaign ${uuid}` : `its first line names campaign "${campaign}"`;
            this.wrong(0, `${says}, and the log in it ${name}`);
        }
    }
}

function sameRows(wanted, rows) {
    return wanted.length === rows.length && wanted.every((row, nth) => row.every((cell, at) => cell === rows[nth][at]));
}

/** The body as an entry, as far as this page needs it; null where it is none. */
function entryOf(text) {
    const body = parsed(text);
    const isEntry = body && Number.isInteger(body.v) && Number.isInteger(body.at) && VISIBILITIES.includes(body.visibility)
        && typeof body.actor === "string" && body.event && typeof body.event.kind === "string"
        && (body.changes === undefined || Array.isArray(body.changes));
    return isEntry ? body : null;
}

/** What players see of an entry; null where it cannot be read. */
function visibleOf(text) {
    const seen = parsed(text);
    const isSeen = seen && Number.isInteger(seen.at) && Number.isInteger(seen.session) && typeof seen.kind === "string"
        && VISIBILITIES.includes(seen.visibility) && typeof seen.text === "string"
        && (seen.rolls === undefined || (Array.isArray(seen.rolls) && seen.rolls.every(({ roll }) => roll && "total" in roll)));
    return isSeen ? seen : null;
}

/** The hashes of many lines at once, because the browser's SHA-256 answers one at a time and works on many. */
async function hashed(lines, campaign, behind) {
    await Promise.all(lines.map(async (line) => {
        const salt = line.salt === undefined ? undefined : unhex(line.salt) || NONE;
        const body = line.body !== undefined && salt ? commitmentOf(salt, encoder.encode(line.body)) : undefined;
        line.leaf = await leafOf(campaign, line.seq, shownBytes(line.shown, line.seq), line.commitment);
        line.committed = await body;
    }));
    await Promise.all(lines.map(async (line, nth) => {
        line.behind = nth === 0 ? behind : lines[nth - 1].chain;
        line.ahead = line.behind ? await linkOf(line.behind, line.leaf) : null;
    }));
}

const AT_ONCE = 256;

/** Checks a copy; `progress` is told how many lines were checked, and the share of the file that was read. */
async function checkCopy(file, receipt, progress = () => {}) {
    const start = new Uint8Array(await file.slice(0, 16).arrayBuffer());
    if (String.fromCharCode(...start.subarray(0, 15)) === "SQLite format 3") {
        throw new NoCopy("It is a SQLite file. This page checks exports in JSON lines and CSV; `rollbook verify --copy` checks SQLite files, too.");
    }
    const first = start.find((byte) => ![0xef, 0xbb, 0xbf, 9, 10, 13, 32].includes(byte));
    const isJson = first === 0x7b;
    let check = null;
    let waiting = [];
    let held = null;
    let done = 0;
    const read = { bytes: 0 };
    const settle = async () => {
        if (check instanceof Total) {
            for (const { line, unread } of waiting) await check.line(line, unread);
            done += waiting.length;
            waiting = [];
            progress(done, read.bytes / file.size);
            await new Promise((resolve) => setTimeout(resolve));
            return;
        }
        const lines = waiting.filter(({ line }) => line).map(({ line }) => line);
        await hashed(lines, check.about.uuidBytes, check.order.head.chain);
        for (const { line, unread } of waiting) {
            if (!line) {
                check.order.unread(unread);
                continue;
            }
            const { seq, chain } = await check.line(line);
            if (receipt && receipt.seq === seq) held = hex(chain);
        }
        done += waiting.length;
        waiting = [];
        progress(done, read.bytes / file.size);
        // The page stays usable: what a person does in it comes first.
        await new Promise((resolve) => setTimeout(resolve));
    };
    for await (const { about, line, unread } of isJson ? jsonLines(file, read) : csvLines(file, read)) {
        if (about) check = about.seal === undefined ? new Check(about) : new Total(about);
        else waiting.push({ line, unread });
        if (waiting.length >= AT_ONCE) await settle();
    }
    await settle();
    if (check instanceof Total) return check.done(receipt);
    await check.end();
    let receipted = null;
    const { begin } = check.about;
    const isBefore = receipt && begin && receipt.seq <= begin.seq;
    if (isBefore && receipt.seq === begin.seq) held = hex(begin.chain);
    let incomparable = null;
    if (isBefore && held === null) {
        // It says nothing of the part, and the part nothing of it.
        incomparable = `the receipt is of #${receipt.seq}, which lies before this part: it says nothing of it. A copy that begins earlier, or a later receipt, does`;
    } else if (receipt && held !== null) {
        if (held.startsWith(receipt.hex)) receipted = receipt.seq;
        else check.lacks(receipt.seq, "the receipt names another chain value for it");
    } else if (receipt && !check.order.lacks(receipt.seq)) {
        check.lacks(receipt.seq,
            `the receipt says the log reached it, and the copy ends at #${check.order.head.seq}: it was cut off, or is older than the receipt`);
    }
    const { head } = check.order;
    return {
        campaign: check.about.campaign === undefined ? (check.named && check.named.name) || check.about.uuid : check.about.campaign,
        head: `#${head.seq} ${hex(head.chain).slice(0, RECEIPT_DIGITS)}`,
        last: head.seq,
        after: begin ? begin.seq : null,
        findings: check.findings.sentences(),
        firstBad: check.findings.first(),
        receipted,
        incomparable,
        shown: check.shown - check.before,
        closed: check.closed,
        sealed: check.sealed,
        opened: check.opened,
        historyLost: check.about.history_lost,
    };
}
