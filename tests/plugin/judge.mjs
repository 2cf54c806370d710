// judge.mjs REQUESTS SCRIPT LOG: did the evening happen as the script says? REQUESTS is what the model was sent, LOG the exported log.
import assert from "node:assert";
import {readFileSync} from "node:fs";

process.on("uncaughtException", ({message}) => {
    console.error(message.slice(0, 2000));
    process.exit(1);
});
const lines = (file) => readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const [requests, script, log] = process.argv.slice(2);
const steps = JSON.parse(readFileSync(script, "utf8"));
const last = lines(requests).filter((own) => own.tools?.some((tool) => tool.name.startsWith("mcp__plugin_rollbook_rollbook__"))).at(-1);
const blocks = last.messages.flatMap(({content}) => (Array.isArray(content) ? content : [{type: "text", text: content}]));
const texts = blocks.filter((own) => own.type === "text").map((own) => own.text).join("\n");

const everything = JSON.stringify(last.messages) + JSON.stringify(last.system);
const says = (text, words, what) => assert(words.test(text), what);
says(texts, /Run this table with Rollbook/, "the command's text did not reach the model");
says(texts, /A scripted evening/, "nor what was typed behind it");
says(texts, /A game is kept by Rollbook in this folder/, "where the game stands was not said at the start");
says(everything, /run-a-table/, "the skill is not offered");
says(everything, /rules-adviser/, "the adviser is not offered");

const results = new Map(blocks.filter((own) => own.type === "tool_result").map((own) => [own.tool_use_id, own]));
const calls = blocks.filter((own) => own.type === "tool_use");
assert.deepEqual(calls.map((own) => own.name), steps.filter((own) => own.tool).map((own) => own.tool));
const entries = lines(log);
for (const call of calls) {
    const result = results.get(call.id);
    const text = typeof result.content === "string" ? result.content : result.content.map((own) => own.text).join("");
    assert(!result.is_error, `${call.name} ${JSON.stringify(call.input)}: ${text}`);
    if (!call.name.startsWith("mcp__") || call.input.action === "resume") continue;
    const reply = JSON.parse(text);
    // The receipt that the model read is the chain's at that entry, so the entry and all before it are what they were.
    const [, number, chain] = /^#(\d+) ([0-9a-f]+)$/.exec(reply.receipt);
    const entry = entries.find((own) => own.n === Number(number));
    assert(entry?.proof.chain.startsWith(chain), `${call.name} ${JSON.stringify(call.input)}: ${reply.receipt} is not in the log`);
}
says(everything, /rollbook check.{0,40}finds in the rules/, "what is wrong with rules that were saved did not reach the model");
