// Which rows are of one session, so that Orama shows the best of each. A row without a session stands
// for itself.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import type { RankedRow, RowKeys } from "./rank.ts";

export function sessionKeyOf(corpus: Corpus, global: number): number {
  const { segment, row } = locate(corpus, global);
  return segment.session(row) || -1 - global;
}

/** The keys of the rows of a corpus. However many rows one session has, all others are found. */
export function sessionKeys(corpus: Corpus): RowKeys {
  return {
    keysOf: (ranked: readonly RankedRow[]) =>
      ranked.map(({ global }) => sessionKeyOf(corpus, global)),
    countAll(matching) {
      const counts = new Map<number, number>();
      for (const global of matching) {
        const key = sessionKeyOf(corpus, global);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      return counts;
    },
    mostTimes: Infinity,
  };
}
