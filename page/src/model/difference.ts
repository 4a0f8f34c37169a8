import { frameTree, isFramework, layout, pairs, type Flame, type FlameTree } from "./flame";
import { PairIndex } from "./index";
import type { Recording } from "./recording";

// DifferenceTree is the stacks of two sides as one tree of names. A node's key is an index of
// names.
export interface DifferenceTree {
  tree: FlameTree;
  names: string[];
  a: Float64Array; // ns by pair, of the first side's pairs
  b: Float64Array;
}

// Share is a side's stacks: which labels count, and what a pair cost.
export interface Share {
  r: Recording;
  labels: Uint8Array;
  cost: Float64Array; // ns by pair of all labels
  runs: number; // costs are of a run
}

// differenceTree merges the stacks of two sides from the operator's own frame down.
export function differenceTree(first: Share, second: Share): DifferenceTree {
  const index = new PairIndex();
  const ids = new Map<string, number>();
  const names: string[] = [];
  const leaves: number[] = [];
  const costs: number[][] = [[], []];
  const idOf = (name: string) => {
    let id = ids.get(name);
    if (id === undefined) {
      ids.set(name, (id = names.length));
      names.push(name);
    }
    return id;
  };
  [first, second].forEach(({ r, labels, cost, runs }, side) => {
    const p = pairs(r);
    const { parent, frame, leaf, operator } = r.stacks;
    const nameOf = new Map<number, number>(); // string → id, -1 for a frame that folds
    cost.forEach((ns, pair) => {
      if (!ns || !labels[p.label[pair]!]) return;
      const stack = p.stack[pair]!;
      const path: number[] = [];
      for (let at = leaf[stack]!; at >= 0; at = parent[at]!) {
        const string = r.frames.name[frame[at]!]!;
        let name = nameOf.get(string);
        if (name === undefined) nameOf.set(string, (name = isFramework(r.strings[string]!) ? -1 : idOf(r.strings[string]!)));
        if (name >= 0) path.push(name);
        if (at === operator[stack]) break;
      }
      // What has no stack, such as the kernel's exact CPU, is a frame of its own.
      if (!path.length) path.push(idOf("(no stack)"));
      let node = -1;
      for (let i = path.length - 1; i >= 0; i--) node = index.id(node, path[i]!);
      leaves.push(node);
      costs[side]!.push(ns / Math.max(runs, 1));
      costs[1 - side]!.push(0);
    });
  });
  const tree = frameTree(index.firsts(), index.seconds(), Int32Array.from(leaves));
  return { tree, names, a: Float64Array.from(costs[0]!), b: Float64Array.from(costs[1]!) };
}

export interface Drawn extends Flame {
  a: Float64Array; // ns of a run by node
  b: Float64Array;
  most: number; // the largest difference of a box
}

// drawDifference lays the tree out: a box is as wide as both sides' cost together, so that nothing
// that is new or gone is left out.
export function drawDifference(d: DifferenceTree, zoom: number, least: number): Drawn {
  const flame = layout(d.tree, d.a.map((ns, i) => ns + d.b[i]!), zoom, least);
  const a = byNode(d.tree, d.a);
  const b = byNode(d.tree, d.b);
  const most = flame.boxes.reduce((m, box) => Math.max(m, Math.abs(b[box.node]! - a[box.node]!)), 0);
  return { ...flame, a, b, most };
}

function byNode(t: FlameTree, cost: Float64Array): Float64Array {
  const out = new Float64Array(t.parent.length);
  cost.forEach((ns, pair) => (out[t.leaf[pair]!]! += ns));
  for (let i = out.length - 1; i >= 0; i--) if (t.parent[i]! >= 0) out[t.parent[i]!]! += out[i]!;
  return out;
}
