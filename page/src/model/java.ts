import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/java";

export interface Piece {
  text: string;
  kind: string;
}

const look = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword, tags.standard(tags.typeName), tags.bool, tags.null, tags.self], class: "k" },
  { tag: [tags.number, tags.string, tags.character], class: "l" },
  { tag: [tags.lineComment, tags.blockComment], class: "c" },
  { tag: [tags.typeName, tags.className], class: "t" },
]);

// colored splits Java text into lines of colored pieces. Spark keeps generated code without
// indentation: what has none is indented by its braces.
export function colored(text: string): Piece[][] {
  const lines = pieces(text);
  if (lines.some((l) => /^\s/.test(l[0]?.text ?? ""))) return lines;
  let depth = 0;
  for (const line of lines) {
    const code = line.filter((p) => p.kind !== "c" && p.kind !== "l").map((p) => p.text).join("");
    const closes = /^\s*(}*)/.exec(code)![1]!.length;
    const here = Math.max(0, depth - closes);
    if (line.length && here) line.unshift({ text: "  ".repeat(here), kind: "" });
    for (const c of code) depth += c === "{" ? 1 : c === "}" ? -1 : 0;
    depth = Math.max(0, depth);
  }
  return lines;
}

function pieces(text: string): Piece[][] {
  const lines: Piece[][] = [[]];
  highlightCode(
    text, parser.parse(text), look,
    (piece, kind) => lines[lines.length - 1]!.push({ text: piece, kind }),
    () => lines.push([]),
  );
  return lines;
}
