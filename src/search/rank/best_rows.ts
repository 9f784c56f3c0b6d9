// The best turns or prompts by their scores so far: what gives to the rows around it.

import type { Scores } from "./scores.ts";

/** Up to `limit` rows of a kind; of equal scores the later in the log. The same for any layout. */
export function bestRows(scores: Scores, kind: "talk" | "prompt", limit: number): number[] {
  const rows = scores.atLeast(kind, scores.nth(kind, limit));
  return Array.from(rows, (row) => ({ row, score: scores.scoreOf(row) }))
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, limit).map(({ row }) => row);
}
