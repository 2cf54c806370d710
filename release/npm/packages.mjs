#!/usr/bin/env node
// release/npm/packages.mjs --version V --platform P --binary FILE --owner OWNER --out DIR: the folders of two npm packages. DIR/platform holds
// the program for one platform; DIR/rollbook is what people install: a small starter that depends on the package of every platform as an
// option, of which npm fetches the one that fits.
import {chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";

const option = {type: "string"};
const {values} = parseArgs({options: {version: option, platform: option, binary: option, owner: option, out: option}});
const {version, platform, binary, owner, out} = values;
const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, "../..");
const {platforms} = JSON.parse(readFileSync(join(here, "platforms.json"), "utf8"));
if (!platforms.includes(platform)) throw new Error(`${platform} stands not in release/npm/platforms.json`);

const common = {
    version,
    license: "MIT",
    author: "The Rollbook authors",
    repository: {type: "git", url: `git+https://github.com/${owner}/rollbook.git`},
};
const write = (folder, description) => {
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, "package.json"), JSON.stringify(description, null, 2) + "\n");
    copyFileSync(join(top, "LICENSE"), join(folder, "LICENSE"));
};

// Whether a 64-bit ELF program names a loader (a program header PT_INTERP).
const isDynamic = (elf) => {
    const [first, size, count] = [Number(elf.readBigUInt64LE(32)), elf.readUInt16LE(54), elf.readUInt16LE(56)];
    return Array.from({length: count}, (_, at) => elf.readUInt32LE(first + at * size)).includes(3);
};

const [os, cpu] = platform.split("-");
const program = os === "win32" ? "rollbook.exe" : "rollbook";
const own = join(out, "platform");
write(own, {
    name: `rollbook-${platform}`,
    description: `The program of rollbook for ${platform}.`,
    ...common,
    os: [os],
    cpu: [cpu],
    // A program that is loaded by the GNU C library does not run where there is another; a static one runs everywhere.
    ...(os === "linux" && isDynamic(readFileSync(binary)) ? {libc: ["glibc"]} : {}),
    files: [program],
    preferUnplugged: true,
});
copyFileSync(binary, join(own, program));
chmodSync(join(own, program), 0o755);

const main = join(out, "rollbook");
write(main, {
    name: "rollbook",
    description: "The book of record for tabletop role-playing games: an MCP server and command line.",
    ...common,
    keywords: ["mcp", "ttrpg", "dice", "game-master", "role-playing"],
    // Under this name the protocol's registry lists it.
    mcpName: `io.github.${owner}/rollbook`,
    bin: {rollbook: "rollbook.js"},
    files: ["rollbook.js"],
    engines: {node: ">=18"},
    optionalDependencies: Object.fromEntries(platforms.map((name) => [`rollbook-${name}`, version])),
});
cpSync(join(here, "rollbook.js"), join(main, "rollbook.js"));
chmodSync(join(main, "rollbook.js"), 0o755);
copyFileSync(join(top, "README.md"), join(main, "README.md"));
