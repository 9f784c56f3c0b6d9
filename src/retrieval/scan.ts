// Searching without an index: one pass over the logs that keeps only the postings the query
// needs. Slower than the index, never different from it.

import { type Pool, pools } from "../core/entry.ts";
import { type Corpus, makeCorpus, type Replacement } from "../index/corpus.ts";
import { SegmentBuilder, type TermFilter } from "../index/segment_builder.ts";
import type { Store } from "../store/store.ts";

/** Reads the live entries of a store into a corpus that knows the kept terms only. */
export function scanStore(store: Store, keep: TermFilter): Corpus {
  const builders: Record<Pool, SegmentBuilder> = {
    archive: new SegmentBuilder("archive", keep),
    hot: new SegmentBuilder("hot", keep),
  };
  const newer = new Map<string, string>();
  for (const row of store.entries()) {
    builders[row.pool].add(row);
    const { id, supersedes } = row.entry;
    if (supersedes !== undefined && supersedes !== id) newer.set(supersedes, id);
  }
  const segments = pools.map((pool) => builders[pool]);
  return makeCorpus(segments, { superseded: findReplacements(store, segments, newer) });
}

/** Puts row numbers to superseded ids; ids are compared by text, hashes only narrow the choice. */
function findReplacements(
  store: Store,
  segments: SegmentBuilder[],
  newer: ReadonlyMap<string, string>,
): Map<number, Replacement> {
  const superseded = new Map<number, Replacement>();
  if (newer.size === 0) return superseded;
  const wanted = new Set([...newer.keys(), ...newer.values()]);
  const globals = new Map<string, number>();
  let global = 0;
  for (const segment of segments) {
    const ids = segment.findIds(wanted, (place) => store.findRowAt(place)?.id);
    for (const [id, row] of ids) globals.set(id, global + row);
    global += segment.rows;
  }
  for (const [older, id] of newer) {
    const from = globals.get(older);
    const to = globals.get(id);
    if (from !== undefined && to !== undefined) superseded.set(from, { id, global: to });
  }
  return superseded;
}
