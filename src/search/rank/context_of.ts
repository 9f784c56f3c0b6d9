// Context: an answer often lacks the words of its question. The best matching turns give part of
// their score to the turns around them in the same session, if those match the query themselves.

import { rowFlags } from "../../index/segment/segment_format.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { bestRows } from "./best_rows.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";
import { walkTurns } from "./walk_turns.ts";

/** What each row gains from its neighbours, by global number. */
export function contextOf(corpus: Corpus, scores: Scores): Map<number, number> {
  const gains = new Map<number, number>();
  const { answer, turns } = weights.context;
  const sources = bestRows(scores, "talk", weights.context.sources);
  const { score, matched } = scores.views;
  for (const source of sources) {
    const give = (step: 1 | -1, shares: readonly number[]): void => {
      let given = 0;
      walkTurns(corpus, { from: source, step }, (turn) => {
        const share = shares[given++] * score[source];
        if (matched[turn] !== 0) gains.set(turn, (gains.get(turn) ?? 0) + share);
        return given < shares.length;
      });
    };
    // What a row takes from the turns before it, a source gives to those after it.
    const { segment, row } = locate(corpus, source);
    const asks = (segment.flags(row) & rowFlags.question) !== 0;
    give(1, asks ? [answer, turns[1]] : turns);
    give(-1, turns);
  }
  return gains;
}
