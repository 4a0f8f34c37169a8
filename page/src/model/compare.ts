import type { Page } from "../page.svelte";
import { figure, plusMinus, rows, type Figure } from "./figures";
import { pairs } from "./flame";
import type { Recording } from "./recording";
import { nothing, type Selection } from "./selection";
import { sum } from "./sums";

// Side is one of the two runs that are compared.
export interface Side {
  r: Recording;
  execution: number;
}

export interface SideTotal {
  name: string;
  ns: number;
}

export interface Change {
  id: string;
  name: string;
  operator: number; // of the first side's recording, -1 if only the second has it
  a: Figure | null;
  b: Figure | null;
  perRowA: number | null;
  perRowB: number | null;
  difference: number;
  // Half of the difference's 95 % interval, null if it is not known.
  plusMinus: number | null;
  verdict: "more" | "less" | "no change to be told" | "new" | "gone";
}

function operatorsOf(r: Recording, s: Selection) {
  const sums = sum(r, pairs(r), s, null);
  const labels = new Map<number, number[]>();
  let total = 0;
  r.labels.forEach((l, i) => {
    if (l.beside || l.execution !== s.execution) return;
    total += sums.sampled[i]! + sums.exact[i]!;
    if (l.operator >= 0) labels.set(l.operator, [...(labels.get(l.operator) ?? []), i]);
  });
  const out = new Map<string, { operator: number; name: string; f: Figure; perRow: number | null }>();
  for (const [operator, of] of labels) {
    const f = figure(r, sums, of);
    const ats = [...r.at.keys()].filter((at) => r.at[at] === operator);
    const n = rows(r, s, ats);
    out.set(r.operators[operator]!.id, { operator, name: r.operators[operator]!.name, f, perRow: n ? f.ns / n : null });
  }
  return { out, total };
}

// compareRuns matches the operators of two runs by their stable ids.
export function compareRuns(first: Side, second: Side): { a: SideTotal; b: SideTotal; changes: Change[] } {
  const name = ({ r, execution }: Side) => `${r.executions[execution]!.name} run ${r.executions[execution]!.run}${first.r === second.r ? "" : ` of ${r.meta.title}`}`;
  const a = operatorsOf(first.r, { ...nothing, execution: first.execution });
  const b = operatorsOf(second.r, { ...nothing, execution: second.execution });
  const changes: Change[] = [];
  for (const id of new Set([...a.out.keys(), ...b.out.keys()])) {
    const x = a.out.get(id);
    const y = b.out.get(id);
    const difference = (y?.f.ns ?? 0) - (x?.f.ns ?? 0);
    const pa = x ? plusMinus(x.f) : 0;
    const pb = y ? plusMinus(y.f) : 0;
    const spread = 1.96 * (id.startsWith("exchange@") ? first.r.meta.spread.exchange : first.r.meta.spread.operator);
    const half = pa === null || pb === null ? null : Math.hypot(pa, pb, spread * (x?.f.ns ?? 0), spread * (y?.f.ns ?? 0));
    const clear = half !== null && Math.abs(difference) > half;
    changes.push({
      id, name: (x ?? y)!.name, operator: x?.operator ?? -1, a: x?.f ?? null, b: y?.f ?? null, perRowA: x?.perRow ?? null, perRowB: y?.perRow ?? null,
      difference, plusMinus: half, verdict: !x ? "new" : !y ? "gone" : !clear ? "no change to be told" : difference > 0 ? "more" : "less",
    });
  }
  changes.sort((p, q) => Math.max(q.a?.ns ?? 0, q.b?.ns ?? 0) - Math.max(p.a?.ns ?? 0, p.b?.ns ?? 0));
  return { a: { name: name(first), ns: a.total }, b: { name: name(second), ns: b.total }, changes };
}

// candidates returns the runs to compare with: of the same query if there are any.
export function candidates(page: Page, other: Recording): number[] {
  const query = page.r.queries[page.execution!.query]?.id;
  const indexes = other.executions.map((_, i) => i).filter((i) => other !== page.r || i !== page.s.execution);
  const same = indexes.filter((i) => query !== undefined && other.queries[other.executions[i]!.query]?.id === query);
  return [...same, ...indexes.filter((i) => !same.includes(i))];
}
