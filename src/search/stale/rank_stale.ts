// The best rows once more, with those set back whose code is gone: never hidden, but below what still
// holds. The same rows for any page.

import { type Corpus, isSuperseded } from "../../index/segment/corpus.ts";
import type { RankedRow, RankStale } from "../rank/rank.ts";
import { weights } from "../rank/ranking.ts";
import { applySteps, type Step, step } from "../rank/steps.ts";

/** What is known of a row: whether it is set back, or left out altogether. */
export type StaleMark = "keep" | "stale" | "drop";

/** Makes a ranking by marks; all rows are asked for where some are to be dropped. */
export function rankStale(
  markOf: (global: number) => StaleMark,
  { filters = false }: { filters?: boolean } = {},
): RankStale {
  return (all, { corpus, stepsOf }) => {
    const first = all.slice(0, filters ? all.length : weights.stale.rows);
    const marked = first.flatMap((row): RankedRow[] => {
      const mark = markOf(row.global);
      if (mark === "drop") return [];
      if (mark === "keep") return [row];
      return [withStep(row, step("stale", "×", weights.stale.factor), stepsOf)];
    });
    const rows = belowReplacements(marked, { corpus, stepsOf });
    // Stable: equal scores stay as they were.
    rows.sort((a, b) => b.final - a.final);
    return [...rows, ...all.slice(first.length)];
  };
}

/** A superseded row stays below what replaced it, also where that was set back. */
function belowReplacements(
  rows: RankedRow[],
  { corpus, stepsOf }: { corpus: Corpus; stepsOf: (global: number) => Step[] },
): RankedRow[] {
  const finals = new Map(rows.map(({ global, final }) => [global, final]));
  return rows.map((row) => {
    if (!isSuperseded(corpus, row.global)) return row;
    const above = finals.get(corpus.findReplacement(row.global)?.global ?? -1);
    if (above === undefined || row.final < above) return row;
    return withStep(row, step("replacement", "≤", Math.max(0, above - 1e-6)), stepsOf);
  });
}

function withStep(row: RankedRow, added: Step, stepsOf: (global: number) => Step[]): RankedRow {
  const steps = [...row.steps ?? stepsOf(row.global), added];
  return { ...row, steps, final: applySteps(steps) };
}
