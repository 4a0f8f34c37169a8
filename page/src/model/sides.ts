import { pairs } from "./flame";
import type { Recording } from "./recording";
import { nothing } from "./selection";
import { sum, type Sums } from "./sums";

// OperatorSide is an operator, or a whole query, on one side of a comparison, as `planflame diff`
// has it (internal/columns/diffsides.go). Costs are nanoseconds of a run.
export interface OperatorSide {
  cpu: number;
  variance: number; // of sampling
  exchanged: number; // of cpu: exchanges'
  byRun: number[];
  rows: number;
  perRow: number; // ns that rows were counted for
  rowsKnown: boolean;
  valid: boolean;
  there: boolean;
  name: string;
}

export interface QuerySide extends OperatorSide {
  runs: number; // that did not fail
  failed: number; // runs
  planned: Set<string>; // operators of the plans
  bucketed: number; // ns of a run that belong to no operator, of which no interval is known
}

// Sides are all queries of a recording, or the query of one run.
export interface Sides {
  r: Recording;
  sums: Sums;
  by: Map<string, OperatorSide>; // sideKey →
  queries: Map<string, QuerySide>; // query's id →
}

export const noSide = (): OperatorSide => ({ cpu: 0, variance: 0, exchanged: 0, byRun: [], rows: 0, perRow: 0, rowsKnown: false, valid: false, there: false, name: "" });

// No id or part has a line break in it.
export const sideKey = (query: string, operator: string, part: string) => `${query}\n${operator}\n${part}`;

// partOf returns the part that the name of an exchange's end says.
export function partOf(name: string): string {
  return /\((write|read)\)$/.exec(name)?.[1] ?? "";
}

// What one operator has at one place, while labels are gone through.
interface PlaceSums {
  jvm: number;
  python: number;
  exact: number;
  estimates: Map<number, number>; // → the part that is selected
}

// sides sums up the runs that did not fail.
export function sides(r: Recording, execution: number): Sides {
  const sums = sum(withoutFailed(r), pairs(r), { ...nothing, execution }, null);
  const places = placeSums(r, sums);
  const left = leftOut(r, sums);
  const out: Sides = { r, sums, by: new Map(), queries: new Map() };
  r.queries.forEach((q, index) => {
    const there = [...places.keys()].some((at) => r.places[at]!.query === index);
    const runs = [...r.executions.keys()].filter((i) => r.executions[i]!.query === index && (execution < 0 || i === execution));
    const failed = runs.filter((i) => r.executions[i]!.failed).length;
    if (!there && (!failed || failed < runs.length)) return; // no CPU, and not all runs failed
    let of = out.queries.get(q.id);
    if (!of) {
      of = { ...noSide(), valid: true, name: q.name, runs: 0, failed: 0, planned: planned(r, q.id, execution), bucketed: 0 };
      out.queries.set(q.id, of);
    }
    of.there ||= there;
    of.failed += failed;
    if (there) of.runs += runs.filter((i) => !left.has(i)).length - failed;
  });
  const counted = rowsByPlace(r, execution);
  for (const [at, o] of places) addPlace(out, at, o, counted.get(at) ?? null);
  r.labels.forEach((l, i) => {
    const q = l.operator < 0 && !l.beside && r.queries[l.query] && out.queries.get(r.queries[l.query]!.id);
    if (q) q.bucketed += (sums.sampled[i]! + sums.exact[i]!) / Math.max(q.runs, 1);
  });
  spread(out);
  return out;
}

// withoutFailed returns a recording whose failed runs stand beside the session: no sum has their
// CPU.
function withoutFailed(r: Recording): Recording {
  return { ...r, labels: r.labels.map((l) => (r.executions[l.execution]?.failed ? { ...l, beside: true } : l)) };
}

function placeSums(r: Recording, sums: Sums): Map<number, PlaceSums> {
  const all = new Float64Array(r.estimates.length);
  const selected = new Float64Array(r.estimates.length);
  r.labels.forEach((l, i) => {
    if (l.estimate < 0) return;
    all[l.estimate]! += l.cpu;
    selected[l.estimate]! += sums.sampled[i]!;
  });
  const out = new Map<number, PlaceSums>();
  r.labels.forEach((l, i) => {
    const cpu = sums.sampled[i]! + sums.exact[i]!;
    if (l.at < 0 || (!cpu && !sums.count[i] && !sums.above[i])) return;
    let o = out.get(l.at);
    if (!o) out.set(l.at, (o = { jvm: 0, python: 0, exact: 0, estimates: new Map() }));
    if (l.group === "children") o.python += sums.exact[i]!;
    else {
      o.jvm += cpu;
      o.exact += sums.exact[i]!;
    }
    const part = l.estimate >= 0 && all[l.estimate] ? selected[l.estimate]! / all[l.estimate]! : 0;
    if (part > 0) o.estimates.set(l.estimate, part);
  });
  return new Map([...out].sort(([a], [b]) => a - b));
}

// judged returns the variance of an operator at a place, and whether its interval holds.
function judged(r: Recording, o: PlaceSums): { variance: number; valid: boolean } {
  if (o.jvm === o.exact) return { variance: 0, valid: true };
  let variance = 0;
  let cpu = 0;
  let doubtful = 0;
  for (const [e, part] of o.estimates) {
    const { cpu_ns, se_ns, valid } = r.estimates[e]!;
    cpu += part * cpu_ns;
    variance += part * se_ns ** 2;
    if (!valid) doubtful += part * cpu_ns;
  }
  return cpu > 0 ? { variance, valid: doubtful <= 0.05 * cpu } : { variance: 0, valid: false };
}

function addPlace(out: Sides, at: number, o: PlaceSums, rows: number | null) {
  const { r } = out;
  const place = r.places[at]!;
  const query = r.queries[place.query]!.id;
  const of = out.queries.get(query)!;
  const runs = Math.max(of.runs, 1);
  const key = sideKey(query, place.operator, partOf(place.name));
  let to = out.by.get(key);
  if (!to) out.by.set(key, (to = { ...noSide(), valid: true, rowsKnown: true, there: true, name: place.name }));
  const cpu = o.jvm + o.python;
  const { variance, valid } = judged(r, o);
  for (const side of [to, of]) {
    side.cpu += cpu / runs;
    if (place.role === "exchange") side.exchanged += cpu / runs;
    side.variance += variance / runs ** 2;
  }
  to.valid &&= valid;
  if (rows === null) to.rowsKnown = false;
  else {
    to.rows += rows;
    to.perRow += cpu;
  }
}

// rowsByPlace returns the rows that operators took in, if the rows of all tasks are known. Failed
// runs have none.
function rowsByPlace(r: Recording, execution: number): Map<number, number> {
  const tasks = new Map<string, number>();
  const rows = new Map<number, number>();
  const placeOf = (w: { query: number; place: string }) => `${w.query} ${w.place}`;
  for (const w of r.work) {
    if ((execution >= 0 && w.execution !== execution) || r.executions[w.execution]?.failed) continue;
    tasks.set(placeOf(w), (tasks.get(placeOf(w)) ?? 0) + w.tasks - w.counted);
    for (const [at, n] of w.rows) rows.set(at, (rows.get(at) ?? 0) + n);
  }
  for (const at of rows.keys()) if (tasks.get(placeOf(r.places[at]!)) !== 0) rows.delete(at);
  return rows;
}

// leftOut returns the runs that --run-fraction left out. No failed run is one of them.
function leftOut(r: Recording, sums: Sums): Set<number> {
  const left = new Set<number>();
  r.labels.forEach((l, i) => l.bucket === "run not sampled" && l.execution >= 0 && sums.exact[i]! > 0 && left.add(l.execution));
  return left;
}

// planned returns the operators of the last updates of a query's plans, or of a run's own.
function planned(r: Recording, query: string, execution: number): Set<string> {
  const plans = execution < 0 ? r.plans.filter((p) => r.queries[p.query]?.id === query).map((p) => p.nodes) : [r.executions[execution]!.nodes];
  return new Set(plans.flat().filter((n) => n.operator && !n.replaced).map((n) => n.operator));
}

// spread sums up what operators, and queries, cost in each run.
function spread({ r, sums, by, queries }: Sides) {
  const cpu = new Map<string, number>();
  r.labels.forEach((l, i) => {
    const run = r.executions[l.execution];
    if (l.at < 0 || !run?.run || run.query !== l.query) return;
    const place = r.places[l.at]!;
    const query = r.queries[l.query]!.id;
    const ns = sums.sampled[i]! + sums.exact[i]!;
    for (const key of [`${sideKey(query, place.operator, partOf(place.name))} ${l.execution}`, `${query} ${l.execution}`]) cpu.set(key, (cpu.get(key) ?? 0) + ns);
  });
  const order = [...r.executions.keys()].sort((a, b) => r.executions[a]!.start - r.executions[b]!.start || a - b);
  for (const x of order) {
    const query = r.queries[r.executions[x]!.query]?.id;
    const whole = query === undefined ? 0 : cpu.get(`${query} ${x}`);
    if (!whole) continue; // another selection, or it cost nothing
    queries.get(query!)!.byRun.push(whole);
    for (const [key, side] of by) if (key.startsWith(`${query}\n`)) side.byRun.push(cpu.get(`${key} ${x}`) ?? 0);
  }
}

// Runs of a query that both sides must have for the first, in which the JVM compiles, to be left
// out.
const fewestWarm = 3;

// warm returns both sides with the first run of each query left out if each has enough others.
export function warm(a: Sides, b: Sides): [Sides, Sides] {
  const enough = (q?: QuerySide) => !!q && q.runs >= fewestWarm && q.byRun.length === q.runs;
  const queries = new Set([...a.queries.keys()].filter((q) => enough(a.queries.get(q)) && enough(b.queries.get(q))));
  const of = (s: Sides): Sides => ({
    ...s,
    by: new Map([...s.by].map(([key, side]) => [key, queries.has(key.slice(0, key.indexOf("\n"))) ? leaveFirst(side) : side])),
    queries: new Map([...s.queries].map(([key, side]) => [key, queries.has(key) ? leaveFirst(side) : side])),
  });
  return queries.size ? [of(a), of(b)] : [a, b];
}

// leaveFirst returns a side as the mean of the runs after the first.
function leaveFirst<S extends OperatorSide>(side: S): S {
  const n = side.byRun.length;
  const byRun = side.byRun.slice(1);
  const cpu = byRun.reduce((a, b) => a + b / (n - 1), 0);
  const part = side.cpu > 0 ? cpu / side.cpu : 1;
  return { ...side, byRun, cpu, exchanged: side.exchanged * part, perRow: side.perRow * part, variance: (side.variance * n) / (n - 1) };
}
