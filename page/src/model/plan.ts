import type { Execution } from "./recording";

// PlanRow is an operator as the plan draws it, or the head of a stage.
export interface PlanRow {
  kind: "operator" | "part" | "stage";
  node: number; // of the execution's nodes; for a head the node of the first row below it
  part: number; // index of the node's parts
  lane: number;
  codegen: number;
  from: number; // row that the line from above comes from, -1 for none
}

export interface PlanDrawing {
  rows: PlanRow[];
  lanes: number;
  // Frames of whole-stage code: rows of one lane that one generated class runs.
  frames: { node: number; id: number; lane: number; first: number; last: number }[];
}

// operatorsBelow returns the nearest nodes with an operator at or below a node.
function operatorsBelow(e: Execution, children: number[][], node: number): number[] {
  if (e.nodes[node]!.operatorName) return [node];
  return children[node]!.flatMap((c) => operatorsBelow(e, children, c));
}

// streamed returns which of a node's inputs its rows flow from: not the side that a hash join
// builds, else one that the same generated class runs, else the first.
function streamed(e: Execution, node: number, inputs: number[]): number {
  const detail = e.nodes[node]!.text;
  if (/\bBuildLeft\b/.test(detail)) return inputs.length - 1;
  if (/\bBuildRight\b/.test(detail)) return 0;
  const own = e.nodes[node]!.codegen;
  const same = own >= 0 ? inputs.findIndex((i) => e.nodes[i]!.codegen === own) : -1;
  return Math.max(0, same);
}

// inputsOf returns the operators that nothing is above, and what tells an operator's inputs, the
// streamed one first.
export function inputsOf(e: Execution): { tops: number[]; inputs: (node: number) => number[] } {
  const children: number[][] = e.nodes.map(() => []);
  e.nodes.forEach((n, i) => n.parent >= 0 && children[n.parent]!.push(i));
  const inputs = (node: number) => {
    const all = children[node]!.flatMap((c) => operatorsBelow(e, children, c));
    const straight = all.length ? streamed(e, node, all) : 0;
    return all.length ? [all[straight]!, ...all.filter((_, i) => i !== straight)] : [];
  };
  return { tops: e.nodes.flatMap((n, i) => (n.parent < 0 ? operatorsBelow(e, children, i) : [])), inputs };
}

// draw lays a plan out: the streamed chain goes straight down, the other inputs branch to the right
// and come first. Below a node stands a row for each of its parts.
export function draw(e: Execution, partsOf: (node: number) => number): PlanDrawing {
  const { tops, inputs } = inputsOf(e);
  const rows: PlanRow[] = [];
  let lanes = 1;
  const put = (node: number, lane: number, from: number, placeAbove: string | null) => {
    const { place, codegen } = e.nodes[node]!;
    lanes = Math.max(lanes, lane + 1);
    // Below a branch that another stage runs, the head says again where this is.
    const before = rows.at(-1);
    if (place !== placeAbove || (before && e.nodes[before.node]!.place !== place)) {
      rows.push({ kind: "stage", node, part: -1, lane, codegen: -1, from });
      from = rows.length - 1;
    }
    rows.push({ kind: "operator", node, part: -1, lane, codegen, from });
    const me = rows.length - 1;
    for (let part = 0; part < partsOf(node); part++) rows.push({ kind: "part", node, part, lane, codegen, from: me });
    const [straight, ...others] = inputs(node);
    if (straight === undefined) return;
    for (const input of others) put(input, lane + 1, me, place);
    put(straight, lane, me, place);
  };
  for (const top of tops) put(top, 0, -1, null);
  const frames: PlanDrawing["frames"] = [];
  rows.forEach((row, i) => {
    if (row.kind === "stage" || row.codegen < 0) return;
    const frame = frames.find((f) => f.node === row.codegen && f.lane === row.lane);
    if (frame) frame.last = i;
    else frames.push({ node: row.codegen, id: e.nodes[row.node]!.codegenId, lane: row.lane, first: i, last: i });
  });
  return { rows, lanes, frames };
}
