// Phrases: rows that hold one stand above those that do not, those with more of them first. An entry is
// read to tell, so only the best rows that have all words of a phrase are looked at: so many that no
// page shows more, and the same ones for any page and any layout of the index.

import { type Corpus, isSuperseded } from "../../index/segment/corpus.ts";
import type { QueryTerm } from "./plan_terms.ts";
import type { RankedRow, RankInput } from "./rank.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";
import { applySteps, type Step, step } from "./steps.ts";
import type { TopRows } from "./top_rows.ts";

export interface LiftInput extends Pick<RankInput, "readEntry"> {
  corpus: Corpus;
  phrases: NonNullable<RankInput["phrases"]>;
  scores: Scores;
  terms: readonly QueryTerm[];
  passes: (global: number) => boolean;
  rowOf: (global: number) => RankedRow;
  stepsOf: (global: number) => Step[];
  makeTop: (limit: number) => TopRows;
}

/** Ranked rows, with those in front that hold a phrase: each gains the best score for each phrase. */
export function liftPhrases(rows: RankedRow[], input: LiftInput): RankedRow[] {
  const best = rows[0]?.final ?? 0;
  const holders = new Map<number, RankedRow>();
  for (const global of findCandidates(input)) {
    const count = input.phrases.countIn(input.readEntry(global));
    if (count === 0) continue;
    const row = input.rowOf(global);
    const steps = [...row.steps ?? input.stepsOf(global), step("phrase", "+", count * best)];
    holders.set(global, { ...row, steps, final: applySteps(steps) });
  }
  if (holders.size === 0) return rows;
  const top = input.makeTop(holders.size);
  for (const row of holders.values()) top.add(row);
  return [...top.rows(), ...rows.filter(({ global }) => !holders.has(global))];
}

/** The best rows with all words of a phrase; of equal scores the later in the log. */
function findCandidates({ corpus, phrases, scores, terms, passes }: LiftInput): number[] {
  const sets = phrases.terms.flatMap((words) => {
    const bits = words.map((word) => terms.findIndex(({ term }) => term === word));
    return words.length === 0 || bits.includes(-1)
      ? []
      : [bits.reduce((set, bit) => set | (1 << bit), 0)];
  });
  if (sets.length === 0) return [];
  const all = scores.atLeast("key", -Infinity);
  const { score, matched } = scores.views;
  // A superseded row must stay below what replaced it.
  const found = all.filter((global) =>
    sets.some((set) => (matched[global] & set) === set) && !isSuperseded(corpus, global)
  ).sort((a, b) => score[b] - score[a] || b - a);
  const candidates: number[] = [];
  for (const global of found) {
    if (passes(global)) candidates.push(global);
    if (candidates.length === weights.phraseRows) break;
  }
  return candidates;
}
