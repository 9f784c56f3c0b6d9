// Asks every question of every set with one setting of the weights, in this thread. Sets are opened once.

import {
  type JudgedGroup,
  type JudgedQuestion,
  type JudgedSet,
  loadJudgedSets,
} from "./judged_sets.ts";
import { measureNames, type Scores } from "./measures.ts";
import { type Find, openSearch } from "./open_store.ts";
import { applySetting, type Setting } from "./weight_paths.ts";

/** One question's measures. */
export interface Asked {
  isAnswerable: boolean;
  fold: string;
  scores: Scores;
}

/** The measures of all questions, by set, in the order of the set. */
export type Measured = Record<string, Asked[]>;

/** Measures a setting on all sets, or on those named. */
export type Measure = (setting: Setting, names?: readonly string[]) => Promise<Measured>;

/** Opens the sets for measuring. */
export async function openMeasuring(): Promise<Measure> {
  const sets = await loadJudgedSets();
  const finds = new Map<string, Find>();
  for (const { workspace } of sets.flatMap(({ groups }) => groups)) {
    finds.set(workspace, openSearch(workspace, "auto"));
  }
  return async (setting, names = sets.map(({ name }) => name)) => {
    applySetting(setting);
    const measured: Measured = {};
    for (const set of sets) {
      if (names.includes(set.name)) measured[set.name] = await askSet(set, finds);
    }
    return measured;
  };
}

async function askSet({ groups }: JudgedSet, finds: Map<string, Find>): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { workspace, questions } of groups) {
    const find = finds.get(workspace);
    for (const { text, isAnswerable, fold, score } of sample(questions, { of: groups })) {
      asked.push({ isAnswerable, fold, scores: score(await find?.(text) ?? []) });
    }
  }
  return asked;
}

/** Every n-th question of a large set, when that was asked for: rough, but soon. */
function sample(
  questions: readonly JudgedQuestion[],
  { of }: { of: readonly JudgedGroup[] },
): readonly JudgedQuestion[] {
  const every = Number(Deno.env.get("CTX_BENCH_EVERY") ?? 1);
  const all = of.reduce((sum, group) => sum + group.questions.length, 0);
  return all > 200 ? questions.filter((_, i) => i % every === 0) : questions;
}

/** The values of one measure over the questions that have an answer. */
export function valuesOf(asked: readonly Asked[], name: typeof measureNames[number]): number[] {
  return asked.filter(({ isAnswerable }) => isAnswerable).map(({ scores }) => scores[name]);
}
