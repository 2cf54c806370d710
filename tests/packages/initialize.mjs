// initialize.mjs VERSION COMMAND…: is that command a server of Rollbook of that version? Says hello, lists the tools, rolls a die, and leaves;
// the server must then end by itself.
import {spawn} from "node:child_process";
import {createInterface} from "node:readline";

const [version, command, ...words] = process.argv.slice(2);
const server = spawn(command, words, {stdio: ["pipe", "pipe", "pipe"]});
let complaint = "";
server.stderr.on("data", (text) => (complaint += text));
const fail = (why) => {
    console.error(`${[command, ...words].join(" ")}: ${why}\n${complaint}`);
    server.kill();
    process.exit(1);
};
server.on("error", (error) => fail(error.message));
const patience = setTimeout(() => fail("no answer within 30 seconds"), 30_000);
const ended = new Promise((resolve) => server.on("exit", (code, signal) => resolve(signal ?? code)));
ended.then((how) => asked < 3 && fail(`it ended (${how}) before it answered`));

let asked = 0;
const waiting = new Map();
createInterface({input: server.stdout}).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
});
const send = (message) => server.stdin.write(JSON.stringify({jsonrpc: "2.0", ...message}) + "\n");
const ask = (method, params) => new Promise((resolve) => {
    const id = asked + 1;
    waiting.set(id, ({result, error}) => (error ? fail(`${method}: ${error.message}`) : ((asked = id), resolve(result))));
    send({id, method, params});
});

const hello = await ask("initialize", {protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {name: "packages", version: "1"}});
if (hello.serverInfo.name !== "rollbook" || hello.serverInfo.version !== version) fail(`it is ${JSON.stringify(hello.serverInfo)}, not ${version}`);
send({method: "notifications/initialized"});
const {tools} = await ask("tools/list", {});
if (!tools.some((tool) => tool.name === "roll_dice")) fail("it has no roll_dice");
const rolled = await ask("tools/call", {name: "roll_dice", arguments: {expression: "1d6"}});
if (rolled.isError || !(rolled.structuredContent.total >= 1)) fail(`1d6 is ${JSON.stringify(rolled)}`);
server.stdin.end();
const how = await ended;
clearTimeout(patience);
if (how !== 0) fail(`it ended with ${how}`);
