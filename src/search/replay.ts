// Compares the ranking of a trace with the ranking of today. Pure.

import * as s from "../command/shape.ts";

/** A row of a ranking: what is compared. */
export interface ReplayedRow {
  id: string;
  score_final?: number;
}

/** One entry in both rankings, or in one of them. Ranks start at 1. */
export const replayRow = {
  id: s.text(),
  change: s.oneOf(["same", "moved", "rescored", "new", "gone"]),
  ...s.each(s.nullable(s.number()), "rank_before", "rank_after", "score_before", "score_after"),
  /** Why it is gone or new, as far as the store can tell. */
  reason: s.optional(s.oneOf(["forgotten", "outranked", "saved_since", "risen"])),
};
export type ReplayRow = s.ObjectOf<typeof replayRow>;
export type ReplayChange = ReplayRow["change"];

export interface Replay {
  identical: boolean;
  rows: ReplayRow[];
  counts: Record<ReplayChange, number>;
}

/** What the store knows today. */
export interface ReplayFacts {
  isThere: (id: string) => boolean;
  /** Whether an entry was saved after the trace. */
  isNewer: (id: string) => boolean;
}

/** Puts two rankings side by side: today's order first, then what is gone. */
export function compareRankings(
  before: readonly ReplayedRow[],
  after: readonly ReplayedRow[],
  facts: ReplayFacts,
): Replay {
  const old = Map.groupBy(
    before.map(({ id, score_final: score }, i) => ({ id, rank: i + 1, score })),
    ({ id }) => id,
  );
  const rows: ReplayRow[] = after.map((row, i) => {
    const known = old.get(row.id)?.shift();
    const placed = {
      id: row.id,
      rank_before: known?.rank ?? null,
      rank_after: i + 1,
      score_before: known?.score ?? null,
      score_after: row.score_final ?? null,
    };
    if (known === undefined) {
      return { ...placed, change: "new", reason: facts.isNewer(row.id) ? "saved_since" : "risen" };
    }
    const rescored = known.score !== row.score_final;
    return { ...placed, change: rescored ? "rescored" : known.rank === i + 1 ? "same" : "moved" };
  });
  for (const { id, rank, score } of [...old.values()].flat()) {
    rows.push({
      id,
      change: "gone",
      rank_before: rank,
      rank_after: null,
      score_before: score ?? null,
      score_after: null,
      reason: facts.isThere(id) ? "outranked" : "forgotten",
    });
  }
  const counts = { same: 0, moved: 0, rescored: 0, new: 0, gone: 0 };
  for (const { change } of rows) counts[change]++;
  return { identical: rows.every(({ change }) => change === "same"), rows, counts };
}
