// The shape of a trial as data for people.

import * as s from "../../command/shape.ts";
import { measures, trialStates } from "./judge_trial.ts";

/** The medians of one measure; null where no session has it. */
const measureRow = s.object({
  measure: s.oneOf(measures),
  ...s.each(s.nullable(s.number()), "with_context", "without"),
});

export const trialShape = s.object({
  state: s.oneOf(trialStates),
  /** One of `every` sessions gets no context. */
  ...s.each(s.number(), "every", "with_context", "without", "looks"),
  /** How many sessions the next look needs; null once there is none. */
  next_look: s.nullable(s.number()),
  most_sessions: s.number(),
  /** How likely such a difference is by chance; null with too few sessions. */
  p: s.nullable(s.number()),
  /** The smallest effect that a full trial finds in 8 of 10 cases: so many of 100 pairs. */
  findable_pairs: s.number(),
  measures: s.listOf(measureRow),
});
export type TrialReport = s.ValueOf<typeof trialShape>;
