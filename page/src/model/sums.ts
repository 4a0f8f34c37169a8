import type { Pairs } from "./flame";
import { firstAt, flag, overlap, type Recording } from "./recording";
import type { Selection } from "./selection";

// Sums are what a selection's samples and rows of exact CPU add up to. A view never narrows itself:
// the labels' sums hold all operators and stages, and the tasks' hold all tasks. What every part of
// the selection leaves is `picked`.
export interface Sums {
  sampled: Float64Array; // ns of samples by label, whatever the operator and the stage
  exact: Float64Array; // ns of exact rows by label
  below: Float64Array;
  above: Float64Array;
  count: Uint32Array; // samples by label
  weak: Float64Array; // ns of weak samples by label
  pair: Float64Array; // ns by pair of label and stack, all narrowed
  task: Float64Array; // ns by task, whatever the task
  picked: number; // ns
  samples: number;
}

// Picks say which labels a selection takes: `run` by execution alone, `all` by everything. What
// stands beside the session is in no selection.
export interface Picks {
  run: Uint8Array;
  all: Uint8Array;
}

export function pickLabels(r: Recording, s: Selection): Picks {
  const run = new Uint8Array(r.labels.length);
  const all = new Uint8Array(r.labels.length);
  r.labels.forEach((l, i) => {
    run[i] = !l.beside && (s.execution < 0 || l.execution === s.execution) ? 1 : 0;
    const stage = s.stage < 0 || l.stage === s.stage;
    const operator = s.operator < 0 || l.operator === s.operator;
    all[i] = run[i] && stage && operator ? 1 : 0;
  });
  return { run, all };
}

// matching marks the stacks that hold a frame whose name has the text in it, null for no text.
export function matching(r: Recording, search: string): Uint8Array | null {
  const text = search.trim().toLowerCase();
  if (!text) return null;
  const strings = Uint8Array.from(r.strings, (name) => (name.toLowerCase().includes(text) ? 1 : 0));
  const { parent, frame, leaf } = r.stacks;
  const nodes = new Uint8Array(parent.length);
  for (let i = 0; i < nodes.length; i++) {
    const above = parent[i]!;
    nodes[i] = strings[r.frames.name[frame[i]!]!]! | (above >= 0 ? nodes[above]! : 0);
  }
  return Uint8Array.from(leaf, (node) => (node < 0 ? 0 : nodes[node]!));
}

// span returns the window's bounds in ticks, [from, to).
export function span(s: Selection): [number, number] {
  return s.to < 0 ? [0, Infinity] : [s.from, s.to];
}

export function sum(r: Recording, p: Pairs, s: Selection, found: Uint8Array | null): Sums {
  const { run, all } = pickLabels(r, s);
  const labels = r.labels.length;
  const out: Sums = {
    sampled: new Float64Array(labels), exact: new Float64Array(labels), below: new Float64Array(labels), above: new Float64Array(labels),
    count: new Uint32Array(labels), weak: new Float64Array(labels), pair: new Float64Array(p.label.length),
    task: new Float64Array(r.tasks.id.length), picked: 0, samples: 0,
  };
  const [from, to] = span(s);
  const { time, label, stack, task, flags, cpu } = r.samples;
  const pairOf = p.of;
  for (let i = firstAt(time, from), end = firstAt(time, to); i < end; i++) {
    const l = label[i]!;
    if (!run[l] || (found && !found[stack[i]!])) continue;
    const ns = cpu[i]!;
    const mine = s.task < 0 || task[i] === s.task;
    if (mine) {
      out.sampled[l]! += ns;
      out.count[l]!++;
      if (flags[i]! & flag.weak) out.weak[l]! += ns;
    }
    if (!all[l]) continue;
    out.task[task[i]!]! += ns;
    if (!mine) continue;
    out.pair[pairOf[i]!]! += ns;
    out.samples++;
    out.picked += ns;
  }
  if (!found) addExact(r, p, s, { run, all }, out);
  return out;
}

// addExact adds the rows of exact CPU, which have no stack: a search leaves them out.
function addExact(r: Recording, p: Pairs, s: Selection, { run, all }: Picks, out: Sums) {
  const [from, to] = span(s);
  const e = r.exact;
  for (let i = 0; i < e.label.length; i++) {
    const l = e.label[i]!;
    if (!run[l]) continue;
    const part = overlap(e.start[i]!, e.end[i]!, from, to);
    if (!part) continue;
    const ns = e.ns[i]! * part;
    const mine = s.task < 0 || e.task[i] === s.task;
    if (mine) {
      out.exact[l]! += ns;
      out.below[l]! += e.below[i]! * part;
      out.above[l]! += e.above[i]! * part;
    }
    if (!all[l]) continue;
    out.task[e.task[i]!]! += ns;
    if (!mine) continue;
    out.pair[p.exact[l]!]! += ns;
    out.picked += ns;
  }
}
