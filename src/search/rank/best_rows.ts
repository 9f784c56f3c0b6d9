// The best rows of some kind by their scores so far: what gives to the rows around it.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import type { Scores } from "./scores.ts";

/** Up to `limit` rows with a flag; of equal scores the later in the log. The same for any layout. */
export function bestRows(
  corpus: Corpus,
  scores: Scores,
  wanted: { flag: number; limit: number },
): number[] {
  const { flag, limit } = wanted;
  for (let n = limit + (limit >> 2);; n *= 4) {
    const rows = scores.atLeast(scores.scored, scores.nth(scores.scored, n));
    const found = [...rows].filter((row) => hasFlag(corpus, row, flag));
    if (found.length < limit && rows.length < scores.count) continue;
    return found.map((row) => ({ row, score: scores.scoreOf(row) }))
      .sort((a, b) => b.score - a.score || b.row - a.row)
      .slice(0, limit).map(({ row }) => row);
  }
}

function hasFlag(corpus: Corpus, global: number, flag: number): boolean {
  const { segment, row } = locate(corpus, global);
  return (segment.flags(row) & flag) !== 0;
}
