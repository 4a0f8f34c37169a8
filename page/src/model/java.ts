import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { parser } from "@lezer/java";

export interface Piece {
  text: string;
  kind: string;
}

const look = tagHighlighter([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword, tags.standard(tags.name), tags.bool, tags.null, tags.self], class: "k" },
  { tag: [tags.number, tags.string, tags.character], class: "l" },
  { tag: [tags.lineComment, tags.blockComment], class: "c" },
  { tag: [tags.typeName, tags.className], class: "t" },
]);

// colored splits Java text into lines of colored pieces.
export function colored(text: string): Piece[][] {
  const lines: Piece[][] = [[]];
  highlightCode(
    text, parser.parse(text), look,
    (piece, kind) => lines[lines.length - 1]!.push({ text: piece, kind }),
    () => lines.push([]),
  );
  return lines;
}
