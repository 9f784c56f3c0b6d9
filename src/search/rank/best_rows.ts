// The best rows of some kind by their scores so far: what gives to the rows around it.

import type { Scores } from "./scores.ts";

/** Up to `limit` rows with a flag; of equal scores the later in the log. The same for any layout. */
export function bestRows(scores: Scores, wanted: { flag: number; limit: number }): number[] {
  const { flag, limit } = wanted;
  const keyed = { ...scores.scored, flag };
  const rows = scores.atLeast(keyed, scores.nth(keyed, limit));
  return Array.from(rows, (row) => ({ row, score: scores.scoreOf(row) }))
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, limit).map(({ row }) => row);
}
