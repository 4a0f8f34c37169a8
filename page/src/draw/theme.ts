// Colors that canvases use, which CSS does not reach.
export interface Theme {
  ink: string;
  dim: string;
  line: string;
  paper: string;
  soft: string;
  accent: string;
  more: string;
  less: string;
  onstrong: string; // text on much more or less
  font: string;
}

export function theme(dark: boolean, rem: number): Theme {
  const font = `${rem * 0.9}px system-ui, "DejaVu Sans", sans-serif`;
  return dark
    ? { ink: "#e8eaed", dim: "#a3abb5", line: "#33373d", paper: "#16181b", soft: "#2a2f35", accent: "#8ab4ff", more: "#ff8a5c", less: "#7fb0ff", onstrong: "#10141a", font }
    : { ink: "#1a1d21", dim: "#5b626b", line: "#dfe1e4", paper: "#fbfbfa", soft: "#e9ebee", accent: "#2257c4", more: "#c8401a", less: "#1f5fbf", onstrong: "#ffffff", font };
}

// The few colors that mix made: a flame graph asks for one a box.
const mixed = new Map<string, string>();

// mix returns a color between two of the form #rrggbb.
export function mix(a: string, b: string, share: number): string {
  const key = a + b + share;
  let out = mixed.get(key);
  if (!out) mixed.set(key, (out = between(a, b, share)));
  return out;
}

function between(a: string, b: string, share: number): string {
  const part = (s: string, i: number) => parseInt(s.slice(1 + 2 * i, 3 + 2 * i), 16);
  const one = (i: number) => Math.round(part(a, i) * share + part(b, i) * (1 - share));
  return `rgb(${one(0)} ${one(1)} ${one(2)})`;
}

// fit returns as much of a text as a width holds, measuring few letters.
export function fit(c: CanvasRenderingContext2D, text: string, width: number, letter: number): string {
  const room = Math.floor(width / letter);
  if (room < 2) return "";
  if (text.length <= room * 0.8 || c.measureText(text).width <= width) return text;
  let end = Math.min(text.length, Math.ceil(room * 1.3));
  while (end > 1 && c.measureText(text.slice(0, end) + "…").width > width) end -= Math.max(1, end >> 4);
  return end > 1 ? text.slice(0, end) + "…" : "";
}
