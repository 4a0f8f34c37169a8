// What is selected, and how it stands in the URL's hash.

import { textHash } from "./hash";
import type { Recording } from "./recording";

export const views = ["flame", "code", "tasks", "methods", "compare"] as const;
export type ViewName = (typeof views)[number];
export const plans = ["tree", "cost", "graph"] as const;
export type PlanName = (typeof plans)[number];

export interface Selection {
  execution: number; // index, or -1 for the session
  from: number; // ticks, the window is [from, to); to < 0 is no window
  to: number;
  operator: number; // index of an operator, or of a bucket behind them
  stage: number;
  task: number;
  search: string;
  // How it is shown, which narrows nothing.
  view: ViewName;
  plan: PlanName;
  thread: boolean; // flame graph from the thread's root
  inverted: boolean;
  framework: boolean; // framework frames are shown
  wide: boolean; // the right part takes the whole width
  frame: string; // frame that the flame graph is zoomed to: a hash of the names above it
  source: number; // generated source that is shown
  other: number; // execution to compare with, of the other recording if there is one
}

export const nothing: Selection = {
  execution: -1, from: 0, to: -1, operator: -1, stage: -1, task: -1, search: "",
  view: "flame", plan: "tree", thread: false, inverted: false, framework: false, wide: false, frame: "", source: -1, other: -1,
};

// Names of what the hash says as it is.
const words: (keyof Selection)[] = ["search", "view", "plan", "frame"];
const switches: (keyof Selection)[] = ["thread", "inverted", "framework", "wide"];

// The names of a run, an operator, a stage, a task and a source. They stay when the recording is
// drawn again, and the parts of a run and an operator when it is made again.
export function runName(r: Recording, execution: number): string {
  let names = runNames.get(r);
  if (!names) {
    const short = r.executions.map((e) => `${r.queries[e.query]?.id ?? ""}:${e.id}`);
    const count = new Map<string, number>();
    for (const name of short) count.set(name, (count.get(name) ?? 0) + 1);
    names = short.map((name, i) => (count.get(name)! > 1 ? `${name}@${r.executions[i]!.application}` : name));
    runNames.set(r, names);
  }
  return names[execution]!;
}

const runNames = new WeakMap<Recording, string[]>();

function operatorName(r: Recording, s: Selection): string {
  const operator = r.operators[s.operator];
  if (!operator) return `[${r.groupNames[s.operator]}]`;
  const query = r.executions[s.execution]?.query;
  return query === operator.query ? operator.id : `${r.queries[operator.query]?.id ?? ""}/${operator.id}`;
}

// stageName returns a stage's number, with its attempt if that is not the first.
export function stageName(r: Recording, stage: number): string {
  const { id, attempt } = r.stages[stage]!;
  return attempt ? `${id}.${attempt}` : String(id);
}

// among returns what tells a stage from the stages of other applications: its application, "" if a
// run is selected or the recording has one application.
function among(r: Recording, execution: number): (stage: number) => string {
  const several = execution < 0 && r.stages.some((x) => x.application !== r.stages[0]!.application);
  return (stage) => (several ? `@${r.stages[stage]!.application}` : "");
}

const sourceName = (r: Recording, source: number) => textHash(r.sources[source]!.lines.join("\n"));

// find returns the index that a name stands for, -1 if the recording has none.
function find(count: number, wanted: string | null, name: (i: number) => string, first: (i: number) => boolean = () => true): number {
  let out = -1;
  if (wanted === null) return out;
  for (let i = 0; i < count; i++) {
    if (name(i) !== wanted) continue;
    if (first(i)) return i;
    if (out < 0) out = i;
  }
  return out;
}

export function toHash(s: Selection, r: Recording, other: Recording | null = null): string {
  const out = new URLSearchParams();
  const of = among(r, s.execution);
  if (s.execution >= 0) out.set("run", runName(r, s.execution));
  if (s.operator >= 0) out.set("operator", operatorName(r, s));
  if (s.stage >= 0) out.set("stage", stageName(r, s.stage) + of(s.stage));
  if (s.task >= 0) out.set("task", r.tasks.id[s.task] + of(r.tasks.stage[s.task]!));
  if (s.to >= 0) out.set("window", `${s.from}-${s.to}`);
  for (const key of words) if (s[key] !== nothing[key]) out.set(key, String(s[key]));
  for (const key of switches) if (s[key]) out.set(key, "1");
  if (s.source >= 0) out.set("source", sourceName(r, s.source));
  if (s.other >= 0) out.set("with", runName(other ?? r, s.other));
  // What need not be escaped in a hash reads better as it is.
  const text = out.toString().replace(/%(3A|40|2F|5B|5D)/g, (code) => decodeURIComponent(code));
  return text ? "#" + text : "";
}

// fromHash reads a hash. What it names and the recording lacks is not selected.
export function fromHash(hash: string, r: Recording, other: Recording | null = null): Selection {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const out: Selection = { ...nothing };
  out.execution = find(r.executions.length, given.get("run"), (i) => runName(r, i));
  const of = among(r, out.execution);
  const mine = (execution: number) => out.execution < 0 || execution === out.execution;
  out.operator = find(r.groupNames.length, given.get("operator"), (operator) => operatorName(r, { ...out, operator }));
  out.stage = find(r.stages.length, given.get("stage"), (i) => stageName(r, i) + of(i), (i) => mine(r.stages[i]!.execution));
  out.task = find(r.tasks.id.length, given.get("task"), (i) => (i ? r.tasks.id[i] + of(r.tasks.stage[i]!) : ""), (i) => mine(r.tasks.execution[i]!));
  out.search = given.get("search") ?? "";
  out.frame = given.get("frame") ?? "";
  out.view = views.find((v) => v === given.get("view")) ?? nothing.view;
  out.plan = plans.find((p) => p === given.get("plan")) ?? nothing.plan;
  out.thread = given.get("thread") === "1";
  out.inverted = given.get("inverted") === "1";
  out.framework = given.get("framework") === "1";
  out.wide = given.get("wide") === "1";
  if (given.has("source")) out.source = find(r.sources.length, given.get("source"), (i) => sourceName(r, i));
  out.other = find((other ?? r).executions.length, given.get("with"), (i) => runName(other ?? r, i));
  const window = /^(\d+)-(\d+)$/.exec(given.get("window") ?? "");
  if (window && Number(window[1]) < Number(window[2])) {
    out.from = Number(window[1]);
    out.to = Number(window[2]);
  }
  return out;
}
