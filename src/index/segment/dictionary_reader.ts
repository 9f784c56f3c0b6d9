// Reads the dictionary's blocks, which `DictionaryWriter` writes: terms in order, each with the bytes
// that it shares with the one before, and where its list is.

import { IndexDamage } from "../../disk/byte_source.ts";

/** Where a term's list is among the lists, and how many rows it names. */
export interface ListPlace {
  count: number;
  offset: number;
  length: number;
}

export interface TermEntry extends ListPlace {
  term: string;
}

const decoder = new TextDecoder();
const newline = 10;

/** Reads the numbers and letters of a block one after the other. */
export class BlockReader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let unit = 128;; unit *= 128) {
      if (this.at >= bytes.length) throw new IndexDamage("a dictionary block is cut off");
      byte = bytes[this.at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }
}

export function decodeBlock(bytes: Uint8Array, count: number): TermEntry[] {
  const reader = new BlockReader(bytes);
  const places: ListPlace[] = [];
  const ends: number[] = [];
  // One line for each term: one call decodes them all.
  let lines = new Uint8Array(1 << 10);
  let [from, to] = [0, 0];
  let offset = reader.varint();
  for (let i = 0; i < count; i++) {
    const shared = reader.varint();
    const rest = reader.varint();
    if (to + shared + rest >= lines.length) {
      const larger = new Uint8Array((to + shared + rest) * 2);
      larger.set(lines);
      lines = larger;
    }
    const start = to;
    for (let at = 0; at < shared; at++) lines[to++] = lines[from + at];
    for (let at = 0; at < rest; at++) lines[to++] = bytes[reader.at++];
    ends.push(to);
    lines[to++] = newline;
    from = start;
    const rows = reader.varint();
    const length = reader.varint();
    places.push({ count: rows, offset, length });
    offset += length;
  }
  let terms = decoder.decode(lines.subarray(0, Math.max(0, to - 1))).split("\n");
  if (terms.length !== count) {
    // Some have lines of their own.
    terms = ends.map((end, i) =>
      decoder.decode(lines.subarray(i === 0 ? 0 : ends[i - 1] + 1, end))
    );
  }
  return places.map((place, i) => ({ term: terms[i], ...place }));
}

/**
 * The place of a term's list. Terms before it have ever more of its bytes: only one that shares as many
 * with the one before as that has of them is looked at.
 */
export function findEntry(
  bytes: Uint8Array,
  count: number,
  wanted: Uint8Array,
): ListPlace | undefined {
  const reader = new BlockReader(bytes);
  let offset = reader.varint();
  let equal = 0;
  for (let i = 0; i < count; i++) {
    const shared = reader.varint();
    const rest = reader.varint();
    if (shared < equal) return undefined;
    let isWhole = false;
    if (shared === equal) {
      const most = Math.min(rest, wanted.length - equal);
      let same = 0;
      while (same < most && bytes[reader.at + same] === wanted[equal + same]) same++;
      equal += same;
      isWhole = same === rest && equal === wanted.length;
    }
    reader.at += rest;
    const rows = reader.varint();
    const length = reader.varint();
    if (isWhole) return { count: rows, offset, length };
    offset += length;
  }
  return undefined;
}

/** Compares terms as strings are: pairs of surrogates come before the last characters of one unit. */
export function compareTerms(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  for (let i = 0; i < most; i++) {
    if (a[i] === b[i]) continue;
    const isPair = a[i] >= 0xf0;
    if (a[i] < 0xee || b[i] < 0xee || isPair === (b[i] >= 0xf0)) return a[i] - b[i];
    return isPair ? -1 : 1;
  }
  return a.length - b.length;
}
