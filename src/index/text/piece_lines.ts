// The vocabulary's file: lines of a piece, a space and its id, sorted by piece. For many texts all of
// it is indexed; for one query pieces are looked up in it, which takes a tenth of the time.

import type { FileReader } from "../../disk/files.ts";
import { PieceFilter } from "./piece_filter.ts";

/** Finds the id of a piece. */
export interface FindPiece {
  (piece: string): number | undefined;
  /** What need not be looked up. */
  filter?: PieceFilter;
}

const blockBytes = 4096;

/** Finds pieces in all lines, indexed. */
export function indexPieces(lines: string): FindPiece {
  const ids = new Map<string, number>();
  const filter = new PieceFilter();
  for (const line of lines.split("\n")) {
    const space = line.indexOf(" ");
    if (space <= 0) continue;
    const piece = line.slice(0, space);
    ids.set(piece, Number(line.slice(space + 1)));
    filter.add(piece);
  }
  return Object.assign((piece: string) => ids.get(piece), { filter });
}

/** Finds pieces by halving the file: it is read at once, and little of it taken apart. */
export function searchPieces(file: FileReader): FindPiece {
  const bytes = new Uint8Array(file.size);
  file.readAt(0, bytes);
  const decoder = new TextDecoder();
  const decode = (from: number, to: number): string => decoder.decode(bytes.subarray(from, to));
  /** Where the first line begins that does so in a block or after it. */
  const startOf = (block: number): number => {
    if (block === 0) return 0;
    const feed = bytes.indexOf(10, block * blockBytes - 1);
    return feed < 0 ? bytes.length : feed + 1;
  };
  return (piece) => {
    let low = 0;
    let high = Math.ceil(bytes.length / blockBytes);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const start = startOf(middle);
      if (start < bytes.length && decode(start, bytes.indexOf(32, start)) <= piece) low = middle;
      else high = middle;
    }
    const lines = `\n${decode(startOf(low), startOf(high))}`;
    const at = lines.indexOf(`\n${piece} `);
    if (at < 0) return undefined;
    const end = at + piece.length + 2;
    return Number(lines.slice(end, lines.indexOf("\n", end)));
  };
}
