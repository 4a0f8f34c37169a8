import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Licenses that a page under Apache-2.0 may include.
const fitting = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0"];

// licenses returns names and texts of the licenses of the packages that modules come from.
export function licenses(modules: Iterable<string>): string {
  const found = new Map<string, string>();
  for (const id of modules) {
    const match = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/^\0/, ""));
    if (match) found.set(match[2]!, match[1]!);
  }
  const texts: string[] = [];
  for (const [name, folder] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!fitting.includes(license)) throw new Error(`${name} ${version}: license ${license} does not fit Apache-2.0`);
    const file = readdirSync(folder).find((f) => /^licen[cs]e(\.|$)/i.test(f));
    if (!file) throw new Error(`${name} ${version} has no text of its license`);
    texts.push(`${name} ${version}: ${license}\n\n${readFileSync(join(folder, file), "utf8").trim().replaceAll("\r\n", "\n")}\n`);
  }
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
