// Everything that one search looks at: segments in log order, which of their rows no longer count,
// and statistics over those that do. Rows have one global number, their position in log order.

import { type Pool, pools } from "../../core/entry.ts";
import { rowFlags, searchFields, type SegmentTotals } from "./segment_format.ts";
import type { Segment } from "./segment.ts";

/** The entry that replaces another one. */
export interface Replacement {
  id: string;
  global: number;
  /** Who of the team wrote it, where it is not one's own. */
  author?: string;
}

/** What is known of the rows beside the segments themselves; one item for each segment. */
export interface Liveness {
  /** Rows that are forgotten or repeat an id. */
  dead: (ReadonlySet<number> | undefined)[];
  /** Rows that a live entry supersedes. */
  superseded: (ReadonlySet<number> | undefined)[];
}

/** A searchable view of the store. */
export interface Corpus {
  segments: readonly Segment[];
  /** The global number of each segment's first row. */
  bases: readonly number[];
  /** One past the last global number. */
  size: number;
  liveness: Liveness;
  /** Live entries, and the sum of their lengths in each field. */
  entries: number;
  entriesIn: Readonly<Partial<Record<Pool, number>>>;
  /** The same of each segment, and more. */
  live: readonly LiveTotals[];
  lengths: readonly number[];
  thinking: number;
  recalls: number;
  /** The time of the newest live entry. */
  newestMs: number;
  /** What replaces a superseded row. */
  findReplacement: (global: number) => Replacement | undefined;
}

/** Sums over the rows of a segment that are not dead. */
export type LiveTotals = Pick<
  SegmentTotals,
  "entries" | "thinking" | "recalls" | "oldestMs" | "newestMs" | "lengths"
>;

/** Puts segments together; `liveness` and `segments` must be in the same order, archive first. */
export function makeCorpus(
  segments: readonly Segment[],
  { known = [], ...facts }: {
    liveness: Liveness;
    findReplacement: Corpus["findReplacement"];
    /** Sums that are known already, by segment. */
    known?: readonly (LiveTotals | undefined)[];
  },
): Corpus {
  const bases: number[] = [];
  const lengths = searchFields.map(() => 0);
  const entriesIn: Partial<Record<Pool, number>> = {};
  let size = 0;
  let entries = 0;
  let thinking = 0;
  let recalls = 0;
  let newestMs = 0;
  const live = segments.map((segment, i) =>
    known[i] ?? liveTotals(segment, facts.liveness.dead[i])
  );
  segments.forEach((segment, i) => {
    bases.push(size);
    size += segment.rows;
    const totals = live[i];
    entries += totals.entries;
    entriesIn[segment.pool] = (entriesIn[segment.pool] ?? 0) + totals.entries;
    thinking += totals.thinking;
    recalls += totals.recalls;
    newestMs = Math.max(newestMs, totals.newestMs);
    totals.lengths.forEach((sum, field) => lengths[field] += sum);
  });
  const counts = { size, live, entries, entriesIn, lengths, thinking, recalls, newestMs };
  return { segments, bases, ...counts, ...facts };
}

/** Segments in log order: the archive's before the hot ones. */
export function inLogOrder<T extends { pool: string }>(segments: readonly T[]): T[] {
  return pools.flatMap((pool) => segments.filter((segment) => segment.pool === pool));
}

/** The segment and row of a global number. */
export function locate(
  corpus: Pick<Corpus, "segments" | "bases">,
  global: number,
): { segment: Segment; segmentNumber: number; row: number } {
  let low = 0;
  let high = corpus.bases.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (corpus.bases[middle] <= global) low = middle;
    else high = middle - 1;
  }
  return { segment: corpus.segments[low], segmentNumber: low, row: global - corpus.bases[low] };
}

export function isSuperseded(corpus: Corpus, global: number): boolean {
  const { segmentNumber, row } = locate(corpus, global);
  return corpus.liveness.superseded[segmentNumber]?.has(row) === true;
}

/** A segment's totals without its dead rows. */
export function liveTotals(
  segment: Segment,
  dead: ReadonlySet<number> | undefined,
): LiveTotals {
  const { entries, thinking, recalls, oldestMs, newestMs, lengths } = segment.totals;
  const live = { entries, thinking, recalls, oldestMs, newestMs, lengths: [...lengths] };
  if (dead === undefined || dead.size === 0) return live;
  let lostEnd = false;
  for (const row of dead) {
    const flags = segment.flags(row);
    if ((flags & rowFlags.tombstone) !== 0) continue;
    live.entries--;
    if ((flags & rowFlags.thinking) !== 0) live.thinking--;
    if ((flags & rowFlags.recall) !== 0) live.recalls--;
    const time = segment.time(row);
    lostEnd ||= time === oldestMs || time === newestMs;
    lengths.forEach((sum, field) => {
      if (sum > 0) live.lengths[field] -= segment.lengths(field)[row];
    });
  }
  return lostEnd ? { ...live, ...timesOf(segment, dead) } : live;
}

/** The times of the oldest and the newest of the rows that are not dead. */
function timesOf(
  segment: Segment,
  dead: ReadonlySet<number>,
): Pick<LiveTotals, "oldestMs" | "newestMs"> {
  let [oldestMs, newestMs] = [Infinity, 0];
  for (let row = 0; row < segment.rows; row++) {
    if (dead.has(row) || (segment.flags(row) & rowFlags.tombstone) !== 0) continue;
    oldestMs = Math.min(oldestMs, segment.time(row));
    newestMs = Math.max(newestMs, segment.time(row));
  }
  return { oldestMs, newestMs };
}
