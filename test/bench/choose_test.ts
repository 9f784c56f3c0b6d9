import assert from "node:assert/strict";
import { type Judged, leaveOut, leavePartsOut, partsOf } from "../../bench/quality/choose.ts";
import { verdictOf } from "../../bench/quality/tune.ts";
import { tunedPaths, valuesAt } from "../../bench/quality/weight_values.ts";

/** A set whose questions are each about something else. */
function judged(sets: Record<string, number[]>): Judged {
  return Object.fromEntries(
    Object.entries(sets).map(([set, values]) => [
      set,
      values.map((value, i) => ({ fold: `${i}`, value })),
    ]),
  );
}

Deno.test("leaveOut() takes what the other sets like best, however many questions they have", () => {
  const shipped = judged({ a: [0, 0], b: [0.5], c: [0.4, 0.4, 0.4, 0.4] });
  const other = judged({ a: [1, 1], b: [0.7], c: [0.3, 0.3, 0.3, 0.3] });
  // Without a: b gains .2, c loses .1 four times over; as sets, b wins.
  assert.deepEqual(leaveOut([shipped, other], "a"), { chosen: 1, values: [1, 1] });
  assert.deepEqual(leaveOut([shipped, other], "c").values, [0.3, 0.3, 0.3, 0.3]);
  // Nothing to choose by: what ships stays.
  assert.equal(leaveOut([judged({ a: [0] }), judged({ a: [1] })], "a").chosen, 0);
});

Deno.test("leavePartsOut() never chooses by the part that it measures", () => {
  // Each candidate is good at one question only: chosen without it, it is never the one.
  const candidates = [0, 1, 2, 3, 4].map((good) =>
    judged({ a: [0, 1, 2, 3, 4].map((at) => at === good ? 1 : 0) })
  );
  assert.deepEqual(leavePartsOut(candidates, "a"), [0, 0, 0, 0, 0]);
  const [bad, fine] = [judged({ a: [0, 0, 0, 0, 0] }), judged({ a: [1, 1, 1, 1, 1] })];
  assert.deepEqual(leavePartsOut([bad, fine], "a"), [1, 1, 1, 1, 1]);
});

Deno.test("partsOf() keeps what is about one thing together, in five parts of about one size", () => {
  const folds = [..."aaaabbbccddef"];
  const parts = partsOf(folds);
  for (const fold of new Set(folds)) {
    assert.equal(new Set(parts.filter((_, i) => folds[i] === fold)).size, 1);
  }
  const sizes = [0, 1, 2, 3, 4].map((part) => parts.filter((other) => other === part).length);
  assert.deepEqual(sizes, [4, 3, 2, 2, 2]);
});

Deno.test("verdictOf() lets a weight stay that hurts no set that had no say, and helps in sum", () => {
  const gain = (mean: number, high = mean + 0.01) => ({ mean, high });
  const of = (mean: number, high?: number) => ({
    set: "a",
    isInformed: true,
    left: gain(mean, high),
    parts: gain(1),
  });
  assert.equal(verdictOf([]), "no set judges it");
  assert.equal(verdictOf([of(0.02), of(-0.005)]), "survives");
  assert.equal(verdictOf([of(0.02), of(-0.02)]), "hurts a");
  assert.equal(verdictOf([of(0.002), of(-0.002)]), "no gain");
  assert.equal(verdictOf([{ ...of(-1), isInformed: false }]), "survives");
});

Deno.test("every tuned weight has values to choose from, what ships first", () => {
  assert.ok(tunedPaths().includes("k1") && !tunedPaths().some((path) => path.startsWith("floor")));
  for (const path of tunedPaths()) {
    const [first, ...others] = valuesAt(path);
    assert.equal(first.name, "shipped");
    assert.ok(others.length >= 3 && others.every(({ value }) => value !== first.value), path);
  }
  assert.deepEqual(valuesAt("vector").at(-1), { name: "off", value: 0 });
});
