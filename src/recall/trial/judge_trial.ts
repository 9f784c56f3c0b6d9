// Says whether sessions with context cost less than those without. All measures count the same: each
// session is ranked by each, and has the mean of its ranks. Whether the two groups differ is tested by
// dealing out the coins again (a permutation test), which holds for any distribution. There are few
// looks, and their error levels add up to five percent, so looking early does no harm. Pure.

import { trialVerdicts } from "../../core/row_kinds.ts";
import type { Verdict } from "../../store/logs/trial_log.ts";

/** What a session cost: less is better. What does not apply to a session is absent. */
export type SessionCosts = Partial<Record<Measure, number>>;

/** What is compared. */
export const measures = [
  "actions_to_first_edit",
  "repeated_reads",
  "corrections",
  "tokens",
] as const;

/** One of them. */
export type Measure = typeof measures[number];

/** Where a trial stands: `off` without one, `running` until a look ends it. */
export const trialStates = ["off", "running", ...trialVerdicts] as const;

/** One of them. */
export type TrialState = typeof trialStates[number];

export interface TrialSession {
  withheld: boolean;
  costs: SessionCosts;
}

/** After how many sessions is looked, and the largest p that ends the trial there. */
export const looks = [
  { sessions: 32, level: 0.005 },
  { sessions: 64, level: 0.01 },
  { sessions: 128, level: 0.015 },
  { sessions: 256, level: 0.02 },
] as const;

/** What a look comes to. */
export interface Judgement {
  p: number;
  /** Negative if sessions with context cost less. */
  difference: number;
}

/** Compares the sessions with and without context; undefined if one group has fewer than two. */
export function judgeSessions(
  sessions: readonly TrialSession[],
  deals = 9_999,
): Judgement | undefined {
  const scores = toScores(sessions);
  const ranked = sessions.flatMap(({ withheld }, i) =>
    Number.isNaN(scores[i]) ? [] : { withheld, score: scores[i] }
  );
  const without = ranked.filter(({ withheld }) => withheld).length;
  const count = ranked.length;
  if (without < 2 || count - without < 2) return undefined;
  const all = Float64Array.from(ranked, ({ score }) => score);
  const sum = all.reduce((total, score) => total + score, 0);
  const meanGap = (sumWithout: number): number =>
    (sum - sumWithout) / (count - without) - sumWithout / without;
  const difference = meanGap(
    ranked.reduce((total, { withheld, score }) => withheld ? total + score : total, 0),
  );
  const bound = Math.abs(difference) - 1e-12;
  const draw = seededDraw(count);
  let [dealt, asFar] = [0, 0];
  while (dealt < deals && asFar < enoughAsFar) {
    let sumWithout = 0;
    for (let i = 0; i < without; i++) {
      const j = i + Math.floor(draw() * (count - i));
      [all[i], all[j]] = [all[j], all[i]];
      sumWithout += all[i];
    }
    dealt++;
    if (Math.abs(meanGap(sumWithout)) >= bound) asFar++;
  }
  return { p: (asFar + 1) / (dealt + 1), difference };
}

/** What the look with this number says; undefined if the trial goes on. */
export function verdictOf({ p, difference }: Judgement, look: number): Verdict | undefined {
  if (p <= looks[look].level) return difference < 0 ? "helps" : "hurts";
  return look === looks.length - 1 ? "none" : undefined;
}

/**
 * The smallest effect that a full trial finds in eight of ten cases, one of `every` sessions being
 * without context: in so many of 100 pairs, the session with context is the cheaper one.
 */
export function findablePairs(every: number): number {
  const all = looks[looks.length - 1].sessions;
  const without = all / every;
  const effect = (zOfLastLevel + zOfPower) * Math.sqrt(1 / without + 1 / (all - without));
  return Math.round(100 / (1 + Math.exp(-1.702 * effect / Math.SQRT2)));
}

/** Normal quantiles: two-sided at the level of the last look, and of a power of .8. */
const zOfLastLevel = 2.326;
const zOfPower = 0.842;

/** A difference that is met so often by chance needs no more deals. */
const enoughAsFar = 400;

/** Of each session the mean of its ranks, from 0 to 1; NaN without any measure. */
function toScores(sessions: readonly TrialSession[]): number[] {
  const ranks = sessions.map((): number[] => []);
  for (const measure of measures) {
    const having = sessions.flatMap(({ costs }, i) => {
      const cost = costs[measure];
      return cost === undefined ? [] : { i, cost };
    }).sort((a, b) => a.cost - b.cost);
    for (let from = 0; from < having.length;) {
      let to = from;
      while (to < having.length && having[to].cost === having[from].cost) to++;
      for (let at = from; at < to; at++) {
        ranks[having[at].i].push((from + to) / 2 / having.length);
      }
      from = to;
    }
  }
  return ranks.map((own) => own.reduce((sum, rank) => sum + rank, 0) / own.length);
}

/** The same numbers for the same sessions on every machine (mulberry32). */
function seededDraw(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
