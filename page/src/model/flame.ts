import { emptyHash, extend } from "./hash";
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
  // The pairs in an order in which all that are below a node follow each other. The node's own are
  // at [first, own), all of them at [first, last).
  order: Int32Array;
  // What the pairs before each of that order cost, of the selection that was drawn last.
  before: Float64Array;
  first: Int32Array;
  own: Int32Array;
  last: Int32Array;
  // The nodes below node i are at [below[i + 1], below[i + 2]) of children, the roots at [below[0],
  // below[1]).
  below: Int32Array;
  children: Int32Array;
}

// Pairs are the distinct (label, stack) of the samples, and (label, no stack) of the rows of exact
// CPU. Every tree is built once for them, and a selection then only adds up numbers.
export interface Pairs {
  of: Uint32Array; // sample → pair
  exact: Int32Array; // label → pair of its exact rows, -1
  label: Int32Array;
  stack: Int32Array;
}

const known = new WeakMap<Recording, Pairs>();

// pairs returns the pairs of a recording, which are found once.
export function pairs(r: Recording): Pairs {
  let out = known.get(r);
  if (!out) known.set(r, (out = find(r)));
  return out;
}

function find(r: Recording): Pairs {
  const index = new PairIndex(2 * r.stacks.leaf.length);
  const { label, stack } = r.samples;
  const of = new Uint32Array(label.length);
  // Samples of one stack that follow each other mostly have one label.
  const lastLabel = new Int32Array(r.stacks.leaf.length).fill(-1);
  const lastPair = new Uint32Array(r.stacks.leaf.length);
  for (let i = 0; i < of.length; i++) {
    const s = stack[i]!;
    const l = label[i]!;
    if (lastLabel[s] !== l) {
      lastLabel[s] = l;
      lastPair[s] = index.id(l, s);
    }
    of[i] = lastPair[s]!;
  }
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
  const count = p.label.length;
  const index = new PairIndex(count);
  const groupOf: number[] = [];
  const node = (above: number, key: number, g: number): number => {
    const id = index.id(above, key);
    if (id === groupOf.length) groupOf.push(g);
    else if (groupOf[id] !== g) groupOf[id] = -1;
    return id;
  };
  // Frame → the string of its name, -1 if it folds.
  const folded = Uint8Array.from(r.strings, (name) => (!shape.framework && isFramework(name) ? 1 : 0));
  const nameOf = Int32Array.from(r.frames.name, (name) => (folded[name] ? -1 : name));
  const out = new Int32Array(count);
  const groupAt = new Int32Array(count);
  const stop = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    groupAt[i] = group[p.label[i]!]!;
    stop[i] = operator[p.stack[i]!]!;
  }
  // Stacks of one operator that begin at one node share their way, which the memo keeps.
  const order = sorted(sorted(null, stop, parent.length), groupAt, r.groupNames.length);
  const memo = new Int32Array(parent.length);
  const memoOf = new Int32Array(parent.length);
  const path: number[] = [];
  let walk = 0;
  for (let k = 0; k < count; k++) {
    const i = order[k]!;
    const g = groupAt[i]!;
    const begin = stop[i]!;
    if (!k || groupAt[order[k - 1]!] !== g || stop[order[k - 1]!] !== begin) walk++;
    let at = leaf[p.stack[i]!]!;
    let deep = -1;
    if (shape.inverted) {
      for (let steps = 0; at >= 0 && steps < deepest; at = parent[at]!) {
        const name = nameOf[frame[at]!]!;
        if (name >= 0) {
          deep = node(deep, name, g);
          steps++;
        }
        if (at === begin && !shape.thread) break;
      }
      out[i] = node(deep, ~g, g);
      continue;
    }
    let length = 0;
    let known = false;
    while (at >= 0) {
      if (memoOf[at] === walk) {
        deep = memo[at]!;
        known = true;
        break;
      }
      path[length++] = at;
      if (at === begin && !shape.thread) break;
      at = parent[at]!;
    }
    // The operator's frame stands above where its part of the stack begins.
    if (!known && (!shape.thread || begin < 0)) deep = node(-1, ~g, g);
    while (length) {
      const here = path[--length]!;
      if (shape.thread && here === begin) deep = node(deep, ~g, g);
      const name = nameOf[frame[here]!]!;
      if (name >= 0) deep = node(deep, name, g);
      memo[here] = deep;
      memoOf[here] = walk;
    }
    out[i] = deep;
  }
  return { key: index.seconds(), group: Int32Array.from(groupOf), ...ordered(index.firsts(), out) };
}

// pathHashes returns a hash of the names from the root down to each node: it stays when the tree is
// built again. nameOf is key → name.
export function pathHashes(t: FlameTree, nameOf: (key: number) => string): Int32Array {
  const names = new Map<number, number>();
  const out = new Int32Array(t.key.length);
  for (let i = 0; i < out.length; i++) {
    const key = t.key[i]!;
    let own = names.get(key);
    if (own === undefined) names.set(key, (own = extend(emptyHash, nameOf(key))));
    const above = t.parent[i]! < 0 ? emptyHash : out[t.parent[i]!]!;
    out[i] = Math.imul(above ^ own, 0x01000193) ^ (above >>> 15);
  }
  return out;
}

// frameTree makes a tree of frames alone. leaf is pair → node.
export function frameTree(parent: Int32Array, key: Int32Array, leaf: Int32Array): FlameTree {
  return { key, group: new Int32Array(parent.length), ...ordered(parent, leaf) };
}

// sorted sorts indices by keys from -1 to count - 1, and leaves equals as they are. No order is the
// order of the indices.
function sorted(order: Int32Array | null, key: Int32Array, count: number): Int32Array {
  const next = new Int32Array(count + 2);
  for (let i = 0; i < key.length; i++) next[key[i]! + 2]!++;
  for (let k = 0; k <= count; k++) next[k + 1]! += next[k]!;
  const out = new Int32Array(key.length);
  for (let k = 0; k < key.length; k++) {
    const i = order ? order[k]! : k;
    out[next[key[i]! + 1]!++] = i;
  }
  return out;
}

// ordered lays a tree out so that a node's cost is a difference of two sums.
function ordered(parent: Int32Array, leaf: Int32Array) {
  const n = parent.length;
  const own = new Int32Array(n);
  for (const node of leaf) own[node]!++;
  const last = own.slice(); // first the number of pairs below each node
  const below = new Int32Array(n + 2);
  for (let i = n - 1; i >= 0; i--) {
    below[parent[i]! + 2]!++;
    if (parent[i]! >= 0) last[parent[i]!]! += last[i]!;
  }
  for (let i = 0; i <= n; i++) below[i + 1]! += below[i]!;
  const children = new Int32Array(n);
  const slot = below.slice();
  const first = new Int32Array(n);
  const free = new Int32Array(n); // where the next child's pairs begin
  let roots = 0;
  for (let i = 0; i < n; i++) {
    const above = parent[i]!;
    children[slot[above + 1]!++] = i;
    const size = last[i]!;
    if (above < 0) {
      first[i] = roots;
      roots += size;
    } else {
      first[i] = free[above]!;
      free[above]! += size;
    }
    free[i] = own[i] = first[i]! + own[i]!;
    last[i] = first[i]! + size;
  }
  const order = new Int32Array(leaf.length);
  const at = first.slice();
  for (let pair = 0; pair < leaf.length; pair++) order[at[leaf[pair]!]!++] = pair;
  return { parent, leaf, order, before: new Float64Array(order.length + 1), first, own, last, below, children };
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
  const { before, order } = t;
  for (let k = 0; k < order.length; k++) before[k + 1] = before[k]! + cost[order[k]!]!;
  const sum = (i: number) => before[t.last[i]!]! - before[t.first[i]!]!;
  const out: Flame = { boxes: [], total: before[order.length]!, depth: 0 };
  const zoomed = zoom >= 0 && zoom < t.parent.length && sum(zoom) > 0;
  const width = zoomed ? sum(zoom) : out.total;
  if (!width) return out;
  const place = (nodes: Iterable<number>, x: number, depth: number) => {
    const wide: Box[] = [];
    for (const node of nodes) {
      const ns = sum(node);
      if (ns > 0 && ns / width >= least) wide.push({ node, x: 0, w: ns / width, depth, ns, self: before[t.own[node]!]! - before[t.first[node]!]! });
    }
    wide.sort((a, b) => b.ns - a.ns);
    for (const box of wide) {
      box.x = x;
      out.boxes.push(box);
      out.depth = Math.max(out.depth, depth + 1);
      place(below(t, box.node), x, depth + 1);
      x += box.w;
    }
  };
  place(zoomed ? [zoom] : below(t, -1), 0, 0);
  return out;
}

// below returns the nodes below a node, for -1 the roots.
function below(t: FlameTree, node: number): Int32Array {
  return t.children.subarray(t.below[node + 1]!, t.below[node + 2]!);
}
