// Copies that tell of hidden entries only how many there were: what src/export/copy/total.rs finds in one, in the same words.

/** The name that a campaign has by the sentence of its beginning or of its renaming; null for every other one. */
const namedIn = ({ kind, text }) => {
    const sentences = { campaign_created: /^The campaign (.*) begins/s, campaign_renamed: /^The campaign .* is called (.*) from now on\.$/s };
    return (Object.hasOwn(sentences, kind) && text.match(sentences[kind])?.[1]) || null;
};

class Total {
    constructor(about) {
        this.about = about;
        this.findings = new Findings();
        this.seen = { n: 0, chain: NONE };
        this.bound = null;
        /** What the sentences call the campaign. */
        this.named = null;
        if (about.seal !== "total" || about.after !== undefined || about.secret !== undefined) {
            this.wrong("its first line says what no copy of that kind is");
        }
    }

    wrong(what) {
        this.findings.add(0, what);
    }

    /** Takes the next line, or why it cannot be read. */
    async line(line, unread) {
        const next = this.seen.n + 1;
        if (!line) return this.wrong(`line ${next} cannot be read: ${unread}`);
        const before = this.seen;
        let chain = await seenOf(before.chain, await shownOf(this.about.uuidBytes, encoder.encode(line.shown)));
        if (line.n !== next) this.wrong(`line ${next} has the number ${line.n}`);
        const seen = visibleOf(line.shown);
        if (!seen) this.wrong(`what players see in line ${next} cannot be read`);
        else this.named = namedIn(seen) ?? this.named;
        if (line.rows && !sameRows(seen ? readable(line.n, seen) : [], line.rows)) {
            this.wrong(`what line ${next} shows is not what its proof says`);
        }
        if (!same(line.seen, chain)) {
            this.wrong(`line ${next} does not follow from the lines before it`);
            chain = line.seen || chain;
        }
        this.seen = { n: next, chain };
        if (line.bound) await this.bind(line, before, next);
    }

    async bind({ bound, shown }, before, next) {
        if (!same(await commitmentOf(bound.salt, encoder.encode(bound.body)), bound.commitment)) {
            this.wrong(`the body of line ${next} is not the one that was committed to`);
            return;
        }
        const leaf = await leafOf(this.about.uuidBytes, bound.seq, encoder.encode(shown), bound.commitment);
        const chain = await linkOf(bound.prev, leaf);
        const { kind, seen } = entryOf(bound.body)?.event ?? {};
        const isNamed = kind === "session_ended" && seen && seen.n === before.n && same(unhex(seen.chain), before.chain);
        if (!isNamed || this.bound) this.wrong(`line ${next} does not bind the lines before it`);
        else this.bound = { seq: bound.seq, chain: hex(chain), n: before.n };
    }

    done(receipt) {
        if (this.seen.n === 0) this.wrong("it holds no entry");
        let [receipted, incomparable] = [null, null];
        const { bound } = this;
        if (receipt && !bound) this.wrong("no end of a session binds it, so that no receipt can be compared with it");
        else if (receipt && receipt.seq < bound.seq) {
            incomparable = `the receipt is of #${receipt.seq}; with a copy that does not tell where hidden entries stand only that of #${bound.seq}, which ended a session, can be compared`;
        } else if (receipt && receipt.seq > bound.seq) {
            this.wrong(`the receipt says the log reached #${receipt.seq}, and the last end of a session in the copy is #${bound.seq}: it was cut off, or is older than the receipt, or that session goes on, or the receipt is of an earlier log; only the receipt of #${bound.seq} can be compared with it`);
        } else if (receipt && !bound.chain.startsWith(receipt.hex)) {
            this.wrong(`the receipt names another chain value for #${bound.seq}`);
        } else if (receipt) receipted = receipt.seq;
        return {
            campaign: this.about.campaign ?? this.named ?? this.about.uuid,
            head: bound ? `#${bound.seq} ${bound.chain.slice(0, RECEIPT_DIGITS)}` : "no end of a session",
            last: bound ? bound.seq : 0,
            after: null,
            bound: bound ? bound.n : 0,
            findings: this.findings.sentences(),
            firstBad: null,
            receipted,
            incomparable,
            shown: this.seen.n,
            closed: this.seen.n,
            sealed: bound ? bound.seq - bound.n - 1 : 0,
            opened: [],
            historyLost: this.about.history_lost,
        };
    }
}
