// described.mjs DIR VERSION PLATFORM: what the packages in DIR say of themselves holds: the SBOM names every crate of the program with its licence and hash, and the registry's entry
// and the npm package name each other.
import assert from "node:assert";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";

const [folder, version, platform] = process.argv.slice(2);
const json = (text) => JSON.parse(text);
const packed = (file) => json(execFileSync("tar", ["-xzOf", `${folder}/${file}`, "package/package.json"]));

const bom = json(readFileSync(`${folder}/rollbook-${version}-${platform}.cdx.json`));
assert.equal(`${bom.bomFormat} ${bom.specVersion}`, "CycloneDX 1.6");
assert.equal(bom.metadata.component.name, "rollbook");
const refs = new Set([bom.metadata.component, ...bom.components].map((own) => own["bom-ref"]));
assert.equal(refs.size, bom.components.length + 1, "each once");
for (const own of bom.components) {
    // The program's own crates come from no registry.
    if (!own.name.startsWith("rollbook-")) assert.match(own.hashes?.[0].content ?? "", /^[0-9a-f]{64}$/, own.name);
    assert.match(own.licenses?.[0].expression ?? "", /^[A-Za-z0-9(][^/]*$/, own.name);
}
for (const {ref, dependsOn} of bom.dependencies) for (const other of [ref, ...dependsOn]) assert(refs.has(other), other);
const tree = execFileSync("cargo", ["tree", "--locked", "--package", "rollbook", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"], {encoding: "utf8"});
const crates = new Set(tree.trim().split("\n").map((line) => line.split(" ").slice(0, 2).join("@").replace("@v", "@")));
const named = new Set([bom.metadata.component, ...bom.components].map((own) => `${own.name}@${own.version}`));
assert.deepEqual([...crates].filter((own) => !named.has(own)), [], "crates that the SBOM lacks");

const main = packed(`rollbook-${version}.tgz`);
const own = packed(`rollbook-${platform}-${version}.tgz`);
const server = json(readFileSync(`${folder}/server.json`));
assert.equal(main.mcpName, server.name);
assert(server.description.length <= 100, "the registry takes a hundred characters");
assert.deepEqual([main.version, own.version, server.version, server.packages[0].version], [version, version, version, version]);
assert.equal(server.packages[0].identifier, main.name);
assert.equal(main.optionalDependencies[own.name], version);
