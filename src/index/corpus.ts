// Everything that one search looks at: segments in log order, which of their rows no longer count,
// and statistics over those that do. Rows have one global number, their position in log order.

import { pools } from "../core/entry.ts";
import { rowFlags, searchFields } from "./analyze.ts";
import type { Segment } from "./segment.ts";

/** The entry that replaces another one. */
export interface Replacement {
  id: string;
  global: number;
}

/** A searchable view of the store. */
export interface Corpus {
  segments: readonly Segment[];
  /** The global number of each segment's first row. */
  bases: readonly number[];
  /** One past the last global number. */
  size: number;
  /** For each segment, 1 for every row that is forgotten or a repeat; undefined when there is none. */
  dead: readonly (Uint8Array | undefined)[];
  /** Global numbers of superseded rows, with what replaces them. */
  superseded: ReadonlyMap<number, Replacement>;
  /** Live entries, and the sum of their lengths in each field. */
  entries: number;
  lengths: readonly number[];
  /** The time of the newest live entry. */
  newestMs: number;
}

/** What is known of the rows beside the segments themselves. */
export interface CorpusFacts {
  dead?: readonly (Uint8Array | undefined)[];
  superseded?: ReadonlyMap<number, Replacement>;
}

/** Puts segments together; they must be in log order, archive first. */
export function makeCorpus(segments: readonly Segment[], facts: CorpusFacts = {}): Corpus {
  const ordered = pools.flatMap((pool) => segments.filter((segment) => segment.pool === pool));
  const bases: number[] = [];
  let size = 0;
  let entries = 0;
  let newestMs = 0;
  const lengths = searchFields.map(() => 0);
  const dead = facts.dead ?? ordered.map(() => undefined);
  ordered.forEach((segment, i) => {
    bases.push(size);
    size += segment.rows;
    const flags = segment.flags();
    const columns = searchFields.map((_, field) => segment.lengths(field));
    for (let row = 0; row < segment.rows; row++) {
      if ((flags[row] & rowFlags.tombstone) !== 0 || dead[i]?.[row] === 1) continue;
      entries++;
      newestMs = Math.max(newestMs, segment.time(row));
      for (let field = 0; field < lengths.length; field++) lengths[field] += columns[field][row];
    }
  });
  const superseded = facts.superseded ?? new Map();
  return { segments: ordered, bases, size, dead, superseded, entries, lengths, newestMs };
}

/** The segment and row of a global number. */
export function locate(
  corpus: Corpus,
  global: number,
): { segment: Segment; segmentNumber: number; row: number } {
  let low = 0;
  let high = corpus.bases.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (corpus.bases[middle] <= global) low = middle;
    else high = middle - 1;
  }
  return {
    segment: corpus.segments[low],
    segmentNumber: low,
    row: global - corpus.bases[low],
  };
}
