#!/usr/bin/env node
// release/sbom.mjs --target TRIPLE: what the program for that platform is made of, as CycloneDX 1.6 on standard output. Crates, their licences, hashes and what
// each needs come from `cargo metadata` and Cargo.lock; what only tests use is left out.
import {execFileSync} from "node:child_process";
import {createHash} from "node:crypto";
import {readFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {parseArgs} from "node:util";

const {values} = parseArgs({options: {target: {type: "string"}}});
const top = join(dirname(fileURLToPath(import.meta.url)), "..");
const lock = readFileSync(join(top, "Cargo.lock"), "utf8");
const metadata = JSON.parse(execFileSync("cargo", ["metadata", "--locked", "--format-version=1", "--filter-platform", values.target], {cwd: top, maxBuffer: 1 << 28}));

const packages = new Map(metadata.packages.map((own) => [own.id, own]));
const nodes = new Map(metadata.resolve.nodes.map((own) => [own.id, own]));
// `dev` alone is what tests use.
const needed = (id) => nodes.get(id).deps.filter((own) => own.dep_kinds.some(({kind}) => kind !== "dev")).map((own) => own.pkg);
const root = metadata.resolve.root;
const reached = new Set([root]);
for (const id of reached) needed(id).forEach((other) => reached.add(other));

const hashes = new Map();
for (const [, name, version, checksum] of lock.matchAll(/name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"/g)) hashes.set(`${name}@${version}`, checksum);
const purl = ({name, version}) => `pkg:cargo/${name}@${encodeURIComponent(version)}`;
const component = (own) => {
    const checksum = hashes.get(`${own.name}@${own.version}`);
    return {
        type: own.id === root ? "application" : "library",
        "bom-ref": purl(own),
        name: own.name,
        version: own.version,
        ...(own.description ? {description: own.description.trim()} : {}),
        ...(checksum ? {hashes: [{alg: "SHA-256", content: checksum}]} : {}),
        // Older crates write a slash for OR.
        ...(own.license ? {licenses: [{expression: own.license.replace(/\s*\/\s*/g, " OR ")}]} : {}),
        purl: purl(own),
        ...(own.repository ? {externalReferences: [{type: "vcs", url: own.repository}]} : {}),
    };
};
const sorted = [...reached].map((id) => packages.get(id)).sort((a, b) => (purl(a) < purl(b) ? -1 : 1));
// The same crates make the same document.
const digest = createHash("sha256").update(lock).update(values.target).digest("hex");
const serial = [digest.slice(0, 8), digest.slice(8, 12), "4" + digest.slice(13, 16), "8" + digest.slice(17, 20), digest.slice(20, 32)].join("-");
const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
        timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000).toISOString(),
        component: component(packages.get(root)),
        properties: [{name: "cargo:target", value: values.target}],
    },
    components: sorted.filter((own) => own.id !== root).map(component),
    dependencies: sorted.map((own) => ({ref: purl(own), dependsOn: [...new Set(needed(own.id).map((id) => purl(packages.get(id))))].sort()})),
};
console.log(JSON.stringify(bom, null, 1));
