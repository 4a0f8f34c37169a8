// What is selected, and how it stands in the URL's hash.

export const views = ["flame", "code", "tasks", "methods", "compare"] as const;
export type ViewName = (typeof views)[number];

export interface Selection {
  execution: number; // index, or -1 for the session
  from: number; // ticks, the window is [from, to); to < 0 is no window
  to: number;
  operator: number;
  stage: number;
  task: number;
  search: string;
  // How it is shown, which narrows nothing.
  view: ViewName;
  table: boolean;
  thread: boolean; // flame graph from the thread's root
  inverted: boolean;
  framework: boolean; // framework frames are shown
  frame: string; // path of the flame graph's zoom
  source: number; // generated source that is shown
  other: number; // execution of the same recording to compare with
}

export const nothing: Selection = {
  execution: -1, from: 0, to: -1, operator: -1, stage: -1, task: -1, search: "",
  view: "flame", table: false, thread: false, inverted: false, framework: false, frame: "", source: -1, other: -1,
};

// keys are the names in the hash. All but the search and the window are indexes.
const keys: [keyof Selection, string][] = [
  ["execution", "run"], ["operator", "operator"], ["stage", "stage"], ["task", "task"], ["search", "search"],
  ["view", "view"], ["table", "table"], ["thread", "thread"], ["inverted", "inverted"], ["framework", "framework"],
  ["frame", "frame"], ["source", "source"], ["other", "with"],
];

export function toHash(s: Selection): string {
  const out = new URLSearchParams();
  for (const [key, name] of keys) {
    const value = s[key];
    if (value !== nothing[key]) out.set(name, value === true ? "1" : String(value));
  }
  if (s.to >= 0) out.set("window", `${s.from}-${s.to}`);
  return out.size ? "#" + out.toString() : "";
}

// limits bound the indexes of a hash, which may come from another recording.
export interface Limits {
  execution: number;
  operator: number;
  stage: number;
  task: number;
  source: number;
  other: number;
}

export function fromHash(hash: string, limits: Limits): Selection {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const out: Record<string, unknown> = { ...nothing };
  for (const [key, name] of keys) {
    const text = given.get(name);
    if (text === null) continue;
    const standard = nothing[key];
    if (typeof standard === "boolean") out[key] = text === "1";
    else if (typeof standard === "string") out[key] = text;
    else {
      const index = Number(text);
      if (/^\d+$/.test(text) && index < limits[key as keyof Limits]) out[key] = index;
    }
  }
  if (!views.includes(out.view as ViewName)) out.view = nothing.view;
  const window = /^(\d+)-(\d+)$/.exec(given.get("window") ?? "");
  if (window && Number(window[1]) < Number(window[2])) {
    out.from = Number(window[1]);
    out.to = Number(window[2]);
  }
  return out as unknown as Selection;
}
