import type { Page } from "../page.svelte";
import { firstAt, overlap } from "./recording";
import { pickLabels, span } from "./sums";

// Difference is what the expensive tasks spend more than the median task, by operator.
export interface Difference {
  group: number; // an operator or a bucket
  expensive: number; // ns a task
  median: number;
}

export interface Skew {
  stage: number;
  tasks: number[]; // by CPU, the most expensive first
  ns: Float64Array; // by task of the recording
  expensive: number[];
  middle: number[];
  median: number;
  differences: Difference[];
}

// stagesOf returns the stages whose tasks are in the selection, the one with most CPU first.
export function stagesOf(page: Page): { stage: number; ns: number }[] {
  const cost = new Map<number, number>();
  page.sums.task.forEach((ns, t) => {
    const stage = page.r.tasks.stage[t]!;
    if (ns && t && stage >= 0) cost.set(stage, (cost.get(stage) ?? 0) + ns);
  });
  return [...cost].map(([stage, ns]) => ({ stage, ns })).sort((a, b) => b.ns - a.ns);
}

// skew compares the tenth of a stage's tasks that costs most with the tasks around the median.
export function skew(page: Page, stage: number): Skew {
  const { r } = page;
  const ns = page.sums.task;
  const tasks: number[] = [];
  for (let t = 1; t < r.tasks.id.length; t++) if (r.tasks.stage[t] === stage) tasks.push(t);
  tasks.sort((a, b) => ns[b]! - ns[a]!);
  const tenth = Math.max(1, Math.round(tasks.length / 10));
  const from = Math.max(0, Math.floor((tasks.length - tenth) / 2));
  const expensive = tasks.slice(0, tenth);
  const middle = tasks.length > 2 ? tasks.slice(from, from + tenth) : tasks.slice(-1);
  const half = tasks.length >> 1;
  const median = tasks.length % 2 ? ns[tasks[half]!]! : tasks.length ? (ns[tasks[half]!]! + ns[tasks[half - 1]!]!) / 2 : 0;
  return { stage, tasks, ns, expensive, middle, median, differences: differences(page, expensive, middle) };
}

function differences(page: Page, expensive: number[], middle: number[]): Difference[] {
  const { r, s } = page;
  const count = r.groupNames.length;
  const kind = new Uint8Array(r.tasks.id.length);
  for (const t of expensive) kind[t] = 1;
  for (const t of middle) kind[t]! |= 2;
  const sums = [new Float64Array(count), new Float64Array(count)];
  const { all } = pickLabels(r, s);
  const [from, to] = span(s);
  const add = (task: number, label: number, ns: number) => {
    if (!all[label]) return;
    const at = r.group[label]!;
    if (kind[task]! & 1) sums[0]![at]! += ns;
    if (kind[task]! & 2) sums[1]![at]! += ns;
  };
  const { time, label, task, stack, cpu } = r.samples;
  for (let i = firstAt(time, from), end = firstAt(time, to); i < end; i++) {
    if (kind[task[i]!] && (!page.found || page.found[stack[i]!])) add(task[i]!, label[i]!, cpu[i]!);
  }
  const e = r.exact;
  if (!page.found) for (let i = 0; i < e.label.length; i++) if (kind[e.task[i]!]) add(e.task[i]!, e.label[i]!, e.ns[i]! * overlap(e.start[i]!, e.end[i]!, from, to));
  const out: Difference[] = [];
  for (let at = 0; at < count; at++) {
    const d = { group: at, expensive: sums[0]![at]! / Math.max(1, expensive.length), median: sums[1]![at]! / Math.max(1, middle.length) };
    if (d.expensive || d.median) out.push(d);
  }
  return out.sort((a, b) => Math.abs(b.expensive - b.median) - Math.abs(a.expensive - a.median));
}
