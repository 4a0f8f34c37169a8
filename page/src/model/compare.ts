import type { Execution, Recording } from "./recording";
import { noSide, partOf, sideKey, type OperatorSide, type QuerySide, type Sides } from "./sides";

export type Verdict = "no change to be told" | "changed" | "new" | "gone";

export interface Judgment {
  difference: number; // ns of a run, B less A
  half: number; // half of its 95 % interval
  ratio: number | null; // of B to A
  verdict: Verdict;
}

// The normal distribution's quantile of a 95 % interval.
const z = 1.959964;

// judge compares two sides as `planflame diff` does (internal/columns/diff.go).
export function judge(x: OperatorSide, y: OperatorSide, spread: Recording["meta"]["spread"]): Judgment {
  const uncertain = (s: OperatorSide) => s.variance + (spread.exchange * s.exchanged) ** 2 + (spread.operator * (s.cpu - s.exchanged)) ** 2;
  const difference = y.cpu - x.cpu;
  const half = z * Math.sqrt(uncertain(x) + uncertain(y) + within(x, y));
  const found = (verdict: Verdict) => ({ difference, half, ratio: x.there && y.there && x.cpu > 0 ? y.cpu / x.cpu : null, verdict });
  if (!x.there) return found("new");
  if (!y.there) return found("gone");
  return found(Math.abs(difference) <= half ? "no change to be told" : "changed");
}

// within is the variance that the runs of two sides show beyond sampling.
function within(x: OperatorSide, y: OperatorSide): number {
  if (x.byRun.length !== y.byRun.length) return beyond(x.byRun, x.variance) + beyond(y.byRun, y.variance);
  return beyond(y.byRun.map((cpu, i) => cpu - x.byRun[i]!), x.variance + y.variance);
}

// beyond is the variance of the mean of runs beyond the variance of sampling.
function beyond(runs: number[], sampling: number): number {
  const n = runs.length;
  if (n < 2) return 0;
  const mean = runs.reduce((a, b) => a + b, 0) / n;
  return Math.max(0, runs.reduce((sum, cpu) => sum + (cpu - mean) ** 2, 0) / (n - 1) / n - sampling);
}

// sideOf returns an operator's side. One that the plan has and no sample shows costs less than a sample.
function sideOf(s: Sides, query: string, operator: string, part: string): OperatorSide {
  const found = s.by.get(sideKey(query, operator, part));
  if (found) return found;
  const q = s.queries.get(query);
  if (!q?.planned.has(operator)) return noSide();
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

const noQuery = (): QuerySide => ({ ...noSide(), runs: 0, planned: new Set(), bucketed: 0 });

// compareQuery compares a query's runs. The plans, null if there is none, say the order.
export function compareQuery(left: Sides, right: Sides, query: string, planA: Execution | null, planB: Execution | null): QueryDiff {
  const a = left.queries.get(query) ?? noQuery();
  const b = right.queries.get(query) ?? noQuery();
  const spread = left.r.meta.spread;
  const same = a.planned.size === b.planned.size && [...a.planned].every((o) => b.planned.has(o));
  const depthA = depths(planA);
  const depthB = depths(planB);
  const operators: OperatorDiff[] = [];
  for (const { operator, part } of inOrder([...keysOf(left, query), ...keysOf(right, query)], [...depthA.keys()], [...depthB.keys()])) {
    const x = sideOf(left, query, operator, part);
    const y = sideOf(right, query, operator, part);
    operators.push({ operator, part, name: x.name || y.name, a: x, b: y, depthA: depthA.get(operator) ?? -1, depthB: depthB.get(operator) ?? -1, ...judge(x, y, spread) });
  }
  return { query, name: a.name || b.name, a, b, planChanged: a.there && b.there && !same, operators, ...judge(a, b, spread) };
}

// compareAll compares all queries of two recordings, the one that changed most first.
export function compareAll(left: Sides, right: Sides): QueryDiff[] {
  const queries = new Set([...left.queries.keys(), ...right.queries.keys()]);
  return [...queries].map((q) => compareQuery(left, right, q, null, null)).sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
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
