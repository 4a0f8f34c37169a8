// What the page says of selections of a recording, beside the flags of `planflame report` that
// select the same: one line of JSON each.
// Usage: node test/selections.mjs REPORT.HTML
import { close, load, modelOf } from "./model.mjs";

const { decode } = await load("decode");
const { figure } = await load("figures");
const { activity } = await load("activity");
const { layout, pairs, tree } = await load("flame");
const { sourceLines } = await load("lines");
const { nothing } = await load("selection");
const { matching, sum } = await load("sums");

const model = await modelOf(process.argv[2]);
const { operators } = JSON.parse(new TextDecoder().decode(new Uint8Array(model, 4, new DataView(model).getUint32(0, true))));
const r = decode(model);
const p = pairs(r);

// views returns what each view adds the selection up to, in ns. Lines are of generated code alone:
// they stand beside the same sum by stack.
const group = Int32Array.from(r.labels, (l) => Math.max(0, l.operator));
const flames = tree(r, p, group, { thread: false, inverted: false, framework: false });
const slots = { of: new Int16Array(r.labels.length), count: 1 };
function views(s, sums) {
  const total = (values) => values.reduce((a, b) => a + b, 0);
  const window = s.to < 0 ? { from: 0, to: r.meta.span + 1 } : { from: s.from, to: s.to };
  const generated = sums.pair.filter((_, i) => r.stacks.source[p.stack[i]] >= 0);
  const oneTask = s.task < 0 ? total(sums.task) : sums.task[s.task];
  return {
    tasks: oneTask, stacks: total(sums.pair), flame: layout(flames, sums.pair, -1, 0).total,
    bins: total(activity(r, s, matching(r, s.search), slots, { ...window, width: 97 }).bins),
    generated: total(generated), lines: sourceLines(r, p, sums.pair).reduce((n, x) => n + total([...x.self.values(), ...x.calls.values()]), 0),
  };
}

// say prints a selection: its sums, and the figure of each operator at its place with what bounds
// its Python workers.
function say(kind, flags, selection) {
  const s = { ...nothing, ...selection };
  const sums = sum(r, p, s, matching(r, s.search));
  const labels = new Map();
  r.labels.forEach((l, i) => {
    const selected = (s.stage < 0 || l.stage === s.stage) && (s.operator < 0 || r.group[i] === s.operator);
    if (!l.beside && l.operator >= 0 && selected && sums.sampled[i] + sums.exact[i]) labels.set(l.at, [...(labels.get(l.at) ?? []), i]);
  });
  const figures = [...labels].map(([at, of]) => {
    const { ns, samples, low, high } = figure(r, sums, of);
    const { query, place, operator } = operators[at];
    const total = (by) => of.reduce((n, l) => n + by[l], 0);
    return {
      query: r.queries[query].id, stage: place, operator, cpu_ns: ns, samples, ci95_ns: low === null ? null : [low, high],
      below_ns: total(sums.below), above_ns: total(sums.above),
    };
  });
  console.log(JSON.stringify({ kind, flags, cpu_ns: sums.picked, samples: sums.samples, operators: figures, views: views(s, sums) }));
  return sums;
}

// most returns the index with the largest sum.
const most = (values, from = 0) => values.reduce((best, v, i) => (i >= from && v > (values[best] ?? 0) ? i : best), -1);
const by = (sums, key) => {
  const out = [];
  r.labels.forEach((l, i) => l[key] >= 0 && (out[l[key]] = (out[l[key]] ?? 0) + sums.sampled[i] + sums.exact[i]));
  return Array.from(out, (v) => v ?? 0);
};
const at = (tick) => `${tick * r.meta.tickNanos}ns`;

const whole = say("all", [], {});
const execution = most(r.executions.map((e, i) => (e.id < 0 ? 0 : (by(whole, "execution")[i] ?? 0))));
const run = ["--execution", String(r.executions[execution].id)];
const sums = say("run", run, { execution });
const operator = most(by(sums, "operator"));
say("operator", [...run, "--operator", r.operators[operator].id], { execution, operator });
const buckets = [];
r.labels.forEach((l, i) => !l.beside && l.operator < 0 && (buckets[r.group[i]] = (buckets[r.group[i]] ?? 0) + sums.sampled[i] + sums.exact[i]));
const bucket = most(Array.from(buckets, (v) => v ?? 0));
say("bucket", [...run, "--operator", `[${r.groupNames[bucket]}]`], { execution, operator: bucket });
const stage = most(by(sums, "stage"));
say("stage", [...run, "--stage", String(r.stages[stage].id)], { execution, stage });
const task = most([...sums.task], 1);
say("task", [...run, "--task", String(r.tasks.id[task])], { execution, task });
const { start, end } = r.executions[execution];
const [from, to] = [Math.round(start + (end - start) / 4), Math.round(end - (end - start) / 4)];
say("window", [...run, "--from", at(from), "--to", at(to)], { execution, from, to });
say("search", [...run, "--search", "SPARK.sql"], { execution, search: "SPARK.sql" });
await close();
