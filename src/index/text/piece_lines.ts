// The vocabulary's file: lines of a piece, a space and its id, sorted by piece. For many texts all of
// it is indexed; for one query pieces are looked up in it, which takes a tenth of the time.

import type { FileReader } from "../../disk/files.ts";

export interface FindPiece {
  (piece: string): number | undefined;
  /** What need not be looked up. */
  filter?: PieceFilter;
}

const blockBytes = 4096;

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
  // One search may look up hundreds of spellings: what was decoded is kept.
  const firsts: (string | undefined)[] = [];
  const firstOf = (block: number): string | undefined => {
    if (block in firsts) return firsts[block];
    const start = startOf(block);
    const isLine = start < bytes.length;
    return firsts[block] = isLine ? decode(start, bytes.indexOf(32, start)) : undefined;
  };
  const texts: string[] = [];
  return (piece) => {
    let low = 0;
    let high = Math.ceil(bytes.length / blockBytes);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const first = firstOf(middle);
      if (first !== undefined && first <= piece) low = middle;
      else high = middle;
    }
    const lines = texts[low] ??= `\n${decode(startOf(low), startOf(low + 1))}`;
    const at = lines.indexOf(`\n${piece} `);
    if (at < 0) return undefined;
    const end = at + piece.length + 2;
    return Number(lines.slice(end, lines.indexOf("\n", end)));
  };
}

const slots = 1 << 19;
const seed = 0x811c9dc5 | 0;

/**
 * Tells which beginnings of a word may be pieces without looking one up: a bit for the hash of each;
 * some other texts share them. Most words of code end in letters of which few are, and a lookup makes
 * a string of each.
 */
export class PieceFilter {
  readonly #bits = new Uint8Array(slots / 8);
  readonly #ends = new Uint8Array(256);
  /** The hash of what stands before a piece that continues a word. */
  readonly #continued = mix(mix(seed, 35), 35);

  add(piece: string): void {
    let hash = seed;
    for (let at = 0; at < piece.length; at++) hash = mix(hash, piece.charCodeAt(at));
    const slot = slotOf(hash);
    this.#bits[slot >> 3] |= 1 << (slot & 7);
  }

  /** Where pieces may end that begin at a place of a word; what follows them there is of no use. */
  endsFrom(word: string, start: number): Uint8Array {
    let hash = start > 0 ? this.#continued : seed;
    let found = 0;
    for (let at = start; at < word.length && at < 255; at++) {
      hash = mix(hash, word.charCodeAt(at));
      const slot = slotOf(hash);
      if ((this.#bits[slot >> 3] & (1 << (slot & 7))) !== 0) this.#ends[found++] = at + 1;
    }
    return this.#ends.subarray(0, found);
  }
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (slots - 1);
}
