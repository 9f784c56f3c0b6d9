// Indexes the rows of a log that no segment has yet, in memory. Loaded only where there are some: an
// index that is up to date needs neither the tokenizer of rows nor what lays out a segment.

import type { Pool } from "../core/entry.ts";
import type { LogReader } from "./log_reader.ts";
import { keywordPrefix } from "./segment/keyword.ts";
import { Segment } from "./segment/segment.ts";
import { SegmentBuilder, type TermFilter } from "./segment/segment_builder.ts";

/** The rows of a log from one place to another; with a filter, only what it keeps of their terms. */
export interface TailRange {
  pool: Pool;
  from: number;
  to: number;
  keep?: TermFilter;
}

export function buildTail(log: LogReader, { pool, keep, ...range }: TailRange): Segment {
  const always = [keywordPrefix("supersedes"), keywordPrefix("forgets")];
  const builder = new SegmentBuilder(
    pool,
    keep && ((term) => keep(term) || always.some((prefix) => term.startsWith(prefix))),
  );
  for (const row of log.rows(pool, range)) builder.add(row);
  return Segment.fromBytes(builder.finish());
}
