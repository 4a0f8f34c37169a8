import type { Pairs } from "./flame";
import type { Recording } from "./recording";

// Costs of the lines of one source, and who owns them.
export interface SourceCost {
  source: number;
  ns: number;
  self: Map<number, number>; // line (from 1) → ns of the line itself
  calls: Map<number, number>; // line → ns of what it calls
}

// sourceLines adds CPU by pair up by source and line, the most expensive source first.
export function sourceLines(r: Recording, p: Pairs, cost: Float64Array): SourceCost[] {
  const { stacks } = r;
  const out = new Map<number, SourceCost>();
  cost.forEach((ns, i) => {
    if (!ns) return;
    const stack = p.stack[i]!;
    const source = stacks.source[stack]!;
    if (source < 0) return;
    let of = out.get(source);
    if (!of) out.set(source, (of = { source, ns: 0, self: new Map(), calls: new Map() }));
    const to = stacks.isTop[stack] ? of.self : of.calls;
    to.set(stacks.line[stack]!, (to.get(stacks.line[stack]!) ?? 0) + ns);
    of.ns += ns;
  });
  return [...out.values()].sort((a, b) => b.ns - a.ns);
}

// owners returns the operator of each ordinal of a source, in the run that is selected if it ran
// it.
export function owners(r: Recording, source: number, execution: number): number[] {
  const bound = r.bindings.filter((b) => b.source === source);
  const out: number[] = [];
  for (const b of [...bound.filter((x) => x.execution === execution), ...bound]) {
    b.operators.forEach((at, ordinal) => {
      if (at >= 0 && (out[ordinal] ?? -1) < 0) out[ordinal] = r.at[at]!;
    });
  }
  return out;
}
