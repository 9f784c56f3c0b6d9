// The rows of a log that are not indexed yet, made into segments and vectors as they are read.

import { breathe, isBreathDue } from "../core/breathe.ts";
import type { Pool } from "../core/entry.ts";
import type { Row, RowOptions } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { SegmentBuilder } from "./segment/segment_builder.ts";
import { met } from "./text/tokenize.ts";
import { embeddableText, type Embedder } from "./vectors/embedder.ts";
import { VectorCollector } from "./vectors/vector_block.ts";
import type { VectorBlock } from "./vectors/vector_format.ts";

/** What one segment holds at most. */
export const segmentRows = 8192;
const segmentBytes = 24 << 20;

/** Rows for one segment. The builder is used again for the next one. */
export interface Chunk {
  builder: SegmentBuilder;
  from: number;
  to: number;
  vectors?: VectorBlock;
  /** Whether it has all rows that it can have. */
  isFull: boolean;
}

/** The rows after what is covered, or up to a place, in chunks of a segment's size. */
export async function* readTail(
  store: Store,
  pool: Pool,
  options: {
    covered: number;
    /** Where a line begins that is not read. */
    end?: number;
    limit?: number;
    embedder?: Embedder;
    more?: () => Promise<boolean>;
    signal?: AbortSignal;
  },
): AsyncGenerator<Chunk> {
  const { covered, end, limit = segmentRows, embedder, signal, more } = options;
  const builder = new SegmentBuilder(pool);
  const collector = embedder && new VectorCollector(embedder);
  let from = covered;
  let to = covered;
  let last: Row | undefined;
  do {
    for (const row of store.rows(rangeOf(pool, to, end))) {
      if (isBreathDue()) await breathe(signal);
      const isNewLine = row.offset !== last?.offset;
      if (isNewLine && (builder.rows >= limit || to - from >= segmentBytes)) {
        yield { builder, from, to, vectors: await collector?.finish(), isFull: true };
        builder.clear();
        from = to;
      }
      builder.add(row);
      // Its words were just read, and most rows need no second look for their pieces.
      if (collector?.addMet(met) === false) collector.add(embeddableText(row.entry));
      if (collector?.isDue) await collector.embed();
      last = row;
      to = row.offset + row.length + 1;
    }
  } while (await more?.());
  if (to > from) yield { builder, from, to, vectors: await collector?.finish(), isFull: false };
}

function rangeOf(pool: Pool, from: number, end: number | undefined): RowOptions {
  const to = end === undefined ? undefined : { [pool]: end };
  return { pools: [pool], from: { [pool]: from }, to, lines: true };
}
