// What a person sees of a check. Text of a copy goes in as text, never as HTML.

const by = (id) => document.getElementById(id);

function list(id, sentences) {
    by(id).replaceChildren(...sentences.map((sentence) => {
        const item = document.createElement("li");
        item.textContent = sentence;
        return item;
    }));
}

const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** How much less a short receipt proves. */
function weakness({ hex: { length } }) {
    return `Your receipt has ${length} of its ${RECEIPT_DIGITS} digits, and a rewritten log that fits it can be searched for. All ${RECEIPT_DIGITS} digits cannot.`;
}

/** What a copy without findings proves, in sentences. */
function proven(copy, receipt) {
    const out = [];
    if (copy.bound !== undefined) {
        const lines = count(copy.bound, "line", "lines");
        if (copy.receipted !== null) out.push(`The ${lines} before the session ended (#${copy.receipted}) are complete and as they were written.`);
        else if (copy.bound > 0) out.push(`The ${lines} before the session ended (#${copy.last}) follow from one another, and that entry names them.`);
        if (copy.bound > 0) out.push(`${count(copy.sealed, "entry", "entries")} that players do not see had been written by then.`);
        if (out.length === 0) out.push("Each line follows from the one before.");
        return out;
    }
    if (copy.receipted !== null) {
        out.push(`Up to #${copy.receipted} nothing was changed, left out, put in or moved since you got your receipt.`);
    }
    out.push(`Each of its entries up to #${copy.last} follows from the one before, and its numbers run without a gap.`);
    const open = copy.shown - copy.closed;
    if (open > 0) out.push(`${count(open, "line", "lines")} can be looked into: all that was written is there, and it is what was sealed.`);
    const opened = (inPart) => copy.opened.filter((own) => own.inPart === inPart).map(({ entry, seq }) => `#${entry} (by #${seq})`).join(", ");
    const [whole, partly] = [opened(false), opened(true)];
    if (copy.sealed > 0) {
        out.push(`${count(copy.sealed, "sealed entry", "sealed entries")} that players do not see: none missing. ${
            whole === "" ? "None was opened." : `Opened: ${whole}; each is what was sealed then.`}`);
    }
    if (partly !== "") out.push(`Opened of what players saw in part: ${partly}; each is what was sealed then.`);
    return out;
}

function unproven(copy, receipt) {
    const out = [];
    if (!receipt) out.push("Whether the end is missing, and whether all of it was written anew: only a receipt that you kept shows that.");
    else if (copy.incomparable) out.push(`That the log is the one of your receipt: ${copy.incomparable}.`);
    else if (copy.receipted === null) out.push("That the log is the one of your receipt.");
    else if (copy.bound === undefined && copy.receipted < copy.last) {
        out.push(`What was written after #${copy.receipted}: lines cut off the end leave no mark. Use the latest receipt that you have.`);
    }
    if (receipt && receipt.hex.length < RECEIPT_DIGITS) out.push(weakness(receipt));
    if (copy.bound !== undefined) {
        out.push(`The ${count(copy.shown - copy.bound, "line", "lines")} from the end of that session on, where hidden entries stand, and the campaign’s name.`);
    }
    if (copy.closed > 0) {
        out.push(`${count(copy.closed, "line", "lines")} cannot be looked into: only what players see of ${copy.closed === 1 ? "it" : "them"} is vouched for.`);
    }
    out.push("That the dice are fair, that nothing was rolled elsewhere, and what sealed entries say until they are opened.");
    if (copy.after !== null) out.push(`What was written before: it is a part of the log, and begins after #${copy.after}.`);
    if (copy.historyLost) out.push(`It says of itself that the log lacked something when it was written: ${copy.historyLost}`);
    if (!subtle) out.push("This browser keeps its own SHA-256 from this page; the page’s own was used.");
    return out;
}

function show(copy, receipt, seconds) {
    const isGood = copy.findings.length === 0;
    const verdict = by("verdict");
    verdict.className = !isGood ? "bad" : copy.incomparable ? "" : "good";
    verdict.textContent = !isGood
        ? copy.firstBad === null ? "Not verified" : `Not verified: the first bad entry is #${copy.firstBad}`
        : copy.incomparable ? "The copy holds together, and cannot be compared with your receipt"
        : copy.receipted === null ? "The copy holds together" : "Verified: the copy fits your receipt";
    by("summary").textContent = `Players’ copy of ${copy.campaign}: ${count(copy.last, "entry", "entries")}, ends at ${copy.head}. Checked in ${seconds} s.`;
    by("bad").hidden = isGood;
    list("findings", copy.findings);
    list("proven", isGood ? proven(copy, receipt) : ["Nothing, while something is wrong: ask for another copy, and compare."]);
    list("unproven", unproven(copy, receipt));
    by("result").hidden = false;
    verdict.focus();
}

by("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [file] = by("file").files;
    if (!file) return;
    by("result").hidden = true;
    by("check").disabled = true;
    by("progress").hidden = false;
    by("bar").value = 0;
    by("status").textContent = "Checking…";
    const begun = performance.now();
    let told = begun;
    try {
        const receipt = readReceipt(by("receipt").value);
        const copy = await checkCopy(file, receipt, (lines, share) => {
            by("bar").value = share;
            if (performance.now() - told < 2000) return;
            told = performance.now();
            by("status").textContent = `Checking… ${lines.toLocaleString("en")} lines`;
        });
        by("status").textContent = "";
        show(copy, receipt, ((performance.now() - begun) / 1000).toFixed(1));
    } catch (error) {
        by("status").textContent = error instanceof NoCopy
            ? `This cannot be checked. ${error.message}`
            : `This cannot be checked: ${error.message}`;
    } finally {
        by("check").disabled = false;
        by("progress").hidden = true;
    }
});
by("file").addEventListener("change", () => { by("result").hidden = true; by("status").textContent = ""; });
