import { firstAt, type Recording } from "./recording";
import type { Selection } from "./selection";
import type { Sums } from "./sums";

// Figure is what a row of the plan, an operator or a bucket costs in a selection.
export interface Figure {
  ns: number;
  python: number; // share of ns that Python workers used, in ns
  samples: number;
  // The 95 % interval, null if nothing estimates its samples.
  low: number | null;
  high: number | null;
  valid: boolean;
  weak: number; // ns of samples whose operator is in doubt
}

// weakFrom is the share of weak samples from which a figure is marked, as in the report.
export const weakFrom = 0.1;

// figure adds labels up.
export function figure(r: Recording, s: Sums, labels: readonly number[]): Figure {
  const f: Figure = { ns: 0, python: 0, samples: 0, low: null, high: null, valid: true, weak: 0 };
  let below = 0;
  let above = 0;
  const { all, selected, seen } = estimated(r);
  const of: number[] = [];
  for (const l of labels) {
    const { estimate, python } = r.labels[l]!;
    f.ns += s.sampled[l]! + s.exact[l]!;
    if (python) f.python += s.sampled[l]! + s.exact[l]!;
    f.samples += s.count[l]!;
    f.weak += s.weak[l]!;
    below += s.below[l]!;
    above += s.above[l]!;
    if (estimate < 0) continue;
    selected[estimate]! += s.sampled[l]!;
    if (seen[estimate]) continue;
    seen[estimate] = 1;
    of.push(estimate);
  }
  let down = 0;
  let up = 0;
  let whole = 0;
  let invalid = 0;
  for (const e of of) {
    const { cpu_ns: cpu, low_ns: low, high_ns: high, valid } = r.estimates[e]!;
    const part = all[e] ? selected[e]! / all[e]! : 0;
    selected[e] = seen[e] = 0;
    down += part * (cpu - low) ** 2;
    up += part * (high - cpu) ** 2;
    whole += part * cpu;
    if (!valid) invalid += part * cpu;
  }
  if (f.samples && !whole) return { ...f, valid: false };
  const jvm = f.ns - f.python;
  f.low = f.python - below + Math.max(0, jvm - Math.sqrt(down));
  f.high = f.ns + above + Math.sqrt(up);
  f.valid = invalid <= 0.05 * whole;
  return f;
}

// Estimated is what figure needs of the estimates: the CPU of all samples of each, and room for
// what is selected of it, which figure leaves empty.
interface Estimated {
  all: Float64Array;
  selected: Float64Array;
  seen: Uint8Array;
}

const estimatedBy = new WeakMap<Recording, Estimated>();

function estimated(r: Recording): Estimated {
  let out = estimatedBy.get(r);
  if (!out) {
    const n = r.estimates.length;
    out = { all: new Float64Array(n), selected: new Float64Array(n), seen: new Uint8Array(n) };
    for (const l of r.labels) if (l.estimate >= 0) out.all[l.estimate]! += l.cpu;
    estimatedBy.set(r, out);
  }
  return out;
}

// nanos returns the CPU of labels.
export function nanos(s: Sums, labels: readonly number[]): number {
  let ns = 0;
  for (const l of labels) ns += s.sampled[l]! + s.exact[l]!;
  return ns;
}

// plusMinus returns the wider half of a figure's interval.
export function plusMinus(f: Figure): number | null {
  return f.low === null || f.high === null ? null : Math.max(f.ns - f.low, f.high - f.ns);
}

// doubt returns a figure's mark as the table has it, and what it means.
export function doubt(f: Figure): { mark: string; why: string } | null {
  if (!f.ns) return null;
  const weak = f.weak >= weakFrom * f.ns ? `${Math.round((100 * f.weak) / f.ns)} % of it are samples whose operator is in doubt` : "";
  const few = f.valid ? "" : f.low === null ? "no task that it ran in has ended" : "too few tasks were seen for the interval to hold";
  if (!weak && !few) return null;
  return { mark: (weak && "~") + (few && "?"), why: [weak, few].filter(Boolean).join("; ") };
}

// Groups are the labels of what a view shows.
export interface Groups {
  node: (execution: number) => Map<number, number[]>; // by node of a run's plan
  operator: number[][];
  bucket: Map<string, number[]>; // by name, labels of the session without an operator
  beside: Map<string, number[]>;
  stage: number[][];
  execution: number[][];
}

export function groups(r: Recording): Groups {
  const nodes = new Map<number, Map<number, number[]>>();
  const out: Groups = {
    node(execution) {
      let found = nodes.get(execution);
      if (!found) nodes.set(execution, (found = labelsOfNodes(r, execution, out.execution[execution] ?? [])));
      return found;
    },
    operator: r.operators.map(() => []), bucket: new Map(), beside: new Map(), stage: r.stages.map(() => []), execution: r.executions.map(() => []),
  };
  r.labels.forEach((l, i) => {
    if (l.beside) return add(out.beside, l.bucket, i);
    if (l.execution >= 0) out.execution[l.execution]!.push(i);
    if (l.stage >= 0) out.stage[l.stage]!.push(i);
    if (l.operator < 0) return add(out.bucket, l.bucket, i);
    out.operator[l.operator]!.push(i);
  });
  return out;
}

function add<K>(m: Map<K, number[]>, key: K, l: number) {
  const list = m.get(key);
  if (list) list.push(l);
  else m.set(key, [l]);
}

// labelsOfNodes gives each label of a run to the first node of the plan that has its operator.
function labelsOfNodes(r: Recording, execution: number, labels: number[]): Map<number, number[]> {
  const first = new Map<number, number>();
  r.executions[execution]?.nodes.forEach((n, i) => n.operators.forEach((at) => first.has(at) || first.set(at, i)));
  const out = new Map<number, number[]>();
  for (const l of labels) {
    const node = first.get(r.labels[l]!.at);
    if (r.labels[l]!.operator >= 0 && node !== undefined) add(out, node, l);
  }
  return out;
}

// counted reports whether rows are known for what is selected: in a window, a task or a search no
// one counted them.
export function counted(s: Selection): boolean {
  return s.to < 0 && s.task < 0 && !s.search.trim();
}

// rows returns the rows that the operators took in, null if they are not known: the rows of all
// tasks at their places must be.
export function rows(r: Recording, s: Selection, ats: readonly number[]): number | null {
  if (!counted(s) || retried(r, s.stage)) return null;
  const places = ats.map((at) => r.places[at]!);
  let out = 0;
  let any = false;
  for (const w of r.work) {
    if ((s.execution >= 0 && w.execution !== s.execution) || (s.stage >= 0 && w.stage !== s.stage)) continue;
    if (w.counted !== w.tasks && places.some((p) => p.query === w.query && p.place === w.place)) return null;
    for (const [at, n] of w.rows) {
      if (!ats.includes(at)) continue;
      out += n;
      any = true;
    }
  }
  return any ? out : null;
}

// retried reports whether a stage had several attempts. Rows are of all of them together.
function retried(r: Recording, stage: number): boolean {
  const of = r.stages[stage];
  return !!of && r.stages.some((x) => x !== of && x.application === of.application && x.id === of.id);
}

// sparks is the CPU of groups of labels over a time, `width` bins each.
export function sparks(r: Recording, groupOf: Int32Array, count: number, from: number, to: number, width: number): Float32Array {
  const out = new Float32Array(count * width);
  const scale = width / Math.max(1, to - from);
  const { time, label, cpu } = r.samples;
  for (let i = firstAt(time, from), end = firstAt(time, to); i < end; i++) {
    const g = groupOf[label[i]!]!;
    if (g >= 0) out[g * width + Math.min(width - 1, Math.floor((time[i]! - from) * scale))]! += cpu[i]!;
  }
  return out;
}
