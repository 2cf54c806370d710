// The order of a copy's lines: numbers and links, taken up again behind whatever is missing, doubled or out of place. The same as
// src/export/copy/order.rs, which says more.

const NONE = new Uint8Array(32);
const GAPS_MAX = 1000;
const UNLINKED = "its chain value does not follow from what the copy holds";

/** What is found at an entry before which others are not there. */
function missing(first, seq) {
    return seq - 1 > first
        ? `entries #${first} to #${seq - 1} are missing before it`
        : `entry #${first} is missing before it`;
}

function lack({ first, last, unread }) {
    const what = missing(first, last + 1);
    return unread ? `${what}: a line there cannot be read: ${unread}` : `${what}, so that its link cannot be checked`;
}

class Order {
    /** Of a copy that begins behind an entry, or at the beginning of the log. */
    constructor(campaign, begin) {
        this.campaign = campaign;
        this.head = begin || { seq: 0, chain: NONE };
        this.computed = this.head.chain;
        this.gaps = [];
        this.unsure = Boolean(begin);
        this.unreadWhy = null;
    }

    unread(why) {
        this.unreadWhy ??= why;
    }

    unreadEnd() {
        return this.unreadWhy && `after #${this.head.seq}: a line cannot be read: ${this.unreadWhy}`;
    }

    /** Puts a line in its place; `unread` is what is wrong with no entry that is there. */
    async place(link) {
        const next = this.head.seq + 1;
        const linked = await this.linked(link, next);
        const found = [];
        if (link.seq !== next && linked) found.push(`its number was changed to ${link.seq}`);
        const seq = linked ? next : link.seq;
        const leaf = await this.leaf(link, seq);
        let unread = this.unreadEnd();
        const gap = this.gaps.findIndex(({ first, last }) => first <= seq && seq <= last);
        if (gap >= 0) {
            this.unreadWhy = null;
            const chain = link.chain || NONE;
            found.push("it stands out of place, behind later ones");
            if (!(await this.fill(gap, seq, leaf, chain))) found.push(UNLINKED);
            return { seq, chain, place: "late", found, unread };
        }
        if (seq < next) {
            this.unreadWhy = null;
            found.push("it stands there a second time");
            return { seq, chain: link.chain || NONE, place: "again", found, unread };
        }
        const computed = await this.after(link, leaf);
        const chain = link.chain || computed;
        let place = "next";
        let over = 0;
        if (seq === next) {
            this.unreadWhy = null;
            if (!linked) found.push(UNLINKED);
        } else {
            const gap = { first: next, last: seq - 1, before: this.head.chain, after: { leaf, chain }, unread: this.unreadWhy };
            this.unreadWhy = null;
            this.unsure = true;
            if (this.gaps.length < GAPS_MAX) this.gaps.push(gap);
            else found.push(lack(gap));
            [place, over, unread] = ["gap", seq - next, null];
        }
        this.head = { seq, chain };
        this.computed = computed;
        return { seq, chain, place, over, found, unread };
    }

    lacks(seq) {
        const inGap = this.gaps.some(({ first, last }) => first <= seq && seq <= last);
        return inGap || (this.unreadWhy !== null && seq > this.head.seq);
    }

    /** Whether the line is that entry by its hash: behind the last one as it is written, or as it should be. */
    async linked(link, seq) {
        if (!link.chain) return false;
        const leaf = await this.leaf(link, seq);
        if (same(await this.after(link, leaf), link.chain)) return true;
        return !same(this.computed, this.head.chain) && same(await linkOf(this.computed, leaf), link.chain);
    }

    /** The link behind the last line; most were worked out beforehand, many at a time. */
    after(link, leaf) {
        return leaf === link.leaf && link.ahead && same(link.behind, this.head.chain) ? link.ahead : linkOf(this.head.chain, leaf);
    }

    leaf(link, seq) {
        return seq === link.seq && link.leaf ? link.leaf : leafOf(this.campaign, seq, shownBytes(link.shown, seq), link.commitment);
    }

    async fill(nth, seq, leaf, chain) {
        const [{ first, last, before, after, unread }] = this.gaps.splice(nth, 1);
        let fits = true;
        if (first < seq) this.gaps.push({ first, last: seq - 1, before, after: { leaf, chain }, unread });
        else fits = same(await linkOf(before, leaf), chain);
        if (seq < last) this.gaps.push({ first: seq + 1, last, before: chain, after, unread });
        else fits = fits && same(await linkOf(chain, after.leaf), after.chain);
        return fits;
    }
}

/** The bytes of what players see of an entry; of one they see nothing of, that it is hidden. */
function shownBytes(shown, seq) {
    return encoder.encode(shown === undefined ? `{"hidden":true,"seq":${seq}}` : shown);
}
