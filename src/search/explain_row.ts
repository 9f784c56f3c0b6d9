// Why a row has its score: its terms counted again from its own text, with the ranking's formula.

import type { Entry } from "../core/entry.ts";
import { analyze, flagsOf } from "../index/segment/analyze.ts";
import { looseFlags, searchFields, textField } from "../index/segment/segment_format.ts";
import type { RankedRow, Ranking } from "./rank/rank.ts";
import { fieldWorth, looseLength, roundScore, termScore, weights } from "./rank/ranking.ts";
import type { RowExplanation, TermExplanation } from "./request.ts";

/** Explains one row of a ranking. */
export function explainRow(entry: Entry, row: RankedRow, ranking: Ranking): RowExplanation {
  const counts = new Map<string, number[]>(
    ranking.terms.map(({ term }) => [term, searchFields.map(() => 0)]),
  );
  const lengths = analyze(entry, (term, field) => {
    const found = counts.get(term);
    if (found) found[field]++;
  });
  if ((flagsOf(entry) & looseFlags) !== 0) {
    lengths[textField] = looseLength(lengths[textField], ranking.pivots[textField]);
  }
  const terms: TermExplanation[] = [];
  for (const { term, kind, df, idf } of ranking.terms) {
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
  return {
    terms,
    context: roundScore(row.context),
    matched_share: roundScore(row.share),
    floor: weights.floor.row,
    ideal: roundScore(ranking.ideal),
    boosts: Object.fromEntries(
      Object.entries(ranking.boosts(row.global)).map((
        [name, factor],
      ) => [name, roundScore(factor)]),
    ),
    lent: roundScore(row.lent ?? 0),
    ...(row.later === undefined ? {} : { later: roundScore(row.later) }),
    ...(row.cosine === undefined
      ? {}
      : { vector: { similarity: roundScore(row.cosine), weight: weights.vector } }),
  };
}
