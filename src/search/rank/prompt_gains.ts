// What answers a prompt seldom repeats its words. The prompts that match best lend their words to the
// rows of their exchange, up to the next prompt of the session: those words that a row lacks itself.

import type { Corpus } from "../../index/segment/corpus.ts";
import { bestRows } from "./best_rows.ts";
import { walkExchange } from "../../index/segment/exchange.ts";
import type { TermStatistics } from "./plan_terms.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";

/** What each row gains from its prompt, by global number. Rows that match nothing gain nothing. */
export function promptGains(
  corpus: Corpus,
  scores: Scores,
  terms: readonly TermStatistics[],
): Map<number, number> {
  const { share, prompts } = weights.prompt;
  const gains = new Map<number, number>();
  const best = bestRows(scores, "prompt", prompts);
  // Looking for the best may move the memory.
  const { score, matched } = scores.views;
  for (const prompt of best) {
    const lent = matched[prompt];
    const worth = share * score[prompt] / worthOf(terms, lent);
    const visit = (row: number): void => {
      const missing = lent & ~matched[row];
      if (matched[row] !== 0 && missing !== 0) gains.set(row, worth * worthOf(terms, missing));
    };
    walkExchange(corpus, prompt, { reach: weights.prompt.reach, visit });
  }
  return gains;
}

/** Summed idf of a set of terms. */
function worthOf(terms: readonly TermStatistics[], set: number): number {
  let sum = 0;
  for (let i = 0; i < terms.length; i++) if ((set >>> i) & 1) sum += terms[i].idf;
  return sum;
}
