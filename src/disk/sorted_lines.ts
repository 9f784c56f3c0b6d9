// Finds lines by binary search in a file that is sorted by a key at the start of each line. Only a few
// blocks of a long file are read.

import { decodeLossy } from "../core/utf8.ts";
import type { FileReader } from "./files.ts";
import { readLineAt } from "./lines.ts";

/** What is looked for. */
export interface SortedLines {
  keys: readonly string[];
  /** The key of a line, of which the end may be missing. */
  keyOf: (line: string) => string;
  /** Where the first line begins. */
  from: number;
}

const newline = 10;
const blockBytes = 4096;

/** Yields the line of each key that has one. */
export function* findSortedLines(
  reader: FileReader,
  { keys, keyOf, from }: SortedLines,
): Generator<string> {
  for (const key of keys) {
    // The line begins in between, if there is one.
    let [low, high] = [from, reader.size];
    while (high - low > blockBytes) {
      const middle = (low + high) >> 1;
      const start = findStart(reader, middle, high);
      if (start < high && keyOf(decodeLossy(readBlock(reader, start))) <= key) low = start;
      else high = middle;
    }
    const block = readBlock(reader, low);
    for (let at = 0; at < high - low;) {
      const end = block.indexOf(newline, at);
      const found = keyOf(decodeLossy(block.subarray(at, end < 0 ? undefined : end)));
      const line = found === key ? readLineAt(reader, low + at) : undefined;
      if (line !== undefined) yield decodeLossy(line);
      if (found >= key || end < 0) break;
      at = end + 1;
    }
  }
}

/** Where the first line begins that does so at an offset or after it; `end` where there is none before that. */
function findStart(reader: FileReader, offset: number, end: number): number {
  for (let at = offset - 1; at < end; at += blockBytes) {
    const found = readBlock(reader, at).indexOf(newline);
    if (found >= 0) return at + found + 1;
  }
  return end;
}

function readBlock(reader: FileReader, offset: number): Uint8Array {
  const block = new Uint8Array(blockBytes);
  return block.subarray(0, reader.readAt(offset, block));
}
