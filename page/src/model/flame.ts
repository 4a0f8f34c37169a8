import { PairIndex } from "./index";
import type { Recording } from "./recording";

// Shape says which tree the flame graph draws.
export interface Shape {
  thread: boolean; // from the thread's root, not from the operator
  inverted: boolean;
  framework: boolean; // framework frames are shown
}

// A key of a tree's node is a string's index, or ~g for the group of labels g.
export interface FlameTree {
  parent: Int32Array; // parents come before their children
  key: Int32Array;
  group: Int32Array; // group of labels that it belongs to, -1 for several
  leaf: Int32Array; // pair → node
}

// Pairs are the distinct (label, stack) of the samples, and (label, no stack) of the rows of exact
// CPU. Every tree is built once for them, and a selection then only adds up numbers.
export interface Pairs {
  of: Uint32Array; // sample → pair
  exact: Int32Array; // label → pair of its exact rows, -1
  label: Int32Array;
  stack: Int32Array;
}

export function pairs(r: Recording): Pairs {
  const index = new PairIndex(r.stacks.leaf.length);
  const { label, stack } = r.samples;
  const of = new Uint32Array(label.length);
  for (let i = 0; i < of.length; i++) of[i] = index.id(label[i]!, stack[i]!);
  const exact = new Int32Array(r.labels.length).fill(-1);
  for (const l of r.exact.label) exact[l] = index.id(l, 0);
  return { of, exact, label: index.firsts(), stack: index.seconds() };
}

// framework are the classes between operators that run them and are none: they fold.
const framework =
  /^(java\.lang\.Thread|java\.util\.concurrent\.|jdk\.internal\.|java\.lang\.invoke|scala\.(collection\.Iterator|runtime|Option|Function)|org\.apache\.spark\.(executor|scheduler|rdd|util\.Utils|util\.ThreadUtils|TaskContext|InterruptibleIterator|util\.CompletionIterator|sql\.execution\.(WholeStageCodegen(Exec|Evaluator)|SparkPlan|SQLExecution)))/;

export function isFramework(name: string): boolean {
  return framework.test(name);
}

// deepest bounds an inverted tree, which shares few nodes.
const deepest = 48;

// tree builds the tree of a shape. group is label → group: an operator, or a bucket.
export function tree(r: Recording, p: Pairs, group: Int32Array, shape: Shape): FlameTree {
  const { parent, frame, leaf, operator } = r.stacks;
  const index = new PairIndex(parent.length);
  const groupOf: number[] = [];
  const node = (above: number, key: number, g: number): number => {
    const id = index.id(above, key);
    if (id === groupOf.length) groupOf.push(g);
    else if (groupOf[id] !== g) groupOf[id] = -1;
    return id;
  };
  const folded = Uint8Array.from(r.strings, (name) => (isFramework(name) ? 1 : 0));
  const shown = (at: number) => shape.framework || !folded[r.frames.name[frame[at]!]!];
  const name = (at: number) => r.frames.name[frame[at]!]!;
  const out = new Int32Array(p.label.length);
  const groupAt = (i: number) => group[p.label[i]!]!;
  const stop = (i: number) => operator[p.stack[i]!]!;
  // Stacks of one operator that begin at one node share their way, which the memo keeps.
  const order = [...out.keys()].sort((a, b) => groupAt(a) - groupAt(b) || stop(a) - stop(b));
  const memo = new Int32Array(parent.length);
  const memoOf = new Int32Array(parent.length);
  let walk = 0;
  const path: number[] = [];
  order.forEach((i, k) => {
    const g = groupAt(i);
    const begin = stop(i);
    if (!k || groupAt(order[k - 1]!) !== g || stop(order[k - 1]!) !== begin) walk++;
    let at = leaf[p.stack[i]!]!;
    let deep = -1;
    if (shape.inverted) {
      let steps = 0;
      for (; at >= 0 && steps < deepest; at = parent[at]!) {
        if (shown(at)) {
          deep = node(deep, name(at), g);
          steps++;
        }
        if (at === begin && !shape.thread) break;
      }
      out[i] = node(deep, ~g, g);
      return;
    }
    path.length = 0;
    let known = false;
    while (at >= 0) {
      if (memoOf[at] === walk) {
        deep = memo[at]!;
        known = true;
        break;
      }
      path.push(at);
      if (at === begin && !shape.thread) break;
      at = parent[at]!;
    }
    // The operator's frame stands above where its part of the stack begins.
    if (!known && (!shape.thread || begin < 0)) deep = node(-1, ~g, g);
    for (let step = path.length - 1; step >= 0; step--) {
      const here = path[step]!;
      if (shape.thread && here === begin) deep = node(deep, ~g, g);
      if (shown(here)) deep = node(deep, name(here), g);
      memo[here] = deep;
      memoOf[here] = walk;
    }
    out[i] = deep;
  });
  return { parent: index.firsts(), key: index.seconds(), group: Int32Array.from(groupOf), leaf: out };
}

export interface Box {
  node: number;
  x: number; // 0 to 1
  w: number;
  depth: number;
  ns: number;
  self: number;
}

export interface Flame {
  boxes: Box[];
  total: number;
  depth: number;
}

// layout draws the tree of a selection: `cost` is ns by pair. Boxes thinner than `least` of the
// width are left out, their cost stays in their parents.
export function layout(t: FlameTree, cost: Float64Array, zoom: number, least: number): Flame {
  const n = t.parent.length;
  const sum = new Float64Array(n);
  const self = new Float64Array(n);
  for (let i = 0; i < cost.length; i++) {
    sum[t.leaf[i]!]! += cost[i]!;
    self[t.leaf[i]!]! += cost[i]!;
  }
  const first = new Int32Array(n).fill(-1);
  const next = new Int32Array(n).fill(-1);
  const roots: number[] = [];
  let total = 0;
  for (let i = n - 1; i >= 0; i--) {
    if (!sum[i]) continue;
    const above = t.parent[i]!;
    if (above < 0) {
      roots.push(i);
      total += sum[i]!;
    } else {
      sum[above]! += sum[i]!;
      next[i] = first[above]!;
      first[above] = i;
    }
  }
  const out: Flame = { boxes: [], total, depth: 0 };
  const tops = zoom >= 0 && zoom < n && sum[zoom]! > 0 ? [zoom] : roots;
  const width = tops.reduce((a, i) => a + sum[i]!, 0);
  if (!width) return out;
  const place = (nodes: number[], x: number, depth: number) => {
    nodes.sort((a, b) => sum[b]! - sum[a]!);
    for (const i of nodes) {
      const w = sum[i]! / width;
      if (w < least) break;
      out.boxes.push({ node: i, x, w, depth, ns: sum[i]!, self: self[i]! });
      out.depth = Math.max(out.depth, depth + 1);
      const below: number[] = [];
      for (let k = first[i]!; k >= 0; k = next[k]!) below.push(k);
      if (below.length) place(below, x, depth + 1);
      x += w;
    }
  };
  place(tops, 0, 0);
  return out;
}
