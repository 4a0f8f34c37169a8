import { failedRuns } from "./numbers";
import type { Execution, Recording } from "./recording";
import { noSide, partOf, sideKey, warm, type OperatorSide, type QuerySide, type Sides } from "./sides";
import { commonOf, noCommon, type Common, type Pair } from "./common";

export type Verdict = "no change to be told" | "changed" | "new" | "gone" | "all runs failed";

export interface Judgment {
  difference: number; // ns of a run, B less A
  whole: number; // of it: what all operators have in common
  half: number; // half of the 95 % interval of the rest, which the verdict is of
  ratio: number | null; // of B to A
  verdict: Verdict;
}

// The normal distribution's quantile of a 95 % interval.
const z = 1.959964;

// variance returns what sampling and the spread of recordings leave open of a side.
function variance(s: OperatorSide, spread: Recording["meta"]["spread"]): number {
  return s.variance + (spread.exchange * s.exchanged) ** 2 + (spread.operator * (s.cpu - s.exchanged)) ** 2;
}

// judge compares two sides as `planflame diff` does (internal/columns/diff.go).
export function judge(x: OperatorSide, y: OperatorSide, spread: Recording["meta"]["spread"], common: Common = noCommon): Judgment {
  const difference = y.cpu - x.cpu;
  const factor = x.there && y.there ? Math.exp(common.log) : 1;
  const whole = x.cpu * (factor - 1);
  const half = z * Math.sqrt(factor ** 2 * variance(x, spread) + variance(y, spread) + within(x, y, factor) + (factor * x.cpu * common.se) ** 2);
  const found = (verdict: Verdict) => ({ difference, whole, half, ratio: x.there && y.there && x.cpu > 0 ? y.cpu / x.cpu : null, verdict });
  if (!x.there) return found("new");
  if (!y.there) return found("gone");
  return found(Math.abs(difference - whole) <= half ? "no change to be told" : "changed");
}

// within is the variance that the runs of two sides show beyond sampling.
function within(x: OperatorSide, y: OperatorSide, factor: number): number {
  if (x.byRun.length !== y.byRun.length) return factor ** 2 * beyond(x.byRun, x.variance) + beyond(y.byRun, y.variance);
  const ratio = x.cpu > 0 ? y.cpu / x.cpu : factor;
  return beyond(y.byRun.map((cpu, i) => cpu - ratio * x.byRun[i]!), ratio ** 2 * x.variance + y.variance);
}

// Student's quantiles of a 95 % interval by degrees of freedom, from 1.
const student = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];

// beyond is the variance of the mean of runs beyond the variance of sampling.
function beyond(runs: number[], sampling: number): number {
  const n = runs.length;
  if (n < 2) return 0;
  const mean = runs.reduce((a, b) => a + b, 0) / n;
  return Math.max(0, runs.reduce((sum, cpu) => sum + (cpu - mean) ** 2, 0) / (n - 1) / n - sampling) * ((student[n - 2] ?? z) / z) ** 2;
}

// sideOf returns an operator's side. One that the plan has and no sample shows costs less than a
// sample.
function sideOf(s: Sides, query: string, operator: string, part: string): OperatorSide {
  const found = s.by.get(sideKey(query, operator, part));
  if (found) return found;
  const q = s.queries.get(query);
  if (!q?.there || !q.planned.has(operator)) return noSide();
  return { ...noSide(), there: true, valid: true, variance: (1e9 / Math.max(s.r.meta.hz, 1) / Math.max(q.runs, 1)) ** 2 };
}

export interface OperatorDiff extends Judgment {
  operator: string; // id
  part: string;
  name: string;
  a: OperatorSide;
  b: OperatorSide;
  // Depth in each plan, -1 where it has no such operator.
  depthA: number;
  depthB: number;
}

export interface QueryDiff extends Judgment {
  query: string;
  name: string;
  a: QuerySide;
  b: QuerySide;
  planChanged: boolean;
  operators: OperatorDiff[]; // in the order of the plans
}

const noQuery = (): QuerySide => ({ ...noSide(), runs: 0, failed: 0, planned: new Set(), bucketed: 0 });

// common is what all operators of two recordings have in common.
function common(left: Sides, right: Sides): Common {
  const pairs: Pair[] = [];
  for (const query of new Set([...left.queries.keys(), ...right.queries.keys()])) {
    for (const { operator, part } of inOrder([...keysOf(left, query), ...keysOf(right, query)], [], [])) {
      const side = (s: Sides) => {
        const of = sideOf(s, query, operator, part);
        const runs = Math.max(s.queries.get(query)?.runs ?? 1, 1);
        return { there: of.there, cpu: of.cpu, variance: variance(of, left.r.meta.spread), sample: 1e9 / Math.max(s.r.meta.hz, 1) / runs, rows: of.rows / runs, rowsKnown: of.rowsKnown };
      };
      pairs.push({ old: side(left), new: side(right) });
    }
  }
  return commonOf(pairs);
}

// Both sides of a comparison, each query without the run that compiles its code.
export interface Compared {
  left: Sides;
  right: Sides;
  common: Common;
}

export function compared(a: Sides, b: Sides): Compared {
  const [left, right] = warm(a, b);
  return { left, right, common: common(left, right) };
}

// What is said of a query whose runs all failed on one side.
const lost: Judgment = { difference: 0, whole: 0, half: 0, ratio: null, verdict: "all runs failed" };

// compareQuery compares a query's runs. The plans, null if there is none, say the order.
export function compareQuery({ left, right, common }: Compared, query: string, planA: Execution | null, planB: Execution | null): QueryDiff {
  const a = left.queries.get(query) ?? noQuery();
  const b = right.queries.get(query) ?? noQuery();
  const spread = left.r.meta.spread;
  const same = a.planned.size === b.planned.size && [...a.planned].every((o) => b.planned.has(o));
  const depthA = depths(planA);
  const depthB = depths(planB);
  const operators: OperatorDiff[] = [];
  const name = a.name || b.name;
  if ([a, b].some((q) => q.failed && !q.runs)) return { query, name, a, b, planChanged: false, operators, ...lost };
  for (const { operator, part } of inOrder([...keysOf(left, query), ...keysOf(right, query)], [...depthA.keys()], [...depthB.keys()])) {
    const x = sideOf(left, query, operator, part);
    const y = sideOf(right, query, operator, part);
    operators.push({ operator, part, name: x.name || y.name, a: x, b: y, depthA: depthA.get(operator) ?? -1, depthB: depthB.get(operator) ?? -1, ...judge(x, y, spread, common) });
  }
  return { query, name, a, b, planChanged: a.there && b.there && !same, operators, ...judge(a, b, spread, common) };
}

// compareAll compares all queries of two recordings, the one that changed most first.
export function compareAll(c: Compared): QueryDiff[] {
  const queries = new Set([...c.left.queries.keys(), ...c.right.queries.keys()]);
  return [...queries].map((q) => compareQuery(c, q, null, null)).sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
}

interface Key {
  operator: string;
  part: string;
}

function keysOf(s: Sides, query: string): Key[] {
  return [...s.by.keys()].filter((k) => k.startsWith(`${query}\n`)).map((k) => {
    const [, operator, part] = k.split("\n");
    return { operator: operator!, part: part! };
  });
}

// depths returns the depth of each operator of a plan, in the plan's order.
function depths(e: Execution | null): Map<string, number> {
  const out = new Map<string, number>();
  const depth: number[] = [];
  e?.nodes.forEach((n, i) => {
    const above = e.nodes[n.parent];
    depth[i] = above ? depth[n.parent]! + (above.operator ? 1 : 0) : 0;
    if (n.operator && !out.has(n.operator)) out.set(n.operator, depth[i]!);
  });
  return out;
}

// inOrder sorts the parts of operators as the first plan has them. What only the second has comes
// behind what stands before it there. Reading an exchange comes before writing it, as in the plan.
function inOrder(keys: Key[], planA: string[], planB: string[]): Key[] {
  const order = [...planA];
  planB.forEach((operator, i) => {
    if (!order.includes(operator)) order.splice(i ? order.indexOf(planB[i - 1]!) + 1 : 0, 0, operator);
  });
  const rank = new Map(order.map((operator, i) => [operator, i]));
  const unique = new Map(keys.map((k) => [`${k.operator} ${k.part}`, k]));
  const of = (k: Key) => rank.get(k.operator) ?? order.length;
  return [...unique.values()].sort((x, y) => of(x) - of(y) || (x.operator < y.operator ? -1 : x.operator > y.operator ? 1 : x.part < y.part ? -1 : 1));
}

// failures says how many runs failed on which side, "" if none did.
export function failures({ a, b }: QueryDiff): string {
  const of = (side: string, q: QuerySide) => q.failed && `${side}: ${failedRuns(q.failed, q.runs + q.failed)}`;
  return [of("A", a), of("B", b)].filter(Boolean).join(" · ");
}

export function perRowOf(s: OperatorSide): number | null {
  return s.rowsKnown && s.rows ? s.perRow / s.rows : null;
}

// labelsOf reports for each label of a recording whether it counts for a part of an operator.
export function labelsOf(r: Recording, query: string, operator: string, part: string): Uint8Array {
  return Uint8Array.from(r.labels, (l) => {
    const place = r.places[l.at];
    return place && r.queries[place.query]!.id === query && place.operator === operator && partOf(place.name) === part ? 1 : 0;
  });
}
