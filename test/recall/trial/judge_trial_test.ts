// The trial's verdicts: right about effects that are there, and seldom wrong about ones that are not.

import assert from "node:assert/strict";
import {
  findablePairs,
  judgeSessions,
  looks,
  type TrialSession,
  verdictOf,
} from "../../../src/recall/trial/judge_trial.ts";
import { isFullLength } from "../../support/full_length.ts";
import { seededRandom } from "../../../bench/support/seeded_random.ts";

type Ending = { verdict: string; sessions: number };

/** A whole trial: costs are skewed, as real ones are, and multiplied by `effect` where context is given. */
function runTrial(seed: number, { effect, every = 2 }: { effect: number; every?: number }): Ending {
  const random = seededRandom(seed);
  const cost = (): number =>
    Math.exp(
      2 + Math.sqrt(-2 * Math.log(1 - random())) *
          Math.cos(2 * Math.PI * random()),
    );
  const sessions: TrialSession[] = [];
  for (const [look, { sessions: size }] of looks.entries()) {
    while (sessions.length < size) {
      const withheld = random() < 1 / every;
      const factor = withheld ? 1 : effect;
      const edits = random() < 0.7;
      sessions.push({
        withheld,
        costs: {
          ...(edits ? { actions_to_first_edit: Math.round(cost() * factor) } : {}),
          corrections: random() < 0.2 * factor ? 1 : 0,
          tokens: Math.round(1000 * cost() * factor),
        },
      });
    }
    const judgement = judgeSessions(sessions, 1_999);
    const verdict = judgement && verdictOf(judgement, look);
    if (verdict !== undefined) return { verdict, sessions: sessions.length };
  }
  throw new Error("a trial ends at its last look");
}

function runTrials(of: { effect: number; every?: number }): Record<string, number> {
  const trials = isFullLength ? 400 : 60;
  const shares: Record<string, number> = { helps: 0, hurts: 0, none: 0 };
  for (let seed = 1; seed <= trials; seed++) shares[runTrial(seed, of).verdict] += 1 / trials;
  return shares;
}

Deno.test("without an effect, at most 5 of 100 trials find one", () => {
  for (const every of [2, 4]) {
    const { helps, hurts } = runTrials({ effect: 1, every });
    // Three standard errors above what is promised.
    assert.ok(helps + hurts <= (isFullLength ? 0.083 : 0.135), `${helps + hurts} of trials`);
  }
});

Deno.test("an effect that is there is found, with the right sign", () => {
  const helped = runTrials({ effect: 0.55 });
  assert.ok(helped.helps > 0.9 && helped.hurts === 0, JSON.stringify(helped));
  const hurt = runTrials({ effect: 1 / 0.55 });
  assert.ok(hurt.hurts > 0.9 && hurt.helps === 0, JSON.stringify(hurt));
});

Deno.test("a large effect ends the trial early", () => {
  assert.deepEqual(runTrial(7, { effect: 0.1 }), { verdict: "helps", sessions: 32 });
});

Deno.test("the error levels of all looks add up to five percent", () => {
  const total = looks.reduce((sum, { level }) => sum + level, 0);
  assert.equal(total.toFixed(6), "0.050000");
});

Deno.test("an effect of the promised size is found in eight of ten full looks", () => {
  for (const every of [2, 4]) {
    // Normal scores that differ by the size at which that share of pairs has the cheaper one first.
    const shift = Math.SQRT2 * Math.log(findablePairs(every) / (100 - findablePairs(every))) /
      1.702;
    let found = 0;
    const trials = isFullLength ? 300 : 120;
    for (let seed = 1; seed <= trials; seed++) {
      const random = seededRandom(seed);
      const normal = (): number =>
        Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const sessions = Array.from({ length: 256 }, (_, i): TrialSession => {
        const withheld = i % every === 0;
        return { withheld, costs: { tokens: normal() + (withheld ? shift : 0) } };
      });
      const judgement = judgeSessions(sessions, 1_999);
      if (judgement && verdictOf(judgement, looks.length - 1) === "helps") found++;
    }
    const spread = 3 * Math.sqrt(0.16 / trials);
    assert.ok(Math.abs(found / trials - 0.8) < spread + 0.05, `${every}: ${found / trials}`);
  }
});

Deno.test("one group with fewer than two sessions is not compared", () => {
  const costs = { tokens: 1 };
  const kept = Array.from({ length: 9 }, () => ({ withheld: false, costs }));
  assert.equal(judgeSessions([...kept, { withheld: true, costs }]), undefined);
  const same = judgeSessions([...kept, { withheld: true, costs }, { withheld: true, costs }]);
  assert.deepEqual(same, { p: 1, difference: 0 });
});
