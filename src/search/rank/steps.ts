// A score as the steps that made it. The ranking computes scores by these lists and `--explain` shows
// them: what changes a score without a step changes nothing. Pure.

import { roundScore } from "./ranking.ts";

/** One step on the way to a score, from 0 on: `≤` caps it. */
export interface Step {
  name: string;
  op: "+" | "×" | "÷" | "≤";
  value: number;
}

/** A step. Its value counts as it is shown: with nine decimals. */
export function step(name: string, op: Step["op"], value: number): Step {
  return { name, op, value: Math.round(value * 1e9) / 1e9 };
}

/** The score that some steps make, with the six decimals that scores have. */
export function applySteps(steps: readonly Step[]): number {
  let score = 0;
  for (const { op, value } of steps) {
    if (op === "+") score += value;
    else if (op === "×") score *= value;
    else if (op === "÷") score /= value;
    else score = Math.min(score, value);
  }
  return roundScore(score);
}
