// What answers a prompt seldom repeats its words. The prompts that match best lend their words to the
// rows of their exchange, up to the next prompt of the session: those words that a row lacks itself.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { bestRows } from "./best_rows.ts";
import type { TermStatistics } from "./plan_terms.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";

/** What each row gains from its prompt, by global number. Rows that match nothing gain nothing. */
export function promptGains(
  corpus: Corpus,
  scores: Scores,
  terms: readonly TermStatistics[],
): Map<number, number> {
  const { share, prompts, reach } = weights.prompt;
  const gains = new Map<number, number>();
  const { score, matched } = scores.views;
  for (const prompt of bestRows(corpus, scores, { flag: rowFlags.prompt, limit: prompts })) {
    const lent = matched[prompt];
    const worth = share * score[prompt] / worthOf(terms, lent);
    const visit = (row: number): void => {
      const missing = lent & ~matched[row];
      if (matched[row] !== 0 && missing !== 0) gains.set(row, worth * worthOf(terms, missing));
    };
    walkExchange(corpus, { prompt, reach, visit });
  }
  return gains;
}

/** Summed idf of a set of terms. */
function worthOf(terms: readonly TermStatistics[], set: number): number {
  let sum = 0;
  for (let i = 0; i < terms.length; i++) if ((set >>> i) & 1) sum += terms[i].idf;
  return sum;
}

/** Visits the rows after a prompt that are of its session, up to the next prompt or `reach` rows on. */
function walkExchange(
  corpus: Corpus,
  walk: { prompt: number; reach: number; visit: (row: number) => void },
): void {
  let { segment, segmentNumber, row } = locate(corpus, walk.prompt);
  let dead = corpus.liveness.dead[segmentNumber];
  const session = segment.session(row);
  const end = Math.min(corpus.size, walk.prompt + 1 + walk.reach);
  for (let next = walk.prompt + 1; next < end; next++) {
    if (++row >= segment.rows) {
      ({ segment, segmentNumber, row } = locate(corpus, next));
      dead = corpus.liveness.dead[segmentNumber];
    }
    if (segment.session(row) !== session || dead?.has(row)) continue;
    const flags = segment.flags(row);
    if ((flags & rowFlags.prompt) !== 0) return;
    if ((flags & rowFlags.tombstone) === 0) walk.visit(next);
  }
}
