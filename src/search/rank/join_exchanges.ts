// The rows of one exchange scored together: its best row gains by what the others have of the query
// that it lacks itself. That part saturates by nature: words count once, and all of them are 1.

import { type Corpus, isSuperseded } from "../../index/segment/corpus.ts";
import type { Exchanges } from "./row_exchanges.ts";
import type { RankedRow } from "./rank.ts";
import { weights } from "./ranking.ts";
import { applySteps, type Step, step } from "./steps.ts";

/** What joining needs of a ranking. */
export interface JoinInput {
  corpus: Corpus;
  exchanges: Exchanges;
  /** The terms of the query that a row has, as bits, and the share of the query that some terms are. */
  matchedOf: (global: number) => number;
  shareOf: (matched: number) => number;
  stepsOf: (global: number) => Step[];
}

/** The rows with the scores of their exchanges, in the old order. */
export function joinExchanges(rows: readonly RankedRow[], input: JoinInput): RankedRow[] {
  const { corpus, exchanges, matchedOf, shareOf } = input;
  const best = new Map<number, RankedRow>();
  const matched = new Map<number, number>();
  for (const row of rows) {
    const exchange = exchanges.of(row.global);
    const first = best.get(exchange);
    if (first === undefined || row.final > first.final) best.set(exchange, row);
    matched.set(exchange, (matched.get(exchange) ?? 0) | matchedOf(row.global));
  }
  return rows.map((row) => {
    const exchange = exchanges.of(row.global);
    // A corrected row must stay below what replaced it.
    if (best.get(exchange) !== row || isSuperseded(corpus, row.global)) return row;
    const together = shareOf(matched.get(exchange) ?? 0);
    const more = together - shareOf(matchedOf(row.global));
    if (more <= 0) return row;
    const steps = [
      ...row.steps ?? input.stepsOf(row.global),
      step("exchange", "+", weights.exchange * more),
    ];
    return { ...row, steps, final: applySteps(steps) };
  });
}
