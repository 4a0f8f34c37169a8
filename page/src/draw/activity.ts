import type { Activity } from "../model/activity";
import { color, gray } from "../model/colors";
import { clock } from "../model/numbers";
import type { Recording } from "../model/recording";
import { taskFailed } from "../model/recording";
import { mix, type Theme } from "./theme";

export interface Scene {
  r: Recording;
  a: Activity;
  theme: Theme;
  rem: number;
  chart: number; // height of the chart; below it the axis and the lanes
  lanes: number[];
  laneHeight: number;
  task: number;
}

// axisHeight in rem.
export const axisHeight = 1.3;

// step returns a round distance of an axis' ticks.
export function step(span: number, most: number): number {
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw)!;
}

// cores returns the highest column, in cores.
export function cores(a: Activity, tickNanos: number): number {
  const column = ((a.to - a.from) / a.width) * tickNanos;
  let most = 0;
  for (let x = 0; x < a.width; x++) {
    let sum = 0;
    for (let k = 0; k < a.slots; k++) sum += a.all[k * a.width + x]!;
    most = Math.max(most, sum / column);
  }
  return most;
}

export function paintActivity(c: CanvasRenderingContext2D, width: number, s: Scene) {
  const { a, theme, chart } = s;
  const tick = s.r.meta.tickNanos;
  const column = ((a.to - a.from) / a.width) * tick;
  const top = Math.max(1, cores(a, tick));
  const w = width / a.width;
  const inset = s.rem * 1.1;
  const scale = (chart - inset) / (top * column);
  c.font = theme.font;
  const lines: number[] = [];
  for (let k = 1; k <= top; k += Math.max(1, Math.round(top / 4))) lines.push(k);
  c.fillStyle = theme.line;
  for (const k of lines) c.fillRect(0, Math.round(chart - k * column * scale) + 0.5, width, 1);
  const paler = Array.from({ length: a.slots }, (_, k) => mix(k === gray ? "#8a9099" : color(k), theme.paper, 0.22));
  for (let x = 0; x < a.width; x++) {
    let y = chart;
    let pale = chart;
    for (let k = a.slots - 1; k >= 0; k--) {
      const all = a.all[k * a.width + x]! * scale;
      if (!all) continue;
      c.fillStyle = paler[k]!;
      c.fillRect(x * w, pale - all, w + 0.3, all);
      pale -= all;
      const h = a.bins[k * a.width + x]! * scale;
      if (!h) continue;
      y = pale + all;
      c.fillStyle = color(k);
      c.fillRect(x * w, y - h, w + 0.3, h);
    }
  }
  c.fillStyle = theme.dim;
  c.textBaseline = "top";
  c.textAlign = "left";
  c.fillText("cores busy, by operator", 2, 0);
  c.textAlign = "right";
  c.textBaseline = "bottom";
  for (const k of lines) c.fillText(String(k), width - 2, Math.round(chart - k * column * scale));
  c.textBaseline = "top";
  paintAxis(c, width, s);
  paintLanes(c, width, s);
}

function paintAxis(c: CanvasRenderingContext2D, width: number, { a, theme, chart, r, rem }: Scene) {
  c.fillStyle = theme.line;
  c.fillRect(0, chart, width, 1);
  c.fillStyle = theme.dim;
  const span = a.to - a.from;
  const by = step(span, width / (rem * 7));
  for (let t = Math.ceil(a.from / by) * by; t <= a.to; t += by) {
    const x = ((t - a.from) / span) * width;
    c.textAlign = x < 20 ? "left" : x > width - 40 ? "right" : "center";
    c.fillText(clock((t * r.meta.tickNanos) / 1e3, (by * r.meta.tickNanos) / 1e3), x, chart + 3);
  }
}

function paintLanes(c: CanvasRenderingContext2D, width: number, s: Scene) {
  const { a, theme, r, chart, rem, laneHeight } = s;
  const span = a.to - a.from;
  const rowOf = new Map(s.lanes.map((lane, i) => [lane, i]));
  const y0 = chart + axisHeight * rem;
  const t = r.tasks;
  // Waits and idle cores are what no operator colors: tasks show as boxes, gaps stay empty.
  for (let i = 1; i < t.id.length; i++) {
    const row = rowOf.get(t.lane[i]!);
    if (row === undefined || t.end[i]! < a.from || t.start[i]! > a.to) continue;
    const x = ((t.start[i]! - a.from) / span) * width;
    const w = Math.max(1, ((t.end[i]! - t.start[i]!) / span) * width - 0.6);
    c.fillStyle = theme.soft;
    c.fillRect(x, y0 + row * laneHeight, w, laneHeight - 2);
  }
  const w = width / a.width;
  for (const [lane, row] of rowOf) {
    for (let x = 0; x < a.width; x++) {
      const slot = a.lane[lane * a.width + x]!;
      if (slot < 0) continue;
      c.fillStyle = a.lanePicked[lane * a.width + x] ? color(slot) : mix(slot === gray ? "#8a9099" : color(slot), theme.paper, 0.25);
      c.fillRect(x * w, y0 + row * laneHeight + 1, w + 0.3, laneHeight - 4);
    }
  }
  for (let i = 1; i < t.id.length; i++) {
    const row = rowOf.get(t.lane[i]!);
    if (row === undefined || t.end[i]! < a.from || t.start[i]! > a.to) continue;
    const picked = i === s.task;
    if (!picked && !(t.flags[i]! & taskFailed) && ((t.end[i]! - t.start[i]!) / span) * width < 4) continue;
    c.strokeStyle = picked ? theme.accent : t.flags[i]! & taskFailed ? "#cc3311" : theme.dim;
    c.lineWidth = picked ? 2 : 0.5;
    const x = ((t.start[i]! - a.from) / span) * width;
    c.strokeRect(x, y0 + row * laneHeight, Math.max(1, ((t.end[i]! - t.start[i]!) / span) * width - 0.6), laneHeight - 2);
  }
}
