// model.mjs SCRIPT RECORD: the Messages API on 127.0.0.1, at a free port that it prints, with a model that says what SCRIPT (JSON) says: one step for each answer, {"tool", "input"}
// or {"text"}. Which step is next shows in the conversation itself: as many as it has answers of this model. Requests for another model's small
// work (titles and the like) have none of Rollbook's tools and get a word. Every request is written to RECORD, a line of JSON each.
import {appendFileSync, readFileSync} from "node:fs";
import {createServer} from "node:http";

const [script, record] = process.argv.slice(2);
const steps = JSON.parse(readFileSync(script, "utf8"));
const PREFIX = "mcp__plugin_rollbook_rollbook__";

const next = ({tools = [], messages = []}) => {
    if (!tools.some((tool) => tool.name.startsWith(PREFIX))) return {text: "Noted."};
    const done = messages.filter((message) => message.role === "assistant").length;
    return steps[done] ?? {text: "The script has ended."};
};

const events = (step, model) => {
    const usage = {input_tokens: 10, output_tokens: 10};
    const message = {id: `msg_${Math.random().toString(36).slice(2)}`, type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage};
    const uses = step.tool !== undefined;
    const block = uses ? {type: "tool_use", id: `toolu_${message.id.slice(4)}`, name: step.tool, input: {}} : {type: "text", text: ""};
    const delta = uses ? {type: "input_json_delta", partial_json: JSON.stringify(step.input)} : {type: "text_delta", text: step.text};
    return {
        whole: {...message, content: [uses ? {...block, input: step.input} : {...block, text: step.text}], stop_reason: uses ? "tool_use" : "end_turn"},
        stream: [
            {type: "message_start", message},
            {type: "content_block_start", index: 0, content_block: block},
            {type: "content_block_delta", index: 0, delta},
            {type: "content_block_stop", index: 0},
            {type: "message_delta", delta: {stop_reason: uses ? "tool_use" : "end_turn", stop_sequence: null}, usage},
            {type: "message_stop"},
        ],
    };
};

const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
        if (request.method !== "POST" || !request.url.startsWith("/v1/messages")) {
            response.writeHead(request.method === "HEAD" ? 200 : 404).end();
            return;
        }
        const asked = JSON.parse(body);
        appendFileSync(record, JSON.stringify({url: request.url, ...asked}) + "\n");
        if (request.url.includes("count_tokens")) {
            response.writeHead(200, {"content-type": "application/json"}).end('{"input_tokens": 10}');
            return;
        }
        const {whole, stream} = events(next(asked), asked.model);
        if (!asked.stream) {
            response.writeHead(200, {"content-type": "application/json"}).end(JSON.stringify(whole));
            return;
        }
        response.writeHead(200, {"content-type": "text/event-stream"});
        for (const event of stream) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
        response.end();
    });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
