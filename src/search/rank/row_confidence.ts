// How sure a row is, in words that mean the same for every query: scores of different queries cannot
// be compared, but how far a row is ahead of the others, or behind the best, tells how often it is
// right. Fitted on all four judged sets (LoCoMo-dev, SciFact, CoSQA-dev, our recall set), where rows
// called strong are right in 79, 86, 50 and 71 of 100, good ones in 29, 26, 14 and 33, weak ones in 7,
// 5, 5 and 13 (`deno task bench confidence`): in-sample, for features and bounds were chosen with all
// of them seen. Refits that left one set out have other coefficients; docs/SEARCH.md has their figures.
// Those sets name one or two rows as right for a question; others may help too.

import type { RankedRow } from "./rank.ts";

/** How sure a row is, best first. */
export const confidences = ["strong", "good", "weak"] as const;
/** One of `confidences`. */
export type Confidence = typeof confidences[number];

/** The logarithm of the odds that a row is right: what each thing adds. */
const fitted = { base: -2.07, ahead: 7.28, behind: 4.79, score: 0.91 };
/** From this share of right rows on. */
const bounds = { strong: 0.5, good: 0.15 };
const mostScore = 1.5;
const mostRatio = 4;

/** What each row of a page amounts to, beside the best two of all rows, whichever page they are on. */
export function confidencesOf(
  scores: readonly number[],
  { offset = 0, top = scores }: { offset?: number; top?: readonly number[] } = {},
): Confidence[] {
  const [best = 0, second = 0] = top;
  return scores.map((score, i) => {
    const share = shareRight(score, offset + i === 0 ? second : best);
    return share >= bounds.strong ? "strong" : share >= bounds.good ? "good" : "weak";
  });
}

/** The scores of the best two rows of a ranking that are not one by their keys. */
export function topScores(rows: readonly Pick<RankedRow, "final" | "key">[]): number[] {
  const [first] = rows;
  const second = rows.find((row) => row !== first && (row.key ?? NaN) !== first.key);
  return [first, second].flatMap((row) => row?.final ?? []);
}

/** How often a row was right that has a score beside the best one of all others. */
function shareRight(score: number, other: number): number {
  // A row alone is no proof of anything: it counts as a little ahead.
  const ratio = other > 0 ? score / other : 1.25;
  const lead = Math.log(Math.min(mostRatio, Math.max(1 / mostRatio, ratio)));
  const odds = fitted.base + fitted.score * Math.min(score, mostScore) +
    (lead > 0 ? fitted.ahead : fitted.behind) * lead;
  return 1 / (1 + Math.exp(-odds));
}
