// Writes dist/sums.txt: the SHA-256 of the sources that the bundle is made of, and of the bundle.
// The Go test of this folder checks both, so no one needs npm to see that they belong together.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

const roots = ["build", "index.html", "package-lock.json", "package.json", "src", "svelte.config.js", "tsconfig.json", "vite.config.ts"];

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => files(`${path}/${name}`));
}

const sha = (data) => createHash("sha256").update(data).digest("hex");
const sources = roots.flatMap(files).filter((f) => !f.endsWith(".test.ts")).sort();
const lines = sources.map((f) => `${sha(readFileSync(f))}  ${f}`);
for (const f of ["dist/index.html", "dist/licenses.txt"]) lines.push(`${sha(readFileSync(f))}  ${f}`);
writeFileSync("dist/sums.txt", lines.join("\n") + "\n");
