import { inputsOf } from "./plan";
import type { Execution } from "./recording";

// GraphNode is an operator's place in the drawing of a plan: columns go right, rows go down.
export interface GraphNode {
  node: number; // of the execution's nodes
  column: number;
  row: number;
  above: number; // index of the drawing's nodes, -1 for the result
  inputs: number[]; // indexes, the streamed one first
  stage: boolean; // it runs in another stage than what is above it
}

export interface Graph {
  nodes: GraphNode[];
  columns: number;
  rows: number;
}

// layoutGraph lays a plan out: a streamed chain stands straight down in one column. The chains of
// the other inputs begin a row below their operator, each in the first column to the right that is
// free there.
export function layoutGraph(e: Execution): Graph {
  const out: Graph = { nodes: [], columns: 0, rows: 0 };
  const { tops, inputs } = inputsOf(e);
  const taken = new Set<string>();
  const free = (column: number, row: number, length: number) => {
    // A row stays empty behind a chain, so that two do not look like one.
    for (let i = -1; i <= length; i++) if (taken.has(`${column} ${row + i}`)) return false;
    return true;
  };
  const put = (top: number, leastColumn: number, topRow: number, above: number) => {
    const chain: number[] = [];
    for (let at: number | undefined = top; at !== undefined; at = inputs(at)[0]) chain.push(at);
    let column = leastColumn;
    while (!free(column, topRow, chain.length)) column++;
    const first = out.nodes.length;
    chain.forEach((node, i) => {
      const parent = i ? out.nodes.length - 1 : above;
      const placeAbove = parent < 0 ? null : e.nodes[out.nodes[parent]!.node]!.place;
      out.nodes.push({ node, column, row: topRow + i, above: parent, inputs: [], stage: e.nodes[node]!.place !== placeAbove });
      if (parent >= 0) out.nodes[parent]!.inputs.push(out.nodes.length - 1);
      taken.add(`${column} ${topRow + i}`);
    });
    out.columns = Math.max(out.columns, column + 1);
    out.rows = Math.max(out.rows, topRow + chain.length);
    chain.forEach((node, i) => {
      for (const input of inputs(node).slice(1)) put(input, column + 1, topRow + i + 1, first + i);
    });
  };
  for (const top of tops) put(top, out.columns, 0, -1);
  return out;
}
