import { color } from "../model/colors";
import type { Graph } from "../model/graph";
import type { Cells } from "../model/planrows";
import { title } from "../model/planrows";
import { fit, mix, type Theme } from "./theme";

// View is what of a drawing is seen: its origin in CSS pixels, and how large a rem of it is drawn.
export interface View {
  x: number;
  y: number;
  scale: number;
  wide: number; // how much wider boxes are than they need be
}

// GraphBox is what an operator's box says.
export interface GraphBox {
  name: string;
  cells: Cells;
  slot: number;
  stage: string; // head above it, "" for none
  codegen: number; // number of its whole-stage code, 0 for none
  off: boolean; // another operator is selected
  on: boolean;
}

export interface GraphScene {
  graph: Graph;
  boxes: GraphBox[];
  theme: Theme;
  view: View;
  focus: number;
  most: number; // ns of the longest bar
}

// Sizes in rem of the drawing.
export const step = { x: 25, y: 4.6 };
const size = { w: 23, h: 3.1 };

// stepOf and sizeOf are the distances and the sizes of boxes in a view, in rem of the drawing.
export const stepOf = (v: View) => ({ x: step.x * v.wide, y: step.y });
export const sizeOf = (v: View) => ({ w: stepOf(v).x - (step.x - size.w), h: size.h });

// Sizes of text in pixels: below the one a box says its name alone, below the other nothing.
const whole = 8;
const least = 7;

export function paintGraph(c: CanvasRenderingContext2D, width: number, height: number, s: GraphScene) {
  const { graph, view, theme } = s;
  const k = view.scale;
  const step = stepOf(view);
  const size = sizeOf(view);
  const at = (i: number) => ({ x: view.x + graph.nodes[i]!.column * step.x * k, y: view.y + graph.nodes[i]!.row * step.y * k });
  const seen = (x: number, y: number) => x < width && y < height && x + step.x * k > 0 && y + step.y * k > 0;
  paintCode(c, s);
  c.lineWidth = Math.max(1, 0.12 * k);
  graph.nodes.forEach((n, i) => {
    if (n.above < 0) return;
    const from = at(n.above);
    const to = at(i);
    if (Math.max(from.x, to.x) < -step.x * k || Math.min(from.x, to.x) > width || to.y < 0 || from.y > height) return;
    // Rows that flow make a way thicker, by their magnitude.
    const rows = s.boxes[n.above]!.cells.rows;
    c.lineWidth = Math.max(1, (0.1 + (rows ? 0.03 * Math.log10(rows) : 0)) * k);
    c.strokeStyle = theme.dim;
    const x0 = from.x + (to.x === from.x ? 2 : 3.5) * k;
    const x1 = to.x + 2 * k;
    const y0 = from.y + size.h * k;
    c.beginPath();
    c.moveTo(x0, y0);
    // Another input's way lies between the rows, where no box is.
    if (to.x !== from.x) {
      const y = y0 + ((step.y - size.h) / 2) * k;
      c.arcTo(x0, y, x1, y, 0.5 * k);
      c.arcTo(x1, y, x1, to.y, 0.5 * k);
    }
    c.lineTo(x1, to.y);
    c.stroke();
  });
  graph.nodes.forEach((_, i) => {
    const { x, y } = at(i);
    if (seen(x, y - 1.6 * k)) paintBox(c, s, i, x, y);
  });
}

// paintCode draws a frame behind neighbors that one generated class runs.
function paintCode(c: CanvasRenderingContext2D, { graph, boxes, view, theme }: GraphScene) {
  const k = view.scale;
  const step = stepOf(view);
  const size = sizeOf(view);
  c.fillStyle = theme.soft;
  graph.nodes.forEach((n, i) => {
    const code = boxes[i]!.codegen;
    if (!code) return;
    const above = graph.nodes[n.above];
    const joined = above && above.column === n.column && boxes[n.above]!.codegen === code;
    const top = n.row * step.y - (joined ? step.y - size.h : 0.35);
    c.fillRect(view.x + (n.column * step.x - 0.35) * k, view.y + top * k, (size.w + 0.7) * k, (n.row * step.y + size.h + 0.35 - top) * k);
  });
}

function paintBox(c: CanvasRenderingContext2D, { boxes, view, theme, focus, most }: GraphScene, i: number, x: number, y: number) {
  const b = boxes[i]!;
  const k = view.scale;
  const { w, h } = sizeOf(view);
  const { figure } = b.cells;
  c.globalAlpha = b.off ? 0.4 : 1;
  c.fillStyle = mix(theme.more, theme.paper, (0.3 * figure.ns) / Math.max(1, most));
  c.fillRect(x, y, w * k, h * k);
  c.strokeStyle = b.on || i === focus ? theme.accent : theme.line;
  c.lineWidth = b.on || i === focus ? 2 : 1;
  c.strokeRect(x, y, w * k, h * k);
  c.fillStyle = color(b.slot);
  c.fillRect(x, y, 0.45 * k, h * k);
  // The bar: what the JVM used, then paler what Python workers used.
  const room = (w - 0.45) * k;
  const jvm = (room * (figure.ns - figure.python)) / Math.max(1, most);
  c.fillRect(x + 0.45 * k, y + (h - 0.4) * k, jvm, 0.4 * k);
  if (figure.python) {
    c.fillStyle = mix(color(b.slot), theme.paper, 0.45);
    c.fillRect(x + 0.45 * k + jvm, y + (h - 0.4) * k, (room * figure.python) / Math.max(1, most), 0.4 * k);
  }
  c.textBaseline = "middle";
  c.textAlign = "left";
  const left = x + 1 * k;
  const inner = (w - 1.6) * k;
  const [kind, rest] = title(b.name);
  if (k < whole) {
    // Seen from afar, a box says its name as large as there is room for.
    const high = Math.min(11, h * k * 0.75);
    if (high >= least) say(b.name, left, y + (h * k) / 2 - 0.2 * k, high / k, theme.ink);
    c.globalAlpha = 1;
    return;
  }
  say(kind, left, y + 0.9 * k, 1, theme.ink, "600");
  const used = Math.min(inner, c.measureText(kind).width + 0.4 * k);
  say(rest, left + used, y + 0.9 * k, 0.95, theme.dim, "", inner - used);
  if (b.stage) say(b.stage, x + 5 * k, y - 0.65 * k, 0.9, theme.dim);
  say([b.cells.cpu, b.cells.plusMinus].filter(Boolean).join(" "), left, y + 2.05 * k, 0.95, theme.ink, "600", 8.8 * k);
  say([b.cells.share, b.cells.rowsText && `${b.cells.rowsText} rows`, b.cells.perRow && `${b.cells.perRow} a row`].filter(Boolean).join(" · "), left + 9 * k, y + 2.05 * k, 0.9, theme.dim, "", inner - 9 * k);
  c.globalAlpha = 1;

  function say(text: string, x: number, y: number, rem: number, ink: string, weight = "", room = inner) {
    c.font = `${weight} ${rem * k}px system-ui, "DejaVu Sans", sans-serif`;
    c.fillStyle = ink;
    const shown = fit(c, text, room, rem * k * 0.55);
    if (shown) c.fillText(shown, x, y);
  }
}
