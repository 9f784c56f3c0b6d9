// The best rows once more, by what a reranker's model says of them.

import type { Entry } from "../../core/entry.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import type { RankedRow, Rerank } from "./rank.ts";
import { roundScore, weights } from "./ranking.ts";
import { applySteps, type Step, step } from "./steps.ts";
import { TopRows } from "./top_rows.ts";

/** Reranks by cosines with the query; undefined is a row that the model has not seen yet. */
export function rerankBy(cosineOf: (entry: Entry) => number | undefined): Rerank {
  return (rows, { corpus, readEntry, stepsOf }) => {
    if (rows.length === 0) return { rows };
    const first = rows.slice(0, weights.rerank.rows);
    const cosines = first.map(({ global }) => cosineOf(readEntry(global)));
    const best = new TopRows(first.length, (global) => readEntry(global).id);
    for (const row of belowReplacements(score(first, cosines, stepsOf), corpus)) best.add(row);
    const known = cosines.filter((cosine) => cosine !== undefined).length;
    return {
      rows: [...best.rows(), ...rows.slice(first.length)],
      reranked: { rows: first.length, with_vectors: known },
    };
  };
}

/**
 * The rows with their new scores. One that the model has not seen takes the mean of the others, which
 * is neither good nor bad; where it has seen none, nothing changes.
 */
function score(
  rows: RankedRow[],
  cosines: readonly (number | undefined)[],
  stepsOf: (global: number) => Step[],
): RankedRow[] {
  const known = cosines.filter((cosine) => cosine !== undefined);
  if (known.length === 0) return rows;
  const mean = known.reduce((sum, cosine) => sum + cosine, 0) / known.length;
  const { weight } = weights.rerank;
  return rows.map((row, i) => {
    const cosine = roundScore(cosines[i] ?? mean);
    const rerank = { cosine, weight, ...(cosines[i] === undefined ? { is_mean: true } : {}) };
    const own = row.steps ?? stepsOf(row.global);
    const steps = [...own, step("rerank", "+", weight * (1 + cosine))];
    return { ...row, rerank, steps, final: applySteps(steps) };
  });
}

/** A superseded row stays below what replaced it. */
function belowReplacements(rows: RankedRow[], corpus: Corpus): RankedRow[] {
  const byNumber = new Map(rows.map((row) => [row.global, row]));
  const settle = (row: RankedRow, depth = 0): RankedRow => {
    const { segmentNumber, row: number } = locate(corpus, row.global);
    if (depth > 32 || !corpus.liveness.superseded[segmentNumber]?.has(number)) return row;
    const replacement = byNumber.get(corpus.findReplacement(row.global)?.global ?? -1);
    if (replacement === undefined || row.steps === undefined) return row;
    const above = settle(replacement, depth + 1).final;
    const steps = [...row.steps, step("replacement", "≤", above - 1e-6)];
    return { ...row, steps, final: applySteps(steps) };
  };
  return rows.map((row) => settle(row));
}
