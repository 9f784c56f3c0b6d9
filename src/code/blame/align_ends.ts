// The ends of lines, where only one of two texts has carriage returns: git may have put them into the
// work tree or taken them out (`core.autocrlf`, `.gitattributes`), and nobody changed those lines. Pure.

import { TextLines } from "../../core/lines/text_lines.ts";

/** Both texts, without carriage returns at the ends of lines when only one has them. */
export function alignEnds(a: TextLines, b: TextLines): [TextLines, TextLines] {
  const [inA, inB] = [hasCarriage(a.bytes), hasCarriage(b.bytes)];
  if (inA === inB) return [a, b];
  return inA ? [withoutCarriage(a), b] : [a, withoutCarriage(b)];
}

function hasCarriage(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (bytes[at + 1] === 10) return true;
  }
  return false;
}

function withoutCarriage({ bytes }: TextLines): TextLines {
  return new TextLines(bytes.filter((byte, at) => byte !== 13 || bytes[at + 1] !== 10));
}
