import { expect, test } from "vitest";
import { activity } from "../src/model/activity";
import { commonOf } from "../src/model/common";
import { compareAll, compareQuery, compared, failures, judge, labelsOf, perRowOf } from "../src/model/compare";
import { decode } from "../src/model/decode";
import { differenceTree, drawDifference } from "../src/model/difference";
import { doubt, figure, groups, rows } from "../src/model/figures";
import { hashText } from "../src/model/hash";
import { layout, pairs, pathHashes, tree } from "../src/model/flame";
import { grafanaLink } from "../src/model/grafana";
import { layoutGraph } from "../src/model/graph";
import { colored } from "../src/model/java";
import { sourceLines } from "../src/model/lines";
import { draw } from "../src/model/plan";
import { rest } from "../src/model/planrows";
import { fromHash, nothing, toHash } from "../src/model/selection";
import { grainOf, onGrid } from "../src/model/recording";
import { noSide, sides, warm } from "../src/model/sides";
import { matching, sum, Windows } from "../src/model/sums";
import type { Page } from "../src/page.svelte";
// @ts-expect-error a script without types
import { encode } from "./fixture.mjs";

const ms = 1e6;
const r = decode(encode());
const p = pairs(r);
const g = groups(r);
const run = { ...nothing, execution: 0 };
const of = (s: typeof nothing, operator: number) => {
  const labels = g.operator[operator]!.filter((l) => s.execution < 0 || r.labels[l]!.execution === s.execution);
  return figure(r, sum(r, p, s, matching(r, s.search)), labels);
};

test("sums of the session and of a run", () => {
  const all = sum(r, p, nothing, null);
  expect([all.picked, all.samples]).toEqual([33 * ms, 12]);
  const one = sum(r, p, run, null);
  expect([one.picked, one.samples]).toEqual([30 * ms, 9]);
  expect([0, 1, 2, 3].map((o) => of(run, o).ns / ms)).toEqual([2, 16, 3, 5]);
  expect([...one.task].map((ns) => ns / ms)).toEqual([0, 14, 6, 2, 8, 0, 0]);
  expect([...sum(r, p, { ...run, operator: 1 }, null).task].map((ns) => ns / ms)).toEqual([0, 12, 4, 0, 0, 0, 0]);
});

test("an operator, a stage, a task and a window narrow alike", () => {
  expect(sum(r, p, { ...run, operator: 2 }, null).picked).toBe(3 * ms);
  expect(sum(r, p, { ...run, operator: 2, stage: 1 }, null).picked).toBe(1 * ms);
  expect(sum(r, p, { ...run, task: 4 }, null).picked).toBe(8 * ms);
  const window = { ...run, from: 125_000, to: 150_000 };
  expect(sum(r, p, window, null).picked).toBe(8.5 * ms);
  expect(of(window, 1).ns).toBe(6.5 * ms);
  expect(sum(r, p, { ...window, search: "GENERATED" }, matching(r, "GENERATED")).picked).toBe(4 * ms);
});

test("a window is the same sum however it is added up", () => {
  let seed = 1;
  const draw = (n: number) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
  const n = 5000;
  const grain = grainOf(n * 3 * ms);
  const samples = {
    time: Uint32Array.from({ length: n }, () => draw(1_000_000)).sort(), label: Uint16Array.from({ length: n }, () => draw(8)),
    stack: Uint32Array.from({ length: n }, () => draw(6)), task: Uint16Array.from({ length: n }, () => draw(7)), flags: Uint8Array.from({ length: n }, () => draw(2)),
    cpu: Float64Array.from({ length: n }, () => onGrid(draw(3e9) / 1e3, grain)), grain,
  };
  const many = { ...r, samples };
  const of = pairs(many);
  for (const s of [nothing, run, { ...run, operator: 1 }, { ...nothing, stage: 1, task: 3 }, { ...nothing, search: "generated" }]) {
    const found = matching(many, s.search);
    const windows = new Windows(many, of, s, found, 64);
    for (const [from, to] of [[0, 1], [0, 999_999], [1, 1_000_000], [250_000, 250_500], [123_456, 654_321], [121_000, 656_000], [130_500, 651_000], [150_000, 656_000], [990_000, 2_000_000], [0, Infinity]] as const) {
      const window = { ...s, from, to: to === Infinity ? -1 : to };
      const got = windows.sums(from, to);
      expect(got).toEqual(sum(many, of, window, found));
      // And by hand: what is picked.
      let picked = 0;
      for (let i = 0; i < n; i++) {
        const l = r.labels[samples.label[i]!]!;
        const fits = (s.execution < 0 || l.execution === s.execution) && (s.operator < 0 || l.operator === s.operator) && (s.stage < 0 || l.stage === s.stage);
        const mine = (s.task < 0 || samples.task[i] === s.task) && (!found || found[samples.stack[i]!]);
        if (!l.beside && fits && mine && samples.time[i]! >= from && samples.time[i]! < to) picked += samples.cpu[i]!;
      }
      expect(got.pair.reduce((a, b) => a + b, 0)).toBe(got.picked);
      expect(Math.abs(got.picked - picked - (found ? 0 : exactIn(s, from, to)))).toBeLessThan(1e-3);
    }
  }
});

// exactIn is the exact CPU that a selection holds: 10 ms of the operator 1 in the run 0 and of task
// 1, from 100 to 200 ms.
function exactIn(s: typeof nothing, from: number, to: number): number {
  if ((s.operator >= 0 && s.operator !== 1) || (s.stage >= 0 && s.stage !== 0) || (s.task >= 0 && s.task !== 1)) return 0;
  return (10 * ms * Math.max(0, Math.min(to, 200_000) - Math.max(from, 100_000))) / 100_000;
}

test("intervals come from the selection's own samples", () => {
  const whole = of(run, 1);
  expect([whole.low, whole.high, whole.valid]).toEqual([15 * ms, 18 * ms, true]);
  const part = of({ ...run, from: 125_000, to: 150_000 }, 1);
  expect(part.low! / ms).toBeCloseTo(6.5 - Math.sqrt(2 / 3), 9);
  expect(part.high! / ms).toBeCloseTo(6.5 + Math.sqrt(8 / 3), 9);
  expect(of(run, 2).valid).toBe(false);
  expect(of(run, 0).weak).toBe(1 * ms);
});

const withLabel = (at: number, more: object) => decode(encode((h: any) => ({ ...h, labels: h.labels.map((l: object, i: number) => (i === at ? { ...l, ...more } : l)) })));

test("samples without an estimate are in doubt, exact CPU is not", () => {
  const unknown = withLabel(1, { estimate: -1 });
  const sums = sum(unknown, p, run, null);
  const f = figure(unknown, sums, [1]);
  expect([f.ns, f.low, f.high, f.valid, doubt(f)]).toEqual([16 * ms, null, null, false, { mark: "?", why: "no task that it ran in has ended" }]);
  sums.count[1] = sums.sampled[1] = 0;
  sums.below[1] = 2 * ms;
  sums.above[1] = 3 * ms;
  const exact = figure(unknown, sums, [1]);
  expect([exact.low, exact.high, exact.valid]).toEqual([8 * ms, 13 * ms, true]);
});

test("what feeds Python workers is of the session, and the JVM's", () => {
  const fed = withLabel(8, { bucket: "python feed" });
  const sums = sum(fed, pairs(fed), nothing, null);
  expect([sums.picked, figure(fed, sums, [8]).ns, figure(fed, sums, [8]).python]).toEqual([83 * ms, 50 * ms, 0]);
  expect(figure(withLabel(8, { bucket: "python worker", group: "children" }), sums, [8]).python).toBe(50 * ms);
});

test("an operator's CPU of no run stands below the session", () => {
  const loose = withLabel(6, { execution: -1 });
  const of = (s: typeof nothing) => rest({ r: loose, s, groups: groups(loose), sums: sum(loose, p, s, null), execution: loose.executions[s.execution] } as Page);
  expect(of(nothing).map((x) => [x.name, x.group, x.labels])).toEqual([["task framework", 4, [5]], ["Scan t", 0, [6]]]);
  expect(of(run).map((x) => x.name)).toEqual(["task framework"]);
});

test("a run is named after its query, with or without SQL", () => {
  const name = (more: object) => decode(encode((h: any) => ({ ...h, executions: [{ ...h.executions[0], ...more }] }))).executions[0]!.name;
  expect([{}, { id: -1 }, { query: -1, id: -1 }, { query: -1, id: 7 }].map(name)).toEqual(["hand q", "hand q", "jobs without SQL", "execution 7"]);
});

test("slow tasks and records point to their tasks, and what found no room is counted", () => {
  const full = decode(encode((h: any) => ({ ...h, meta: { ...h.meta, lost_plans: 2, lost_slow: 3 } })));
  expect(full.meta.facts.slice(-2)).toEqual(["2 plans left out", "3 slow tasks and records left out"]);
  expect(r.slowTasks.map((t) => [t.task, t.id, t.stage, t.seconds, t.peer_seconds])).toEqual([[4, 103, 1, 0.098, 0.04], [-1, 999, 2, 0.09, 0.03]]);
  expect(r.slowRecords.map((t) => [t.task, t.id, t.seconds, t.cpu_seconds])).toEqual([[4, 103, 0.07, 0.06], [-1, 999, 0.05, 0]]);
});

test("rows are known for whole stages only", () => {
  expect(rows(r, run, [1])).toBe(800);
  expect(rows(r, run, [4])).toBeNull();
  expect(rows(r, { ...run, task: 1 }, [1])).toBeNull();
});

test("rows are known if all tasks at a place counted them", () => {
  const lost = decode(encode((h: any) => ({ ...h, work: [...h.work, { execution: 0, stage: 0, place: "exchange", query: 0, tasks: 3, counted: 0, rows: [] }] })));
  expect(rows(lost, run, [1])).toBeNull();
});

test("rows of a stage are known if it had one attempt", () => {
  const again = (more: object) => decode(encode((h: any) => ({ ...h, stages: [...h.stages, { ...h.stages[0], ...more }] })));
  const retried = again({ attempt: 1 });
  expect([-1, 0, 4].map((stage) => rows(retried, { ...run, stage }, [1]))).toEqual([800, null, null]);
  expect([0, 4].map((stage) => toHash({ ...run, stage }, retried))).toEqual(["#run=q1-hand:0&stage=10", "#run=q1-hand:0&stage=10.1"]);
  // Another application's stage of the same number is no attempt.
  expect(rows(again({ application: "another" }), { ...run, stage: 0 }, [1])).toBe(800);
});

test("the flame graph holds what is selected, in every shape", () => {
  const group = Int32Array.from(r.labels, (l) => (l.operator >= 0 ? l.operator : 4));
  const cost = sum(r, p, run, null).pair;
  for (const thread of [false, true])
    for (const inverted of [false, true])
      for (const framework of [false, true]) {
        const t = tree(r, p, group, { thread, inverted, framework });
        expect(layout(t, cost, -1, 0).total).toBe(30 * ms);
      }
  const t = tree(r, p, group, { thread: false, inverted: false, framework: false });
  const boxes = layout(t, cost, -1, 0).boxes;
  const named = (key: number) => boxes.filter((b) => t.key[b.node] === key).map((b) => [b.depth, b.ns / ms, b.self / ms]);
  expect(named(~1)).toEqual([[0, 16, 10]]);
  expect(named(r.strings.indexOf("Generated.process"))).toEqual([[1, 6, 6], [1, 5, 0]]);
  expect(named(r.strings.indexOf("org.app.Map.put"))).toEqual([[2, 5, 5]]);
  const fromThread = tree(r, p, group, { thread: true, inverted: false, framework: true });
  const top = layout(fromThread, cost, -1, 0).boxes.filter((b) => b.depth === 0).map((b) => [fromThread.key[b.node], b.ns / ms]);
  expect(top).toEqual([[r.strings.indexOf("java.lang.Thread.run"), 16], [~1, 10], [~4, 4]]);
});

test("lines of generated code have their own cost and the cost of what they call", () => {
  const [code] = sourceLines(r, p, sum(r, p, run, null).pair);
  expect([code!.ns, code!.self.get(3), code!.calls.get(5), code!.self.get(5)]).toEqual([11 * ms, 6 * ms, 5 * ms, undefined]);
});

test("code without indentation is indented by its braces, as text is not changed otherwise", () => {
  const text = (code: string) => colored(code).map((line) => line.map((p) => p.text).join(""));
  expect(text('class A {\nvoid f() {\nx("{");\n} // }\n}')).toEqual(["class A {", "  void f() {", '    x("{");', "  } // }", "}"]);
  expect(text("class A {\n int x;\n}")).toEqual(["class A {", " int x;", "}"]);
  expect(colored("int x = 7;")[0]!.filter((p) => p.kind).map((p) => [p.text, p.kind])).toEqual([["int", "k"], ["7", "l"]]);
});

test("the activity holds what is selected", () => {
  const slots = { of: Int16Array.from(r.labels, (l) => Math.max(0, l.operator)), count: 4 };
  const a = activity(r, { ...run, operator: 1 }, null, slots, { from: 50_000, to: 400_000, width: 70 });
  expect(a.bins.reduce((x, y) => x + y) / ms).toBeCloseTo(16, 9);
  expect(a.all.reduce((x, y) => x + y) / ms).toBeCloseTo(30, 9);
});

test("the plan goes straight down, with a head for each stage", () => {
  const drawing = draw(r.executions[0]!, (node) => (node === 3 ? 2 : 0));
  expect(drawing.rows.map((x) => `${x.kind} ${x.node} ${x.lane}`)).toEqual([
    "stage 1 0", "operator 1 0", "stage 3 0", "operator 3 0", "part 3 0", "part 3 0", "operator 5 0", "operator 6 0",
  ]);
  expect(drawing.frames.map((f) => [f.id, f.first, f.last])).toEqual([[2, 1, 1], [1, 6, 6]]);
});

test("the plan's graph has a column a chain, and no two boxes at one place", () => {
  const at = layoutGraph(r.executions[0]!);
  expect(at.nodes.map((n) => [n.node, n.column, n.row, n.above, n.stage])).toEqual([[1, 0, 0, -1, true], [3, 0, 1, 0, true], [5, 0, 2, 1, false], [6, 0, 3, 2, false]]);
  // 40 joins, each of a chain and of a side input of four operators.
  const node = (parent: number, text = "") => ({ ...r.executions[0]!.nodes[1]!, parent, text, codegen: -1 });
  const nodes = [node(-1)];
  for (let join = 0, above = 0; join < 40; join++) {
    const here = nodes.push(node(above, "Join BuildRight")) - 1;
    above = nodes.push(node(here)) - 1;
    for (let k = 0, side = here; k < 4; k++) side = nodes.push(node(side)) - 1;
  }
  const large = layoutGraph({ ...r.executions[0]!, nodes });
  // The last side input begins in row 80. Every third one finds the first column free again.
  expect([large.nodes.length, large.rows, large.columns]).toEqual([241, 84, 4]);
  expect(new Set(large.nodes.map((n) => `${n.column} ${n.row}`)).size).toBe(241);
  for (const n of large.nodes) if (n.above >= 0) expect(n.row).toBe(large.nodes[n.above]!.row + 1);
});

test("two runs of one query are compared as planflame diff compares", () => {
  const [a, b] = [sides(r, 0), sides(r, 1)];
  const q = compareQuery(compared(a, b), "q1-hand", r.executions[0]!, r.executions[1]!);
  // The buckets' 4 ms belong to no operator, so no interval holds them.
  expect([q.a.cpu, q.b.cpu, q.a.bucketed, q.planChanged, q.verdict]).toEqual([26 * ms, 3 * ms, 4 * ms, false, "changed"]);
  expect(q.operators.map((o) => [o.operator, o.depthA, o.a.cpu / ms, o.b.cpu / ms, o.difference / ms, o.verdict])).toEqual([
    ["aggregate@4", 0, 5, 2, -3, "changed"], ["exchange@3", 1, 3, 0, -3, "changed"], ["filter@2", 2, 16, 0, -16, "changed"], ["scan@1", 3, 2, 1, -1, "no change to be told"],
  ]);
  const half = new Map(q.operators.map((o) => [o.operator, o.half / ms]));
  expect(half.get("scan@1")).toBeCloseTo(1.959964 * Math.sqrt(0.5 ** 2 + 0.25 ** 2 + 0.07 ** 2 * (2 ** 2 + 1)), 9);
  // What the plan has and no sample shows costs less than a sample: 1 ms at 1,000 Hz.
  expect(half.get("exchange@3")).toBeCloseTo(1.959964 * Math.sqrt(1 + 0.26 ** 2 * 3 ** 2), 9);
  expect(half.get("aggregate@4")).toBeCloseTo(1.959964 * Math.sqrt(0.5 ** 2 + 0.4 ** 2 + 0.07 ** 2 * (5 ** 2 + 2 ** 2)), 9);
  expect(q.operators.map((o) => perRowOf(o.a))).toEqual([null, null, 20_000, 2_000]);
});

const another = decode(encode((h: any) => {
  const plan = h.plans[0];
  plan.nodes[5] = { ...plan.nodes[5], operator: "filter@9", operator_name: "Filter w" };
  h.operators[1] = { ...h.operators[1], operator: "filter@9", name: "Filter w" };
  return h;
}));

test("what a plan has no more is gone, and what it has is new", () => {
  const q = compareQuery(compared(sides(r, -1), sides(another, -1)), "q1-hand", r.executions[0]!, another.executions[0]!);
  expect([q.planChanged, q.a.runs, q.b.runs, q.a.cpu]).toEqual([true, 2, 2, 14.5 * ms]);
  expect(q.operators.map((o) => [o.operator, o.depthA, o.depthB, o.verdict])).toEqual([
    ["aggregate@4", 0, 0, "no change to be told"], ["exchange@3", 1, 1, "no change to be told"],
    ["filter@9", -1, 2, "new"], ["filter@2", 2, -1, "gone"], ["scan@1", 3, 3, "no change to be told"],
  ]);
  expect(compareAll(compared(sides(r, -1), sides(another, -1))).map((x) => [x.query, x.difference])).toEqual([["q1-hand", 0]]);
});

test("a comparison leaves failed runs out and says how many", () => {
  const failed = decode(encode((h: any) => ({
    ...h, executions: h.executions.map((e: object, i: number) => ({ ...e, failed: i === 1 })),
    work: [...h.work, { execution: 1, stage: 2, place: "exchange", query: 0, tasks: 2, counted: 1, rows: [[0, 500]] }],
  })));
  const s = sides(failed, -1);
  const q = compareQuery(compared(sides(r, -1), s), "q1-hand", null, null);
  expect([q.a.runs, q.b.runs, q.b.failed, q.b.cpu, q.b.byRun]).toEqual([2, 1, 1, 26 * ms, [26 * ms]]);
  const scan = q.operators.find((o) => o.operator === "scan@1")!;
  expect([scan.b.cpu, perRowOf(scan.b)]).toEqual([2 * ms, 2_000]);
  expect(failures(q)).toBe("B: 1 of 2 runs failed");
  // The aggregate's stacks cost 5 ms in run 1 and 2 ms in the one that failed.
  const stacks = { r: s.r, labels: labelsOf(s.r, "q1-hand", "aggregate@4", ""), cost: s.sums.pair, runs: 1 };
  expect(differenceTree(stacks, stacks).a.reduce((x, y) => x + y)).toBe(5 * ms);
});

test("a side whose runs all failed is compared with nothing", () => {
  const failed = decode(encode((h: any) => ({ ...h, executions: h.executions.map((e: object) => ({ ...e, failed: true })) })));
  const [q] = compareAll(compared(sides(r, -1), sides(failed, -1)));
  expect([q!.a.cpu, q!.b.cpu, q!.ratio, q!.verdict, q!.operators, failures(q!)]).toEqual([14.5 * ms, 0, null, "all runs failed", [], "B: 2 of 2 runs failed"]);
  expect(failures(compareQuery(compared(sides(failed, 0), sides(failed, -1)), "q1-hand", null, null))).toBe("A: 1 of 1 runs failed · B: 2 of 2 runs failed");
  // Of two runs without an operator's CPU, one failed.
  const idle = decode(encode((h: any) => ({
    ...h, executions: h.executions.map((e: object, i: number) => ({ ...e, failed: i === 1 })), labels: h.labels.map((l: object) => ({ ...l, operator: -1, bucket: "codegen" })),
  })));
  expect(sides(idle, -1).queries.size).toBe(0);
});

test("runs that differ among each other widen the interval", () => {
  // As many runs on both sides are held against each other.
  const side = (...byRun: number[]) => ({ ...noSide(), there: true, cpu: byRun.reduce((x, y) => x + y) / byRun.length, byRun });
  const spread = { exchange: 0, operator: 0 };
  expect(judge(side(4, 6), side(6, 9), spread).half).toBe(0);
  expect(judge(side(5, 5), side(5, 7), spread).half).toBeCloseTo(12.706, 9);
  expect(judge(side(4, 6), side(9), spread)).toMatchObject({ verdict: "no change to be told", ratio: 1.8 });
  expect(judge(noSide(), side(9), spread).verdict).toBe("new");
});

test("what all operators have in common is no operator's change", () => {
  const side = (cpu: number) => ({ there: true, cpu, variance: 0, sample: 1e-3, rows: 100, rowsKnown: true });
  const pairs = [1, 2, 3, 4, 5, 6].map((cpu) => ({ old: side(cpu), new: side(cpu === 4 ? 1.95 * cpu : 1.5 * cpu) }));
  const common = commonOf(pairs);
  expect(common.log).toBeCloseTo(Math.log(1.5), 2);
  expect(commonOf(pairs.slice(0, 4))).toEqual({ log: 0, se: 0 });
  const one = (cpu: number) => ({ ...noSide(), there: true, cpu, byRun: [cpu] });
  const spread = { exchange: 0.26, operator: 0.07 };
  expect(judge(one(3), one(4.5), spread, common)).toMatchObject({ difference: 1.5, verdict: "no change to be told" });
  expect(judge(one(4), one(7.8), spread, common)).toMatchObject({ verdict: "changed", ratio: 1.95 });
});

test("the first of three runs is left out on both sides", () => {
  const of = (...byRun: number[]) => {
    const one = { ...noSide(), there: true, cpu: byRun.reduce((x, y) => x + y) / byRun.length, perRow: 8, variance: 6, byRun };
    return { ...sides(r, -1), by: new Map([["q\nscan\n", one]]), queries: new Map([["q", { ...one, runs: byRun.length, failed: 0, planned: new Set<string>(), bucketed: 0 }]]) };
  };
  const [a] = warm(of(7, 1, 4), of(9, 2, 3));
  expect(a.by.get("q\nscan\n")).toMatchObject({ byRun: [1, 4], cpu: 2.5, perRow: 5, variance: 9 });
  expect(a.queries.get("q")!.cpu).toBe(2.5);
  expect(warm(of(7, 1, 4), of(9, 2))[0].by.get("q\nscan\n")!.byRun).toEqual([7, 1, 4]);
});

test("the stacks of an operator on both sides are one tree", () => {
  const part = (s: ReturnType<typeof sides>, operator: string, runs: number) => ({ r: s.r, labels: labelsOf(s.r, "q1-hand", operator, ""), cost: s.sums.pair, runs });
  const boxes = (operator: string) => {
    const d = differenceTree(part(sides(r, 0), operator, 1), part(sides(r, 1), operator, 2));
    const drawn = drawDifference(d, -1, 0);
    return drawn.boxes.map((b) => [d.names[d.tree.key[b.node]!], b.depth, drawn.a[b.node]! / ms, drawn.b[b.node]! / ms]);
  };
  expect(boxes("aggregate@4")).toEqual([["Generated.process", 0, 5, 1], ["org.app.Map.put", 1, 5, 1]]);
  // What only one side has stays.
  expect(boxes("filter@2")).toEqual([["(no stack)", 0, 10, 0], ["Generated.process", 0, 6, 0]]);
});

test("a selection stands in the hash by names, and what the recording lacks does not", () => {
  const s = { ...run, operator: 3, stage: 1, task: 4, from: 5, to: 900, search: "a&b=", view: "code" as const, inverted: true, source: 0, other: 1 };
  expect(fromHash(toHash(s, r), r)).toEqual(s);
  expect(toHash({ ...run, operator: 1, stage: 1, task: 4, other: 1 }, r)).toBe("#run=q1-hand:0&operator=filter@2&stage=11&task=103&with=q1-hand:1");
  expect(toHash({ ...nothing, operator: 0 }, r)).toBe("#operator=q1-hand/scan@1");
  expect(toHash({ ...nothing, operator: 4 }, r)).toBe("#operator=[task framework]".replace(" ", "+"));
  for (const operator of [0, 4]) expect(fromHash(toHash({ ...nothing, operator }, r), r).operator).toBe(operator);
  expect(fromHash("#run=q1-hand:9&operator=&stage=x&task=-1&window=9-3&view=none", r)).toEqual(nothing);
  expect(toHash(nothing, r)).toBe("");
});

test("without a run, the hash names a stage's and a task's application if there are several", () => {
  const two = decode(encode((h: any) => ({ ...h, stages: h.stages.map((s: object, i: number) => (i === 2 ? { ...s, application: "app-2", id: 10 } : s)) })));
  const s = { ...nothing, stage: 2, task: 5 };
  expect(toHash(s, two)).toBe("#stage=10@app-2&task=104@app-2");
  expect(fromHash(toHash(s, two), two)).toEqual(s);
  expect(fromHash("#stage=10@app&task=104@app", two)).toEqual({ ...nothing, stage: 0 });
  expect(fromHash("#stage=10&task=104", two)).toEqual(nothing);
  expect(toHash({ ...s, execution: 1 }, two)).toBe("#run=q1-hand:1&stage=10&task=104");
  expect(toHash(s, r)).toBe("#stage=20&task=104");
});

test("names in the hash stay when the recording's tables come in another order", () => {
  const s = { ...run, operator: 1, stage: 1, task: 2 };
  // The stage, its query and its run move by one place, their names do not.
  const moved = decode(encode((h: any) => ({
    ...h,
    queries: [{ query: "q0", plan: "p0", name: "before", call_site: "" }, ...h.queries],
    executions: h.executions.map((e: object) => ({ ...e, query: 1 })).reverse(),
    operators: h.operators.map((o: object) => ({ ...o, query: 1 })),
  })));
  const again = fromHash(toHash(s, r), moved);
  expect([again.execution, moved.operators[again.operator]!.id, moved.stages[again.stage]!.id]).toEqual([1, "filter@2", 11]);
});

test("a bucket is selected like an operator", () => {
  expect(r.groupNames).toEqual(["Scan t", "Filter v > ?", "ShuffleExchange for HashAggregate", "HashAggregate sum(v)", "task framework", "jit"]);
  expect(sum(r, p, { ...run, operator: 4 }, null).picked).toBe(4 * ms);
  // What stands beside the session is in no selection.
  expect(sum(r, p, { ...nothing, operator: 5 }, null).picked).toBe(0);
});

test("a frame's name stays when the tree is another one", () => {
  const of = (framework: boolean, inverted = false) => {
    const t = tree(r, p, r.group, { thread: false, inverted, framework });
    const name = (key: number) => (key < 0 ? r.groupNames[~key]! : r.strings[key]!);
    return [...pathHashes(t, name)].map(hashText);
  };
  const hashes = of(false);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(of(true)).toEqual(expect.arrayContaining([hashes[0]]));
});

test("a link to Grafana has the query and the time that is selected", () => {
  const at = decode(encode((h: object) => ({ ...h, unix_ns: 1_700_000_000_000e6 })));
  expect(grafanaLink("https://g/x", at, nothing)).toBe("https://g/x/d/planflame-fleet?from=1700000000000&to=1700000001000");
  expect(grafanaLink("https://g", at, run)).toBe("https://g/d/planflame-query?from=1700000000050&to=1700000000400&var-query_name=hand+q&var-query=q1-hand");
  expect(grafanaLink("https://g", at, { ...run, from: 100_000, to: 200_000 })).toContain("from=1700000000100&to=1700000000200&");
});

test("another version of the model is refused", () => {
  expect(() => decode(encode((h: object) => ({ ...h, version: 3 })))).toThrow("version 3");
});
