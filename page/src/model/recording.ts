// The recording as the page holds it: the model's tables with names resolved, and its columns as
// typed arrays. Times are ticks from the start of the recording, costs are nanoseconds, and an
// index of -1 means none.

export interface Meta {
  title: string;
  facts: string[];
  samples: number;
  hz: number;
  // Wall clock at the start, in ms since 1970.
  began: number;
  // tickNanos is the length of a tick.
  tickNanos: number;
  span: number;
  // spread is how far recordings of one job differ beyond sampling, as a part of an operator's
  // cost.
  spread: { exchange: number; operator: number };
}

export interface PlanNode {
  parent: number;
  name: string;
  operator: string; // id, "" for wrappers
  operatorName: string;
  text: string;
  place: string;
  line: string;
  // Node of the whole-stage code that it is compiled into, and that code's number.
  codegen: number;
  codegenId: number;
  replaced: boolean;
  // → operators by place; an exchange has two.
  operators: number[];
}

// Plan is a plan's last update, with what only earlier ones had behind it.
export interface Plan {
  query: number;
  nodes: PlanNode[];
}

export interface Execution {
  id: number;
  application: string;
  query: number;
  name: string;
  run: number;
  start: number;
  end: number;
  failed: boolean; // comparisons leave it out
  nodes: PlanNode[];
  wall: number; // ticks
}

export interface Query {
  id: string;
  name: string;
  callSite: string;
}

// Operator is one operator of one query, wherever it runs. Runs of the query share it.
export interface Operator {
  id: string;
  query: number;
  name: string;
  line: string;
}

// Place is an operator in one stage of a plan, which it calls its place.
export interface Place {
  query: number;
  place: string;
  operator: string; // id
  name: string;
  role: string;
  usual?: Usual;
}

// Usual is what operators of a kind usually cost, in ns a row: 95 % of them lie between low and
// high.
export interface Usual {
  ns_per_row: number;
  low_ns_per_row: number;
  high_ns_per_row: number;
  expensive: boolean; // it costs more in the whole recording, beyond the error of its samples
}

// Slow is a task that held its slot for longer than its peers, or a record, a batch or a key at
// which a task stood still.
export interface Slow {
  task: number; // of the recording's tasks, -1 if it has no sample
  id: number;
  stage: number;
  seconds: number;
  operator?: string; // that has most of its excess CPU, or half of its CPU
  // Of a task.
  verdict: string;
  peer_seconds: number;
  // Of a record.
  where: string;
  cpu_seconds: number;
  code?: string; // where the task was, leaf first
}

export interface Stage {
  application: string;
  id: number;
  attempt: number;
  execution: number;
  place: string;
  start: number;
  end: number;
  tasks: number;
  times: Record<string, number> | null;
}

// Label says what samples and rows of exact CPU count for.
export interface Label {
  query: number;
  execution: number;
  stage: number;
  operator: number;
  // The operator at its place, as the plan's nodes name it.
  at: number;
  part: string;
  bucket: string;
  group: string;
  factor: number;
  estimate: number;
  // CPU of all its samples.
  cpu: number;
  // True for CPU beside the session: threads and processes that serve no task.
  beside: boolean;
  // True for CPU of Python workers.
  python: boolean;
}

export interface Estimate {
  cpu_ns: number;
  low_ns: number;
  high_ns: number;
  se_ns: number;
  valid: boolean;
}

export interface Source {
  class: string;
  lines: string[];
  ordinals: string[];
  lineOrdinal: number[];
  lineRule: string[];
  linePart: string[]; // what the operator does there: build, probe …
  disputed: Set<number>;
}

export interface Binding {
  source: number;
  stage: number;
  execution: number;
  operators: number[];
}

export interface Work {
  execution: number;
  stage: number;
  query: number;
  place: string;
  tasks: number; // that ended well
  counted: number; // of which rows are known
  rows: [number, number][];
}

export interface Columns {
  time: Uint32Array;
  label: Uint16Array | Uint32Array;
  stack: Uint32Array;
  task: Uint16Array | Uint32Array;
  flags: Uint8Array;
  cpu: Float64Array;
  // Costs are multiples of it, a power of two, so that their sums are exact in any order.
  grain: number;
}

export interface Exact {
  label: Uint32Array;
  task: Uint32Array;
  start: Uint32Array;
  end: Uint32Array;
  ns: Float64Array;
  below: Float64Array;
  above: Float64Array;
}

// Tasks begin with the task 0, which stands for all that is outside tasks.
export interface Tasks {
  id: Float64Array;
  stage: Int32Array;
  execution: Int32Array;
  partition: Int32Array;
  lane: Int32Array;
  start: Uint32Array;
  end: Uint32Array;
  cpu: Float64Array;
  gc: Uint32Array;
  flags: Uint8Array;
}

export interface Stacks {
  // Frames' tree, parents before children.
  parent: Int32Array;
  frame: Uint32Array;
  // By stack.
  leaf: Int32Array;
  operator: Int32Array;
  // The line of generated code that each stack counts for, and whether it is the line itself.
  source: Int32Array;
  line: Int32Array;
  isTop: Uint8Array;
}

export interface Frames {
  name: Uint32Array; // → strings
  line: Uint32Array;
  kind: Uint8Array;
  source: Int32Array;
}

export const frameKind = { unknown: 0, compiled: 1, interpreted: 2, stub: 3, native: 4, kernel: 5 } as const;

export interface Recording {
  meta: Meta;
  strings: string[];
  queries: Query[];
  executions: Execution[];
  operators: Operator[];
  places: Place[];
  // Places → operators.
  at: Int32Array;
  plans: Plan[];
  // Label → what is selected alike: an operator, or behind the operators a bucket.
  group: Int32Array;
  groupNames: string[];
  stages: Stage[];
  labels: Label[];
  estimates: Estimate[];
  lanes: string[];
  sources: Source[];
  bindings: Binding[];
  work: Work[];
  slowTasks: Slow[]; // by falling excess
  slowRecords: Slow[]; // by falling time without pauses
  samples: Columns;
  exact: Exact;
  tasks: Tasks;
  stacks: Stacks;
  frames: Frames;
}

export const flag = { weak: 1, disputed: 2, detail: 4, cut: 8, early: 16 } as const;
export const taskFailed = 1;

// firstAt returns the index of the first sample at or after a time.
export function firstAt(time: Uint32Array, at: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

// overlap returns which share of a row of exact CPU lies in the window [from, to).
export function overlap(start: number, end: number, from: number, to: number): number {
  if (start === end) return from <= start && start < to ? 1 : 0;
  return Math.max(0, Math.min(end, to) - Math.max(start, from)) / (end - start);
}

// grainOf returns the finest grain of costs whose sum has room in the 53 bits of a number.
export function grainOf(total: number): number {
  return 2 ** (Math.ceil(Math.log2(Math.max(1, total))) - 52);
}

export function onGrid(ns: number, grain: number): number {
  return Math.round(ns / grain) * grain;
}
