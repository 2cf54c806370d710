#!/usr/bin/env node
// Starts the program of this platform, which npm put beside this package.
"use strict";
const {spawn} = require("node:child_process");
const {constants} = require("node:os");

const platform = `${process.platform}-${process.arch}`;
let program;
try {
    program = require.resolve(`rollbook-${platform}/rollbook${process.platform === "win32" ? ".exe" : ""}`);
} catch {
    const {optionalDependencies} = require("./package.json");
    const advice = Object.hasOwn(optionalDependencies, `rollbook-${platform}`)
        ? `the package rollbook-${platform} is missing. Install again, with optional dependencies: npm install -g --include=optional rollbook`
        : `there is no package for ${platform}. Build it from its source: cargo install --path .`;
    console.error(`rollbook: ${advice}`);
    process.exit(2);
}

const child = spawn(program, process.argv.slice(2), {stdio: "inherit"});
// The keyboard's signals reach the program by themselves; it decides what they mean. Those sent to this process alone are passed on.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
    console.error(`rollbook: ${program} does not start: ${error.message}`);
    process.exit(2);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
