import { grainOf, type Execution, type Label, type Plan, type PlanNode, type Recording, type Slow, type Stage } from "./recording";

const types = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f64: Float64Array } as const;

// inflate undoes base64 and raw deflate. A data: address would be a request, which the page's
// policy forbids.
export async function inflate(text: string): Promise<ArrayBuffer> {
  const bytes = bytesOf(text.trim());
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

// bytesOf undoes base64, by the browser's own way if it has one.
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const own = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (own) return own.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/* eslint-disable @typescript-eslint/no-explicit-any */
type Head = any;

// version is the model's version that this page reads.
export const version = 2;

// decode lays the page's recording over a model: the length of its head, the head, the columns.
export function decode(model: ArrayBuffer): Recording {
  const length = new DataView(model).getUint32(0, true);
  const head: Head = JSON.parse(new TextDecoder().decode(new Uint8Array(model, 4, length)));
  if (head.version !== version) throw new Error(`the recording's model has version ${head.version}, this page reads ${version}`);
  const column = (name: string): any => {
    const c = head.columns[name];
    if (!c) throw new Error(`the recording has no column ${name}`);
    const values = new types[c.type as keyof typeof types](model, c.offset, c.length);
    if (c.delta) for (let i = 1; i < values.length; i++) values[i]! += values[i - 1]!;
    return values;
  };
  const { meta } = head;
  const at: any[] = head.operators;
  const { operators, operatorOf } = operatorGroups(at);
  const labels: Label[] = head.labels.map((l: any) => ({
    query: l.query, execution: l.execution, stage: l.stage, operator: l.operator < 0 ? -1 : operatorOf[l.operator]!, at: l.operator,
    part: l.part, bucket: l.bucket, group: l.group, factor: l.factor, estimate: l.estimate, cpu: l.cpu_ns,
    beside: isBeside(l), python: l.group === "children",
  }));
  const task = column("task");
  const taskLane = column("task_lane");
  const label = column("label");
  const cpu = weights(label, task, taskLane, column("weight_at"), column("weight_ns"), labels);
  const exactNanos: Float64Array = column("exact_ns");
  const grain = grainOf(total(cpu) + total(exactNanos));
  // As onGrid has it: the inverse of a power of two is exact.
  for (let i = 0, inverse = 1 / grain; i < cpu.length; i++) cpu[i] = Math.round(cpu[i]! * inverse) * grain;
  const frames = { name: column("frame_name"), line: column("frame_line"), kind: column("frame_kind"), source: column("frame_source") };
  const stacks = { parent: column("node_parent"), frame: column("node_frame"), leaf: column("stack_leaf"), operator: column("stack_operator") };
  const stages: Stage[] = head.stages;
  const tasks = {
    id: column("task_id"), stage: column("task_stage"), execution: column("task_execution"), partition: column("task_partition"), lane: taskLane,
    start: column("task_start"), end: column("task_end"), cpu: column("task_cpu_ns"), gc: column("task_gc_ms"), flags: column("task_flags"),
  };
  const plans = plansOf(column("plan_text"), column("plan_at"));
  return {
    meta: {
      title: meta.title || "recording", samples: label.length, hz: meta.hz, began: head.unix_ns / 1e6, tickNanos: head.tick_ns, span: head.span, spread: meta.spread,
      facts: [
        meta.spark && `Spark ${meta.spark}`, meta.jdk && `Java ${meta.jdk}`, meta.hz && `${meta.hz} Hz`, meta.slots && `${meta.slots} cores`,
        meta.lost_plans && `${meta.lost_plans} plans left out`, meta.lost_slow && `${meta.lost_slow} slow tasks and records left out`,
      ].filter(Boolean),
    },
    strings: head.strings,
    queries: head.queries.map((q: any) => ({ id: q.query, name: q.name || q.query, callSite: q.call_site })),
    plans, executions: executions(head, plans),
    operators, places: at, at: operatorOf, ...groupsOf(labels, operators), stages, labels, estimates: head.estimates,
    lanes: head.lanes.map((l: any) => l.thread || `thread ${l.tid}`),
    sources: head.sources.map((s: any) => ({
      class: s.class, lines: String(s.text).split("\n"), ordinals: (s.operators ?? []).map((o: any) => o.text),
      lineOrdinal: s.line_operator ?? [], lineRule: (s.line_rule ?? []).map((r: number) => head.rules[r] ?? ""),
      linePart: (s.line_part ?? []).map((p: number) => head.parts[p] ?? ""), disputed: new Set(s.disputed ?? []),
    })),
    bindings: head.bindings,
    work: head.work,
    samples: { time: column("time"), label, stack: column("stack"), task, flags: column("flags"), cpu, grain },
    exact: {
      label: column("exact_label"), task: column("exact_task"), start: column("exact_start"), end: column("exact_end"),
      ns: exactNanos, below: column("exact_below"), above: column("exact_above"),
    },
    tasks, slowTasks: slow(head.slow_tasks, tasks), slowRecords: slow(head.slow_records, tasks),
    stacks: { ...stacks, ...lines(stacks, frames, column("stack_decided")) },
    frames,
  };
}

// slow returns the head's rows with the recording's task of each.
function slow(rows: Head[] | undefined, { id, stage }: { id: Float64Array; stage: Int32Array }): Slow[] {
  return (rows ?? []).map((t) => ({ ...t, id: t.task, task: id.findIndex((of, i) => of === t.task && stage[i] === t.stage) }));
}

// isBeside reports whether a label's CPU stands beside the session: threads that serve no task and
// processes that are no Python worker.
function isBeside(l: Head): boolean {
  if (l.group === "threads") return l.bucket !== "python feed";
  return l.group === "children" && (l.bucket === "python daemon" || l.bucket === "child processes");
}

// operatorGroups joins the places of one operator.
function operatorGroups(at: Head[]) {
  const ids = new Map<string, number>();
  const operators: Recording["operators"] = [];
  const operatorOf = Int32Array.from(at, (o) => {
    const key = `${o.query} ${o.operator}`;
    let id = ids.get(key);
    if (id === undefined) {
      ids.set(key, (id = operators.length));
      operators.push({ id: o.operator, query: o.query, name: o.name || o.operator, line: o.line || "" });
    }
    // An exchange's places are named after its parts, the operator is not.
    const name = String(o.name || o.operator).replace(/ \((?:read|write)\)$/, "");
    if (name.length < operators[id]!.name.length) operators[id]!.name = name;
    return id;
  });
  return { operators, operatorOf };
}

function total(values: Float64Array): number {
  let out = 0;
  for (let i = 0; i < values.length; i++) out += values[i]!;
  return out;
}

// weights expands the run-length coded weights of samples into their CPU.
function weights(
  label: ArrayLike<number>, task: ArrayLike<number>, lane: Int32Array, at: Uint32Array, ns: Float64Array, labels: Label[],
): Float64Array {
  const cpu = new Float64Array(label.length);
  const factor = Float64Array.from(labels, (l) => l.factor);
  const current = new Float64Array(lane.reduce((a, b) => Math.max(a, b), 0) + 1);
  for (let i = 0, k = 0; i < cpu.length; i++) {
    const l = lane[task[i]!]!;
    if (k < at.length && at[k] === i) current[l] = ns[k++]!;
    cpu[i] = current[l]! * factor[label[i]!]!;
  }
  return cpu;
}

// lines returns the line of generated code that each stack counts for.
function lines(
  stacks: { leaf: Int32Array; frame: Uint32Array }, frames: Recording["frames"], decided: Int32Array,
): { source: Int32Array; line: Int32Array; isTop: Uint8Array } {
  const out = { source: new Int32Array(decided.length).fill(-1), line: new Int32Array(decided.length), isTop: new Uint8Array(decided.length) };
  for (let stack = 0; stack < decided.length; stack++) {
    const node = decided[stack]!;
    if (node < 0) continue;
    const frame = stacks.frame[node]!;
    out.source[stack] = frames.source[frame]!;
    out.line[stack] = frames.line[frame]!;
    out.isTop[stack] = node === stacks.leaf[stack] ? 1 : 0;
  }
  return out;
}

function executions(head: Head, plans: Plan[]): Execution[] {
  return head.executions.map((e: any) => ({
    id: e.id, application: e.application, query: e.query, run: e.run, start: e.start, end: e.end, failed: e.failed, wall: e.end - e.start,
    name: head.queries[e.query]?.name || (e.id < 0 ? "jobs without SQL" : `execution ${e.id}`),
    get nodes() {
      return plans[e.plan]?.nodes ?? noNodes;
    },
  }));
}

const noNodes: PlanNode[] = [];

// plansOf returns the plans. Each is read when it is first asked for.
function plansOf(text: Uint8Array, at: Uint32Array): Plan[] {
  return Array.from({ length: at.length - 1 }, (_, i) => {
    let read: Plan | undefined;
    const get = () => (read ??= plan(JSON.parse(new TextDecoder().decode(text.subarray(at[i], at[i + 1])))));
    return {
      get query() {
        return get().query;
      },
      get nodes() {
        return get().nodes;
      },
    };
  });
}

function plan(p: Head): Plan {
  const nodes = p.nodes.map((n: any): PlanNode => ({
    parent: n.parent, name: n.name, operator: n.operator, operatorName: n.operator ? n.operator_name || n.name : "", text: n.text, place: n.place, line: n.line || "",
    codegen: n.codegen, codegenId: n.codegen >= 0 ? p.nodes[n.codegen].codegen_id : 0, replaced: n.replaced, operators: n.operators ?? [],
  }));
  return { query: p.query, nodes };
}

// groupsOf numbers the buckets behind the operators.
function groupsOf(labels: Label[], operators: Recording["operators"]) {
  const groupNames = operators.map((o) => o.name);
  const buckets = new Map<string, number>();
  const group = Int32Array.from(labels, (l) => {
    if (l.operator >= 0) return l.operator;
    let g = buckets.get(l.bucket);
    if (g === undefined) {
      buckets.set(l.bucket, (g = groupNames.length));
      groupNames.push(l.bucket);
    }
    return g;
  });
  return { group, groupNames };
}
