// What the page says of two recordings, as `planflame diff --format json` says it.
// Usage: node test/diff.mjs DIFF.HTML
import { close, load, modelOf } from "./model.mjs";

const { decode } = await load("decode");
const { compareAll, compared, perRowOf } = await load("compare");
const { sides } = await load("sides");

const [a, b] = [decode(await modelOf(process.argv[2])), decode(await modelOf(process.argv[2], "recording-b"))];
const judged = (x) => ({
  verdict: x.verdict, a_seconds: x.a.cpu / 1e9, b_seconds: x.b.cpu / 1e9, difference_seconds: x.difference / 1e9,
  whole_run_seconds: x.whole / 1e9, ci95: [(x.difference - x.whole - x.half) / 1e9, (x.difference - x.whole + x.half) / 1e9], ratio: x.ratio,
});
const both = compared(sides(a, -1), sides(b, -1));
const queries = compareAll(both).map((q) => ({
  query: q.query, name: q.name, plan_changed: q.planChanged, runs_a: q.a.runs, runs_b: q.b.runs, ...judged(q),
  operators: q.operators.map((o) => ({ operator: o.operator, part: o.part, name: o.name, ...judged(o), ns_per_row_a: perRowOf(o.a), ns_per_row_b: perRowOf(o.b) })),
}));
const { log, se } = both.common;
const bound = (sign) => Math.exp(log + sign * 1.959964 * se);
console.log(JSON.stringify({ whole_run: { factor: Math.exp(log), ci95: [bound(-1), bound(1)] }, queries }));
await close();
