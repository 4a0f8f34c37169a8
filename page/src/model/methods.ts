import type { Page } from "../page.svelte";

export interface Method {
  name: number; // → strings
  self: number;
  total: number;
}

// methods adds the selected CPU up by method: of its own, and with what it calls. A method that
// calls itself counts once in its total.
export function methods(page: Page): Method[] {
  const { stacks, frames, strings } = page.r;
  const n = stacks.parent.length;
  const below = new Float64Array(n);
  const self = new Float64Array(strings.length);
  const total = new Float64Array(strings.length);
  page.sums.pair.forEach((ns, i) => {
    const leaf = stacks.leaf[page.pairs.stack[i]!]!;
    if (!ns || leaf < 0) return;
    below[leaf]! += ns;
    self[frames.name[stacks.frame[leaf]!]!]! += ns;
  });
  for (let i = n - 1; i >= 0; i--) {
    const above = stacks.parent[i]!;
    if (below[i] && above >= 0) below[above]! += below[i]!;
  }
  const first = page.firstOfName;
  for (let i = 0; i < n; i++) if (below[i] && first[i]) total[frames.name[stacks.frame[i]!]!]! += below[i]!;
  const out: Method[] = [];
  for (let name = 0; name < strings.length; name++) if (total[name]) out.push({ name, self: self[name]!, total: total[name]! });
  return out;
}
