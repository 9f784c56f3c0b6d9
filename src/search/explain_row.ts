// Why a row has its score: its terms counted again from its own text, with the ranking's formula.

import type { Entry } from "../core/entry.ts";
import { analyze, flagsOf } from "../index/segment/analyze.ts";
import { looseFlags, searchFields, textField } from "../index/segment/segment_format.ts";
import type { RankedRow, Ranking } from "./rank/rank.ts";
import {
  boostNames,
  fieldWorth,
  looseLength,
  looseModel,
  roundScore,
  termScore,
  weights,
} from "./rank/ranking.ts";
import type { Step } from "./rank/steps.ts";
import type { RowExplanation, TermExplanation } from "./row_shape.ts";

export function explainRow(entry: Entry, row: RankedRow, ranking: Ranking): RowExplanation {
  const { steps = [] } = row;
  const counts = new Map<string, number[]>(
    ranking.terms.map(({ term }) => [term, searchFields.map(() => 0)]),
  );
  const lengths = analyze(entry, (term, field) => {
    const found = counts.get(term);
    if (found) found[field]++;
  });
  if ((flagsOf(entry) & looseFlags) !== 0) {
    lengths[textField] = looseLength(lengths[textField], looseModel(ranking.pivots[textField]));
  }
  const terms: TermExplanation[] = [];
  // By meaning alone, words add nothing.
  const counted = steps.some(({ name }) => name === "words") ? ranking.terms : [];
  for (const { term, kind, df, idf } of counted) {
    const tf = counts.get(term) ?? [];
    const worth = tf.reduce(
      (sum, count, field) =>
        count === 0 ? sum : sum + fieldWorth(field, count, lengths[field], ranking.pivots[field]),
      0,
    );
    if (worth === 0) continue;
    const fields = searchFields.map((name, field) => [name, tf[field]] as const);
    terms.push({
      term,
      kind,
      df,
      idf: roundScore(idf),
      tf: Object.fromEntries(fields.filter(([, count]) => count > 0)),
      contribution: roundScore(termScore(idf, worth)),
    });
  }
  const of = (op: Step["op"], without: readonly string[] = []): Record<string, number> =>
    Object.fromEntries(
      steps.filter((step) => step.op === op && !without.includes(step.name))
        .map(({ name, value }) => [name, roundScore(value)]),
    );
  const factors = of("×");
  const lent = of("+", ownParts);
  return {
    steps,
    terms,
    context: roundScore(row.context),
    matched_share: roundScore(row.share),
    floor: weights.floor.row,
    ideal: roundScore(ranking.ideal),
    boosts: { ...Object.fromEntries(boostNames.map((name) => [name, 1])), ...factors },
    lent: roundScore(Object.values(lent).reduce((sum, value) => sum + value, 0)),
    lent_by: lent,
    ...(factors.later === undefined ? {} : { later: factors.later }),
    ...(row.cosine === undefined ? {} : {
      vector: {
        similarity: roundScore(row.cosine),
        weight: roundScore(ranking.vectorWeight),
      },
    }),
  };
}

/** What is added for the row itself; the rest is lent. */
const ownParts = ["words", "context", "vector"];
