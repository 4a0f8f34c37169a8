import type { Page } from "../page.svelte";
import { plusMinus } from "./figures";
import { seconds } from "./numbers";
import { cells, nodeLabels, rest } from "./planrows";

// asText writes what is selected, ready to paste.
export function asText(page: Page): string {
  const { r, s } = page;
  const lines = [`planflame ${r.meta.title}: ${seconds(page.sums.picked)} of CPU, ${page.sums.samples} samples selected`];
  if (!page.execution) {
    r.executions.forEach((e, i) => lines.push(`${seconds(page.executionNanos[i]!).padStart(9)}  ${e.name} run ${e.run}`));
    return lines.join("\n");
  }
  lines.push(`${page.execution.name} run ${page.execution.run}`);
  const depth: number[] = [];
  page.execution.nodes.forEach((n, i) => {
    depth[i] = n.parent < 0 ? 0 : depth[n.parent]! + (page.execution!.nodes[n.parent]!.operatorName ? 1 : 0);
    if (!n.operatorName) return;
    const c = cells(page, nodeLabels(page, i), n.operators);
    const half = plusMinus(c.figure);
    lines.push(`${c.cpu.padStart(9)} ${(half && c.cpu ? `± ${seconds(half)}` : "").padEnd(10)} ${c.share.padStart(6)}  ${"  ".repeat(depth[i]!)}${n.operatorName}`);
  });
  for (const row of rest(page)) lines.push(`${cells(page, row.labels, []).cpu.padStart(9)} ${"".padEnd(10)} ${"".padStart(6)}  ${row.name}`);
  lines.push(location.hash && `selected: ${decodeURIComponent(location.hash.slice(1))}`);
  return lines.filter(Boolean).join("\n") + (s.search ? "\n" : "");
}
