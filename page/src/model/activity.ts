import { firstAt, overlap, type Recording } from "./recording";
import type { Selection } from "./selection";
import { pickLabels } from "./sums";

// Activity is CPU over time. bins[slot * width + x] is ns of a slot, which is an operator's color.
export interface Activity {
  from: number;
  to: number;
  width: number;
  slots: number;
  bins: Float64Array;
  all: Float64Array; // the same before operator, stage, task and search narrow it
  lane: Int16Array; // lane * width + x: the slot that used most, or -1
  lanePicked: Uint8Array; // 1: some of what used most is picked
}

export interface Span {
  from: number;
  to: number;
  width: number;
}

// slotted says which color each label has.
export interface Slotted {
  of: Int16Array;
  count: number;
}

export function activity(r: Recording, s: Selection, found: Uint8Array | null, slots: Slotted, { from, to, width }: Span): Activity {
  const { run, all } = pickLabels(r, s);
  const lanes = r.lanes.length;
  const out: Activity = {
    from, to, width, slots: slots.count, bins: new Float64Array(slots.count * width), all: new Float64Array(slots.count * width),
    lane: new Int16Array(lanes * width).fill(-1), lanePicked: new Uint8Array(lanes * width),
  };
  const scale = width / (to - from);
  const { time, label, stack, task, cpu } = r.samples;
  const most = new Float64Array(lanes * slots.count);
  const mostPicked = new Float64Array(lanes * slots.count);
  let column = -1;
  for (let i = firstAt(time, from), end = firstAt(time, to); i < end; i++) {
    const l = label[i]!;
    if (!run[l]) continue;
    const slot = slots.of[l]!;
    const x = Math.min(width - 1, Math.floor((time[i]! - from) * scale));
    const picked = all[l]! && (s.task < 0 || task[i] === s.task) && (!found || found[stack[i]!]!);
    out.all[slot * width + x]! += cpu[i]!;
    if (picked) out.bins[slot * width + x]! += cpu[i]!;
    if (x !== column) {
      closeColumn(out, column, most, mostPicked);
      column = x;
    }
    const lane = r.tasks.lane[task[i]!]!;
    if (lane <= 0) continue;
    most[lane * slots.count + slot]! += cpu[i]!;
    if (picked) mostPicked[lane * slots.count + slot]! += cpu[i]!;
  }
  closeColumn(out, column, most, mostPicked);
  spreadExact(r, s, found, slots, out);
  return out;
}

// closeColumn decides what each lane shows of a column of pixels.
function closeColumn(a: Activity, column: number, most: Float64Array, picked: Float64Array) {
  if (column < 0) return;
  for (let lane = 0; lane * a.slots < most.length; lane++) {
    let best = -1;
    for (let k = 0; k < a.slots; k++) {
      if (most[lane * a.slots + k]! > (best < 0 ? 0 : most[lane * a.slots + best]!)) best = k;
    }
    if (best < 0) continue;
    a.lane[lane * a.width + column] = best;
    a.lanePicked[lane * a.width + column] = picked[lane * a.slots + best]! > 0 ? 1 : 0;
  }
  most.fill(0);
  picked.fill(0);
}

// spreadExact spreads each row of exact CPU evenly over its time.
function spreadExact(r: Recording, s: Selection, found: Uint8Array | null, slots: Slotted, a: Activity) {
  const { run, all } = pickLabels(r, s);
  const e = r.exact;
  const step = (a.to - a.from) / a.width;
  for (let i = 0; i < e.label.length; i++) {
    const l = e.label[i]!;
    if (!run[l] || e.end[i]! < a.from || e.start[i]! >= a.to) continue;
    const picked = all[l] && (s.task < 0 || e.task[i] === s.task) && !found;
    const first = Math.max(0, Math.floor((e.start[i]! - a.from) / step));
    const last = Math.min(a.width - 1, Math.floor((e.end[i]! - a.from) / step));
    for (let x = first; x <= last; x++) {
      const ns = e.ns[i]! * overlap(e.start[i]!, e.end[i]!, a.from + x * step, a.from + (x + 1) * step);
      a.all[slots.of[l]! * a.width + x]! += ns;
      if (picked) a.bins[slots.of[l]! * a.width + x]! += ns;
    }
  }
}
