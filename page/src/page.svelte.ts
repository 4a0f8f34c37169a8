import { gray, slotOfOperators } from "./model/colors";
import { figure, groups, type Groups } from "./model/figures";
import { pairs, type Pairs } from "./model/flame";
import type { Execution, Recording } from "./model/recording";
import { fromHash, nothing, toHash, type Selection } from "./model/selection";
import { matching, span, Windows } from "./model/sums";

const narrowingOf = (s: Selection) => JSON.stringify([s.execution, s.operator, s.stage, s.task, s.search]);
const everything = narrowingOf(nothing);

// Page is the state that all views share: a recording and what is selected of it.
export class Page {
  readonly r: Recording;
  readonly other: Recording | null;
  readonly groups: Groups;
  readonly pairs: Pairs;
  readonly slotOfOperator: Int16Array;
  readonly slotOfLabel: Int16Array;

  s: Selection = $state.raw(nothing);
  // The size of 1 rem in pixels, and the size of the window.
  rem = $state(parseFloat(getComputedStyle(document.documentElement).fontSize));
  width = $state(innerWidth);
  height = $state(innerHeight);
  // Whether the plan has room for one more column.
  roomy = $derived(this.width / this.rem >= 110);
  dark = $state(matchMedia("(prefers-color-scheme: dark)").matches);
  said = $state("");

  // The selection without its window and without how it is shown. It stays the same object while a
  // window is dragged.
  private readonly narrowing = $derived(narrowingOf(this.s));
  narrowed: Selection = $derived.by(() => {
    const [execution, operator, stage, task, search] = JSON.parse(this.narrowing) as [number, number, number, number, string];
    return { ...nothing, execution, operator, stage, task, search };
  });
  found = $derived.by(() => matching(this.r, this.narrowed.search));
  private readonly session: Windows;
  private readonly windows = $derived.by(() => (this.narrowing === everything ? this.session : new Windows(this.r, this.pairs, this.narrowed, this.found)));
  // The bounds as one text: the sums follow it, and not what else a selection says.
  private readonly window = $derived(`${this.s.from} ${this.s.to}`);
  sums = $derived.by(() => {
    const [from, to] = this.window.split(" ").map(Number) as [number, number];
    return this.windows.sums(...span({ ...nothing, from, to }));
  });
  execution: Execution | undefined = $derived.by(() => this.r.executions[this.s.execution]);
  // The time that the activity shows.
  from = $derived.by(() => this.execution?.start ?? 0);
  to = $derived.by(() => this.execution?.end ?? this.r.meta.span);

  // All of the run in the window, the task and the search.
  runTotal = $derived.by(() => this.sums.sampled.reduce((a, b) => a + b, 0) + this.sums.exact.reduce((a, b) => a + b, 0));
  // What the selection would hold without its search.
  private readonly unsearchedWindows = $derived.by(() => (this.found ? new Windows(this.r, this.pairs, { ...this.narrowed, search: "" }, null) : this.windows));
  unsearched = $derived.by(() => (this.found ? this.unsearchedWindows.sums(...span(this.s)).picked : this.sums.picked));
  readonly executionNanos: number[];
  readonly sessionNanos: number;
  readonly labelNanos: Float64Array;
  runNanos = $derived.by(() => this.executionNanos[this.s.execution] ?? this.sessionNanos);
  wallNanos = $derived.by(() => (this.to - this.from) * this.r.meta.tickNanos);

  constructor(r: Recording, other: Recording | null) {
    this.r = r;
    this.other = other;
    this.groups = groups(r);
    this.pairs = pairs(r);
    this.slotOfOperator = slotOfOperators(r);
    this.slotOfLabel = Int16Array.from(r.labels, (l) => (l.operator < 0 ? gray : this.slotOfOperator[l.operator]!));
    this.session = new Windows(r, this.pairs, nothing, null);
    const all = this.session.sums(...span(nothing));
    this.executionNanos = this.groups.execution.map((labels) => figure(r, all, labels).ns);
    this.sessionNanos = all.picked;
    this.labelNanos = all.sampled.map((ns, l) => ns + all.exact[l]!);
    this.s = fromHash(location.hash, r, other);
    addEventListener("popstate", () => (this.s = fromHash(location.hash, r, other)));
  }

  private firsts: Uint8Array | null = null;

  // Node of the frames' tree → 1 if no frame above it has its name.
  get firstOfName(): Uint8Array {
    if (this.firsts) return this.firsts;
    const { parent, frame } = this.r.stacks;
    const name = (node: number) => this.r.frames.name[frame[node]!]!;
    const out = new Uint8Array(parent.length).fill(1);
    for (let i = 0; i < out.length; i++) {
      for (let above = parent[i]!; above >= 0; above = parent[above]!) {
        if (name(above) !== name(i)) continue;
        out[i] = 0;
        break;
      }
    }
    return (this.firsts = out);
  }

  // select changes the selection. While a window is dragged the URL stays.
  select(change: Partial<Selection>, how: "push" | "drag" = "push") {
    const next = { ...this.s, ...change };
    if (change.execution !== undefined && change.execution !== this.s.execution) this.leaveExecution(next, change);
    this.s = next;
    if (how === "drag") return;
    const hash = toHash(next, this.r, this.other);
    if (hash !== location.hash) history.pushState(null, "", hash || location.pathname + location.search);
  }

  // lines are the user's own lines of the run that is opened.
  lines = $derived.by(() => new Set((this.execution?.nodes ?? []).map((n) => n.line).filter(Boolean)));

  // lineOf returns an operator's own line if it tells it from the others of its run.
  lineOf(line: string): string {
    return this.lines.size > 1 ? line : "";
  }

  // toggle selects one thing, or nothing if it is selected.
  toggle(key: "operator" | "stage" | "task", value: number) {
    this.select({ [key]: this.s[key] === value ? -1 : value });
  }

  slotOf(operator: number): number {
    return operator < 0 ? gray : (this.slotOfOperator[operator] ?? gray);
  }

  // Of another run, the stage, the task and the time are others. An operator of the same query
  // stays.
  private leaveExecution(next: Selection, change: Partial<Selection>) {
    const query = this.r.executions[next.execution]?.query;
    const operator = this.r.operators[next.operator];
    if (change.operator === undefined && operator && query !== undefined && operator.query !== query) next.operator = -1;
    if (change.stage === undefined) next.stage = -1;
    if (change.task === undefined) next.task = -1;
    if (change.to === undefined) next.to = -1;
    next.source = -1;
    next.frame = "";
  }
}
