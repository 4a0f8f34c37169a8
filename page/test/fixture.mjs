// A recording written by hand, with another figure in each place. Its sums stand in the tests.
//
//   run 1 of q:  stage 10: Scan 2 ms, Filter 16 ms (10 of them exact), Exchange's write 2 ms
//                stage 11: Exchange's read 1 ms, HashAggregate 5 ms, task framework 4 ms
//   run 2 of q:  stage 20: Scan 1 ms; stage 21: HashAggregate 2 ms
//   beside it:   50 ms of the JIT
import { deflateRawSync } from "node:zlib";

const ms = 1e6;
const node = (parent, name, more) => ({
  parent, name, text: name, class: "", operator: "", operator_name: "", role: "", mode: "", place: "result", line: "", codegen: -1, codegen_id: 0,
  subquery: false, replaced: false, updates: [0, 0], operators: [], ...more,
});
const operator = (place, id, name, more) => ({ query: 0, place, operator: id, name, role: "", line: "", order: 0, depth: 0, ...more });
const label = (execution, stage, at, more) => ({
  jvm: 0, query: 0, execution, stage, place: "", operator: at, part: "", bucket: "", group: "", factor: 1, estimate: -1, cpu_ns: 0, samples: 0, ...more,
});
const stage = (id, execution, place, start, end) => ({ jvm: 0, application: "app", id, attempt: 0, execution, query: 0, place, start, end, tasks: 2, times: null });
const run = (id, n, start, end) => ({ jvm: 0, application: "app", id, query: 0, plan: 0, run: n, start, end, failed: false, times: null });
const estimate = (cpu, low, high, se = 0, valid = true) => ({ cpu_ns: cpu * ms, low_ns: low * ms, high_ns: high * ms, se_ns: se * ms, valid, why: "" });

export const source = ["final class Generated {", "  void process() {", "    filter_value = row.getInt(0);", "    // aggregate", "    map.put(filter_value);", "  }", "}"].join("\n");

const head = {
  version: 2, tick_ns: 1000, span: 1_000_000, unix_ns: 0,
  meta: { title: "by hand", command: [], hz: 1000, spark: "4.3.0", jdk: "17.0.15", slots: 2, folded: 0, lost: 0, spread: { exchange: 0.26, operator: 0.07 } },
  strings: ["", "java.lang.Thread.run", "org.app.Task.run", "org.app.Scan.next", "Generated.process", "org.app.Shuffle.write", "org.app.Shuffle.read", "org.app.Map.put"],
  rules: ["", "metric", "prefix"], parts: ["", "probe"], jvms: [],
  lanes: [{ jvm: -1, tid: 0, thread: "" }, { jvm: 0, tid: 1, thread: "worker-0" }, { jvm: 0, tid: 2, thread: "worker-1" }],
  queries: [{ query: "q1-hand", plan: "p1", name: "hand q", call_site: "" }],
  executions: [run(0, 1, 50_000, 400_000), run(1, 2, 500_000, 900_000)],
  stages: [stage(10, 0, "exchange", 90_000, 200_000), stage(11, 0, "result", 290_000, 390_000), stage(20, 1, "exchange", 550_000, 650_000), stage(21, 1, "result", 660_000, 800_000)],
  plans: [{ query: 0, nodes: [
    node(-1, "WholeStageCodegen (2)", { codegen_id: 2 }),
    node(0, "HashAggregate", { operator: "aggregate@4", operator_name: "HashAggregate sum(v)", codegen: 0, operators: [4], line: "job.py:7" }),
    node(1, "InputAdapter"),
    node(2, "Exchange", { operator: "exchange@3", operator_name: "ShuffleExchange for HashAggregate", place: "exchange", operators: [2, 3] }),
    node(3, "WholeStageCodegen (1)", { codegen_id: 1, place: "exchange" }),
    node(4, "Filter", { operator: "filter@2", operator_name: "Filter v > ?", codegen: 4, place: "exchange", operators: [1] }),
    node(5, "Scan", { operator: "scan@1", operator_name: "Scan t", place: "exchange", operators: [0] }),
  ] }],
  operators: [
    operator("exchange", "scan@1", "Scan t"), operator("exchange", "filter@2", "Filter v > ?", { usual: { ns_per_row: 900, low_ns_per_row: 300, high_ns_per_row: 2_700, ratio: 22.2, expensive: true } }), operator("exchange", "exchange@3", "ShuffleExchange for HashAggregate", { role: "exchange" }),
    operator("result", "exchange@3", "ShuffleExchange for HashAggregate", { role: "exchange" }), operator("result", "aggregate@4", "HashAggregate sum(v)", { line: "job.py:7" }),
  ],
  work: [{ execution: 0, stage: 0, place: "exchange", query: 0, tasks: 2, counted: 2, rows: [[0, 1000], [1, 800]] }, { execution: 0, stage: 1, place: "result", query: 0, tasks: 2, counted: 1, rows: [[4, 50]] }],
  estimates: [estimate(2, 1, 4, 0.5), estimate(6, 5, 8), estimate(2, 1, 3), estimate(1, 0.5, 2, 0, false), estimate(5, 4, 6, 0.5), estimate(1, 0.5, 1.5, 0.25), estimate(2, 1.5, 2.5, 0.4)],
  labels: [
    label(0, 0, 0, { estimate: 0, cpu_ns: 2 * ms, samples: 2 }), label(0, 0, 1, { factor: 2, estimate: 1, cpu_ns: 6 * ms, samples: 2 }),
    label(0, 0, 2, { part: "write", estimate: 2, cpu_ns: 2 * ms, samples: 1 }), label(0, 1, 3, { part: "read", estimate: 3, cpu_ns: 1 * ms, samples: 1 }),
    label(0, 1, 4, { estimate: 4, cpu_ns: 5 * ms, samples: 2 }), label(0, 1, -1, { bucket: "task framework", cpu_ns: 4 * ms, samples: 1 }),
    label(1, 2, 0, { estimate: 5, cpu_ns: 1 * ms, samples: 1 }), label(1, 3, 4, { estimate: 6, cpu_ns: 2 * ms, samples: 2 }),
    label(-1, -1, -1, { query: -1, bucket: "jit", group: "threads" }),
  ],
  slow_tasks: [{ stage: 1, task: 103, verdict: "data skew", seconds: 0.098, peer_seconds: 0.04, excess_seconds: 0.058, operator: "HashAggregate sum(v)" }, { stage: 2, task: 999, verdict: "gc", seconds: 0.09, peer_seconds: 0.03, excess_seconds: 0.06 }],
  slow_records: [{ stage: 1, task: 103, where: "part-00003.csv +0, record 148,211", seconds: 0.07, cpu_seconds: 0.06, operator: "HashAggregate sum(v)", code: "Job.parse < Job.run" }, { stage: 2, task: 999, where: "record 7 of 90 in the partition", seconds: 0.05, cpu_seconds: 0 }],
  sources: [{ file: "", class: "Generated", text: source, methods: [], operators: [{ text: "Filter", prefix: "" }, { text: "HashAggregate", prefix: "" }],
    line_operator: [-1, -1, 0, 1, 1, -1, -1], line_rule: [0, 0, 1, 0, 2, 0, 0], line_part: [0, 0, 1, 0, 0, 0, 0], line_method: [], disputed: [5] }],
  bindings: [{ source: 0, stage: 0, execution: 0, plan: 0, nodes: [5, 1], operators: [1, 4], twins: false }],
};

// Time (µs), label, stack, task, flags. Samples of worker-0 weigh 1 ms, samples of worker-1 2 ms
// and from 320,000 µs on 4 ms.
const samples = [
  [100_000, 0, 1, 1, 0], [110_000, 0, 1, 1, 1], [120_000, 1, 2, 1, 0], [130_000, 2, 3, 2, 0], [140_000, 1, 2, 2, 0],
  [300_000, 3, 4, 3, 0], [310_000, 4, 5, 3, 0], [320_000, 4, 5, 4, 0], [330_000, 5, 0, 4, 0],
  [600_000, 6, 1, 5, 0], [700_000, 7, 5, 6, 0], [710_000, 7, 5, 6, 0],
];
const pick = (i) => samples.map((s) => s[i]);

const columns = {
  time: ["u32", pick(0)], label: ["u16", pick(1)], stack: ["u32", pick(2)], task: ["u16", pick(3)], flags: ["u8", pick(4)],
  weight_at: ["u32", [0, 3, 7]], weight_ns: ["f64", [ms, 2 * ms, 4 * ms]],
  exact_label: ["u32", [1, 8]], exact_task: ["u32", [1, 0]], exact_start: ["u32", [100_000, 0]], exact_end: ["u32", [200_000, 1_000_000]],
  exact_ns: ["f64", [10 * ms, 50 * ms]], exact_below: ["f64", [0, 0]], exact_above: ["f64", [0, 0]],
  task_id: ["f64", [-1, 100, 101, 102, 103, 104, 105]], task_stage: ["i32", [-1, 0, 0, 1, 1, 2, 3]], task_execution: ["i32", [-1, 0, 0, 0, 0, 1, 1]],
  task_partition: ["i32", [-1, 0, 1, 0, 1, 0, 0]], task_attempt: ["i32", [0, 0, 0, 0, 0, 0, 0]], task_lane: ["i32", [0, 1, 2, 1, 2, 1, 1]],
  task_start: ["u32", [0, 95_000, 96_000, 291_000, 292_000, 560_000, 670_000]], task_end: ["u32", [0, 200_000, 190_000, 380_000, 390_000, 640_000, 790_000]],
  task_cpu_ns: ["f64", [0, 1, 2, 3, 4, 5, 6]], task_system_ns: ["f64", [0, 0, 0, 0, 0, 0, 0]], task_unsampled_ns: ["f64", [0, 0, 0, 0, 0, 0, 0]],
  task_gc_ms: ["u32", [0, 1, 2, 3, 4, 5, 6]], task_flags: ["u8", [0, 0, 0, 0, 1, 0, 0]],
  // 0 Thread.run ─ 1 Task.run ─┬ 2 Scan.next, 3 process (line 3), 4 Shuffle.write, 5 Shuffle.read
  //                            └ 6 process (line 5) ─ 7 Map.put
  node_parent: ["i32", [-1, 0, 1, 1, 1, 1, 1, 6]], node_frame: ["u32", [0, 1, 2, 3, 4, 5, 6, 7]],
  stack_leaf: ["i32", [-1, 2, 3, 4, 5, 7]], stack_operator: ["i32", [-1, 2, 3, 4, 5, 6]], stack_decided: ["i32", [-1, -1, 3, -1, -1, 6]],
  frame_name: ["u32", [1, 2, 3, 4, 5, 6, 4, 7]], frame_file: ["u32", [0, 0, 0, 0, 0, 0, 0, 0]], frame_line: ["u32", [0, 0, 0, 3, 0, 0, 5, 0]],
  frame_kind: ["u8", [2, 1, 1, 1, 1, 1, 1, 1]], frame_source: ["i32", [-1, -1, -1, 0, -1, -1, 0, -1]],
};

const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f64: Float64Array };
const eight = (n) => (n + 7) & ~7;

const deltas = ["time", "node_parent", "stack_leaf"];
const differences = (values) => values.map((v, i) => v - (values[i - 1] ?? 0));

// encode lays the recording out as internal/columns does.
export function encode(change = (h) => h) {
  const { plans, ...rest } = change(structuredClone(head));
  const texts = plans.map((p) => new TextEncoder().encode(JSON.stringify(p)));
  const ends = texts.reduce((at, t) => [...at, at.at(-1) + t.length], [0]);
  const all = { ...columns, plan_at: ["u32", ends], plan_text: ["u8", texts.flatMap((t) => [...t])] };
  for (const name of deltas) all[name] = [all[name][0], differences(all[name][1])];
  const bytes = Object.entries(all).map(([name, [type, values]]) => [name, type, values.length, new Uint8Array(arrays[type].from(values).buffer)]);
  let text = "";
  for (let length = 0, tries = 0; tries < 4; tries++, length = Buffer.byteLength(text)) {
    let offset = eight(4 + length);
    const table = {};
    for (const [name, type, count, data] of bytes) {
      table[name] = { type, offset, length: count, ...(deltas.includes(name) && { delta: true }) };
      offset = eight(offset + data.length);
    }
    text = JSON.stringify({ ...rest, columns: table });
  }
  const table = JSON.parse(text).columns;
  const out = new Uint8Array(Math.max(...bytes.map(([name, , , data]) => eight(table[name].offset + data.length))));
  new DataView(out.buffer).setUint32(0, Buffer.byteLength(text), true);
  out.set(new TextEncoder().encode(text), 4);
  for (const [name, , , data] of bytes) out.set(data, table[name].offset);
  return out.buffer;
}

// page puts recordings into the bundle as page.Write does.
export function page(bundle, ...models) {
  const elements = models.map((m, i) => `<script type="application/octet-stream;base64" id="recording${i ? "-b" : ""}">${deflateRawSync(Buffer.from(m)).toString("base64")}</script>`);
  return bundle.replace("<!--recordings-->", () => elements.join("\n"));
}
