// The trial as data for people: what was compared, how far it is, what it can find.

import type { Store } from "../../store/store.ts";
import { findablePairs, looks, type Measure, measures } from "./judge_trial.ts";
import { readTrialState } from "./run_trial.ts";
import type { TrialReport } from "./trial_shape.ts";

/** What is proposed where no trial runs. */
export const usualEvery = 4;

export function reportTrial(store: Store, every: number): TrialReport {
  const { sessions, looks: made, verdict, judgement } = readTrialState(store);
  const of = every === 0 ? usualEvery : Math.max(2, every);
  const next = verdict === undefined ? looks[made.length] : undefined;
  const group = (withheld: boolean) => sessions.filter((each) => each.withheld === withheld);
  const [kept, bare] = [group(false), group(true)];
  const medianOf = (among: typeof sessions, measure: Measure): number | null =>
    median(among.flatMap(({ costs }) => costs[measure] ?? []));
  return {
    state: every === 0 ? "off" : verdict ?? "running",
    every: of,
    with_context: kept.length,
    without: bare.length,
    looks: made.length,
    next_look: next?.sessions ?? null,
    most_sessions: looks[looks.length - 1].sessions,
    p: judgement?.p ?? null,
    findable_pairs: findablePairs(of),
    measures: measures.map((measure) => ({
      measure,
      with_context: medianOf(kept, measure),
      without: medianOf(bare, measure),
    })),
  };
}

function median(values: number[]): number | null {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
