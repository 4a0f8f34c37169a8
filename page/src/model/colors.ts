import type { Recording } from "./recording";

// Twelve hues that color-blind readers tell apart by hue or lightness, after Paul Tol's sets
// (https://sronpersonalpages.nl/~pault). Slot 12 is gray: all that is cheaper, and no operator.
export const hues = [
  "#4477aa", "#ee7733", "#228833", "#cc3377", "#33bbee", "#ccaa22",
  "#882255", "#009988", "#aa88dd", "#999933", "#dd7788", "#775533",
] as const;
export const gray = hues.length;
export const slots = hues.length + 1;

export function color(slot: number): string {
  return hues[slot] ?? "#8a9099";
}

// ink returns a text color that reads on a slot's color.
export function ink(slot: number): string {
  return [4, 5, 8, 10, 1].includes(slot) ? "#111" : "#fff";
}

// Colors hold one slot an operator. The costliest operators of a query get its hues: runs of one
// query share their operators, so an operator keeps its color wherever it is drawn.
export function slotOfOperators(r: Recording): Int16Array {
  const cost = new Float64Array(r.operators.length);
  for (const l of r.labels) if (l.operator >= 0) cost[l.operator]! += l.cpu;
  const out = new Int16Array(r.operators.length).fill(gray);
  const next = new Map<number, number>();
  const order = [...cost.keys()].sort((a, b) => cost[b]! - cost[a]!);
  for (const o of order) {
    if (!cost[o]) continue;
    const query = r.operators[o]!.query;
    const slot = next.get(query) ?? 0;
    out[o] = Math.min(slot, gray);
    next.set(query, slot + 1);
  }
  return out;
}
