import type { Pairs } from "./flame";
import { firstAt, flag, onGrid, overlap, type Recording } from "./recording";
import type { Selection } from "./selection";

// Sums are what a selection's samples and rows of exact CPU add up to. A view never narrows itself:
// the labels' sums hold all operators and stages, and the tasks' hold all tasks. What every part of
// the selection leaves is `picked`.
export interface Sums {
  sampled: Float64Array; // ns of samples by label, whatever the operator and the stage
  exact: Float64Array; // ns of exact rows by label
  below: Float64Array;
  above: Float64Array;
  count: Float64Array; // samples by label
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
    const operator = s.operator < 0 || r.group[i] === s.operator;
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

// Room is where each kind of sum stands in one array, so that sums are added and taken away as one.
class Room {
  readonly sampled: number;
  readonly count: number;
  readonly weak: number;
  readonly task: number;
  readonly pair: number;
  readonly picked: number;
  readonly samples: number;
  readonly size: number;

  constructor(labels: number, tasks: number, pairs: number) {
    this.sampled = 0;
    this.count = labels;
    this.weak = 2 * labels;
    this.task = 3 * labels;
    this.pair = this.task + tasks;
    this.picked = this.pair + pairs;
    this.samples = this.picked + 1;
    this.size = this.samples + 1;
  }
}

// Limits of what a Windows holds. A window costs at most `stride` samples and two checkpoints.
const leastStride = 1 << 13;
const mostCheckpoints = 16;
const mostHeld = 1 << 24; // numbers of all checkpoints: 128 MB

// Windows sums up windows of one selection, however wide they are, at the same cost: at checkpoints
// it holds what the samples before them add up to. A window is the difference of two, and of the
// samples between them and its bounds. If it differs from the last window by fewer samples, it is
// that window with the difference. Costs are multiples of a power of two, so a difference is the
// very sum. The checkpoints are made when they are first needed.
export class Windows {
  private readonly picks: Picks;
  private readonly room: Room;
  private stride = 0;
  private checkpoints: Float64Array[] = [];
  private whole: Sums | null = null;
  // The samples of the last window, and their sums.
  private last = { first: 0, end: 0 };
  private at: Float64Array | null = null;
  // Label → what the samples of the pair of its exact rows cost, which these add to.
  private readonly underExact: Float64Array;

  constructor(
    private readonly r: Recording, private readonly p: Pairs, private readonly s: Selection, private readonly found: Uint8Array | null,
    private readonly least = leastStride,
  ) {
    this.picks = pickLabels(r, s);
    this.room = new Room(r.labels.length, r.tasks.id.length, p.label.length);
    this.underExact = new Float64Array(r.labels.length);
  }

  // sums adds up the samples and the rows of exact CPU in [from, to), in ticks. The sums of the
  // whole recording are kept. Others stand until the next call.
  sums(from: number, to: number): Sums {
    if (from <= 0 && to === Infinity) return (this.whole ??= this.make(from, to));
    return this.make(from, to);
  }

  private make(from: number, to: number): Sums {
    const { time } = this.r.samples;
    const { room } = this;
    const first = firstAt(time, from);
    const end = firstAt(time, to);
    const at = this.samples(first, end);
    const labels = this.r.labels.length;
    const part = (begin: number, length: number) => at.subarray(begin, begin + length);
    const out: Sums = {
      sampled: part(room.sampled, labels), count: part(room.count, labels), weak: part(room.weak, labels),
      exact: new Float64Array(labels), below: new Float64Array(labels), above: new Float64Array(labels),
      task: part(room.task, this.r.tasks.id.length).slice(), pair: part(room.pair, this.p.label.length), picked: at[room.picked]!, samples: at[room.samples]!,
    };
    if (!this.found) addExact(this.r, this.p, this.s, from, to, this.picks, out);
    return out;
  }

  // samples returns the sums of the samples in [first, end).
  private samples(first: number, end: number): Float64Array {
    if (end - first === this.r.samples.time.length) {
      const all = new Float64Array(this.room.size);
      this.add(all, first, end, 1);
      return all;
    }
    const at = (this.at ??= new Float64Array(this.room.size));
    const { last, underExact } = this;
    const exact = this.p.exact;
    for (let l = 0; l < exact.length; l++) if (exact[l]! >= 0) at[this.room.pair + exact[l]!] = underExact[l]!;
    const step = Math.abs(first - last.first) + Math.abs(end - last.end);
    if (step <= this.least || (this.stride && 2 * step <= this.stride)) this.move(at, last.first, last.end, first, end);
    else this.difference(at, first, end);
    this.last = { first, end };
    for (let l = 0; l < exact.length; l++) if (exact[l]! >= 0) underExact[l] = at[this.room.pair + exact[l]!]!;
    return at;
  }

  // move makes the sums of [oldFirst, oldEnd) the sums of [first, end).
  private move(at: Float64Array, oldFirst: number, oldEnd: number, first: number, end: number) {
    if (first < oldFirst) this.add(at, first, oldFirst, 1);
    else this.add(at, oldFirst, first, -1);
    if (oldEnd < end) this.add(at, oldEnd, end, 1);
    else this.add(at, end, oldEnd, -1);
  }

  private difference(at: Float64Array, first: number, end: number) {
    if (!this.stride) this.hold();
    const { stride, checkpoints } = this;
    const before = Math.round(first / stride);
    const after = Math.round(end / stride);
    const high = checkpoints[after]!;
    const low = checkpoints[before]!;
    for (let i = 0; i < at.length; i++) at[i] = high[i]! - low[i]!;
    this.move(at, before * stride, after * stride, first, end);
  }

  // hold makes the checkpoints.
  private hold() {
    const samples = this.r.samples.time.length;
    const { size } = this.room;
    const most = Math.max(1, Math.min(mostCheckpoints, Math.floor(mostHeld / size)));
    this.stride = Math.max(this.least, Math.ceil(samples / most));
    const count = Math.ceil(samples / this.stride);
    const all = new Float64Array((count + 1) * size);
    for (let k = 0; k <= count; k++) {
      const at = all.subarray(k * size, (k + 1) * size);
      if (k) {
        at.set(this.checkpoints[k - 1]!);
        this.add(at, (k - 1) * this.stride, Math.min(samples, k * this.stride), 1);
      }
      this.checkpoints.push(at);
    }
  }

  // add adds samples, `sign` times.
  private add(at: Float64Array, first: number, end: number, sign: number) {
    const { time, label, stack, task, flags, cpu } = this.r.samples;
    const { run, all } = this.picks;
    const { found, room } = this;
    const pairOf = this.p.of;
    const only = this.s.task;
    for (let i = first, last = Math.min(end, time.length); i < last; i++) {
      const l = label[i]!;
      if (!run[l] || (found && !found[stack[i]!])) continue;
      const ns = sign * cpu[i]!;
      const mine = only < 0 || task[i] === only;
      if (mine) {
        at[room.sampled + l]! += ns;
        at[room.count + l]! += sign;
        if (flags[i]! & flag.weak) at[room.weak + l]! += ns;
      }
      if (!all[l]) continue;
      at[room.task + task[i]!]! += ns;
      if (!mine) continue;
      at[room.pair + pairOf[i]!]! += ns;
      at[room.samples]! += sign;
      at[room.picked]! += ns;
    }
  }
}

// sum adds up one selection with its window.
export function sum(r: Recording, p: Pairs, s: Selection, found: Uint8Array | null): Sums {
  return new Windows(r, p, s, found, Infinity).sums(...span(s));
}

// addExact adds the rows of exact CPU, which have no stack: a search leaves them out.
function addExact(r: Recording, p: Pairs, s: Selection, from: number, to: number, { run, all }: Picks, out: Sums) {
  const e = r.exact;
  for (let i = 0; i < e.label.length; i++) {
    const l = e.label[i]!;
    if (!run[l]) continue;
    const part = overlap(e.start[i]!, e.end[i]!, from, to);
    if (!part) continue;
    const ns = onGrid(e.ns[i]! * part, r.samples.grain);
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
