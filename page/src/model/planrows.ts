import type { Page } from "../page.svelte";
import { figure, nanos, plusMinus, rows, type Figure } from "./figures";
import { count, perRow, seconds, share } from "./numbers";
import type { Label } from "./recording";

// Cells are the figures of one row, as numbers and as text. Plan, table and copied text show these.
export interface Cells {
  figure: Figure;
  rows: number | null;
  cpu: string;
  plusMinus: string;
  share: string;
  rowsText: string;
  perRow: string;
  usual: string; // how many times as much a row costs as usual, as the report has it
  usually: string; // what it usually costs
  unusual: string; // why it is marked, "" if it is not
}

// cells returns the figures of labels, which are of one stage if it is given. The stage that is
// selected narrows neither their CPU nor their rows.
export function cells(page: Page, labels: readonly number[], ats: readonly number[], stage = -1): Cells {
  const f = figure(page.r, page.sums, labels);
  const n = ats.length ? rows(page.r, { ...page.s, stage }, ats) : null;
  const half = plusMinus(f);
  const usual = n && f.ns && ats.length === 1 ? page.r.places[ats[0]!]!.usual : undefined;
  const marked = usual?.expensive && f.ns / n! > usual.high_ns_per_row;
  return {
    figure: f, rows: n, cpu: f.ns ? seconds(f.ns) : "", plusMinus: half && f.ns ? `± ${seconds(half)}` : "",
    share: f.ns ? share(f.ns, page.runTotal) : "", rowsText: n === null ? "" : count(n), perRow: n && f.ns ? perRow(f.ns / n) : "",
    usual: usual ? `× ${(f.ns / n! / usual.ns_per_row).toFixed(1)}` : "", usually: usual ? perRow(usual.ns_per_row) : "",
    unusual: marked ? `more than usual: 95 % of its kind cost ${perRow(usual!.low_ns_per_row)} to ${perRow(usual!.high_ns_per_row)} a row` : "",
  };
}

// Part is what an operator does in one stage, or one way of its work.
export interface Part {
  name: string;
  stage: number;
  labels: number[];
}

// parts splits a node's labels that used CPU by part and stage. It returns none if there is one.
export function parts(page: Page, labels: readonly number[]): Part[] {
  const out = new Map<string, Part>();
  for (const l of labels) {
    const label = page.r.labels[l]!;
    if (!page.labelNanos[l]) continue;
    const name = partName(label);
    const key = `${name}/${label.stage}`;
    const part = out.get(key);
    if (part) part.labels.push(l);
    else out.set(key, { name, stage: label.stage, labels: [l] });
  }
  return out.size > 1 ? [...out.values()].sort((a, b) => a.stage - b.stage) : [];
}

function partName(l: Label): string {
  return l.part || (l.python ? "Python" : "");
}

// nodeLabels returns the labels of a node of the run that is selected.
export function nodeLabels(page: Page, node: number): readonly number[] {
  return page.groups.node(page.s.execution).get(node) ?? [];
}

// partAts returns the operators by place that a part's rows are counted for.
export function partAts(page: Page, part: Part): number[] {
  return [...new Set(part.labels.map((l) => page.r.labels[l]!.at))];
}

// nodeOperator returns the operator of a node, -1 for none.
export function nodeOperator(page: Page, node: number): number {
  const at = page.execution!.nodes[node]!.operators[0];
  return at === undefined ? -1 : page.r.at[at]!;
}

// title splits an operator's name into its kind and what it works on.
export function title(name: string): [string, string] {
  const [kind, ...rest] = name.split(" ");
  return [kind!.replace(/^ShuffleExchange$/, "Exchange"), rest.join(" ")];
}

// atsOf returns the operators by place of an operator. If a run is selected, they are its own.
export function atsOf(page: Page, operator: number): number[] {
  const ats = new Set<number>();
  for (const l of page.groups.operator[operator] ?? []) if (page.s.execution < 0 || page.r.labels[l]!.execution === page.s.execution) ats.add(page.r.labels[l]!.at);
  return [...ats];
}

// stageOf returns the stage of the run that works at a place.
export function stageOf(page: Page, place: string): number {
  const { r, s } = page;
  let found = -1;
  r.stages.forEach((stage, i) => {
    if (stage.execution === s.execution && stage.place === place) found = i;
  });
  return found;
}

// stageFacts are what the head of a stage says beside its number.
export function stageFacts(page: Page, index: number): string {
  const { r } = page;
  const stage = r.stages[index];
  if (!stage) return "";
  const out = [`${stage.tasks} task${stage.tasks === 1 ? "" : "s"}`, `${seconds(nanos(page.sums, page.groups.stage[index]!))} CPU`];
  if (stage.end > stage.start) out.push(`${seconds((stage.end - stage.start) * r.meta.tickNanos)} wall`);
  const t = stage.times;
  if (!t) return out.join(" · ");
  if (t.fetch_wait_ms! > 0) out.push(`${seconds(t.fetch_wait_ms! * 1e6)} fetch wait`);
  if (t.gc_ms! > 0) out.push(`${seconds(t.gc_ms! * 1e6)} GC`);
  if (t.disk_spilled_bytes! > 0) out.push(`${count(t.disk_spilled_bytes!)}B spilled`);
  if (t.max_run_ms! > 0 && t.median_run_ms! > 0) out.push(`max/median ${(t.max_run_ms! / t.median_run_ms!).toFixed(1)}`);
  return out.join(" · ");
}

// Rest is a row of what belongs to no operator of the plan.
export interface Rest {
  name: string;
  group: number; // operator or bucket
  labels: number[];
}

export function rest(page: Page): Rest[] {
  const { r, s, groups } = page;
  const out: Rest[] = [];
  // Operators that stand at no node, such as a Python worker's. Without a run they are the
  // operators of no run.
  const loose = new Map<number, number[]>();
  const placed = new Set(page.execution?.nodes.flatMap((_, i) => [...nodeLabels(page, i)]));
  r.labels.forEach((label, l) => {
    if (label.execution === s.execution && label.operator >= 0 && !placed.has(l)) loose.set(label.operator, [...(loose.get(label.operator) ?? []), l]);
  });
  for (const [group, labels] of loose) out.push({ name: r.operators[group]!.name, group, labels });
  for (const [name, labels] of groups.bucket) out.push({ name, group: r.group[labels[0]!]!, labels });
  return out
    .map((x) => ({ x, ns: nanos(page.sums, x.labels) }))
    .filter(({ ns }) => ns > 0)
    .sort((a, b) => b.ns - a.ns)
    .map(({ x }) => x);
}
