// The vocabulary's file: lines of a piece, a space and its id, sorted by piece. For many texts all of
// it is indexed; for one query a few blocks of it are read, which takes a tenth of the time.

import type { FileReader } from "../../store/files/files.ts";

/** Finds the id of a piece. */
export type FindPiece = (piece: string) => number | undefined;

const blockBytes = 4096;
/** No line is longer. */
const maxLineBytes = 256;

/** Finds pieces in all lines, indexed. */
export function indexPieces(lines: string): FindPiece {
  const ids = new Map<string, number>();
  for (const line of lines.split("\n")) {
    const space = line.indexOf(" ");
    if (space > 0) ids.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return (piece) => ids.get(piece);
}

/** Finds pieces by looking into the file; the blocks that were read are kept. */
export function searchPieces(file: FileReader): FindPiece {
  const blocks = new Map<number, string>();
  const decoder = new TextDecoder();
  // The lines that begin in a block, each with a line feed before it.
  const linesOf = (block: number): string => {
    let lines = blocks.get(block);
    if (lines === undefined) {
      const bytes = new Uint8Array(blockBytes + maxLineBytes);
      const from = block * blockBytes;
      const part = bytes.subarray(0, file.readAt(Math.max(0, from - 1), bytes));
      const start = block === 0 ? 0 : part.indexOf(10) + 1;
      const last = part.indexOf(10, blockBytes - (block === 0 ? 1 : 0));
      lines = `\n${decoder.decode(part.subarray(start, last < 0 ? part.length : last + 1))}`;
      blocks.set(block, lines);
    }
    return lines;
  };
  return (piece) => {
    let low = 0;
    let high = Math.ceil(file.size / blockBytes);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const lines = linesOf(middle);
      // A block in which no line begins comes after those that have some.
      if (lines.length > 1 && lines.slice(1, lines.indexOf(" ")) <= piece) low = middle;
      else high = middle;
    }
    const lines = linesOf(low);
    const at = lines.indexOf(`\n${piece} `);
    if (at < 0) return undefined;
    const start = at + piece.length + 2;
    return Number(lines.slice(start, lines.indexOf("\n", start)));
  };
}
