// How old something is, in the one way that every surface says it.

import assert from "node:assert/strict";
import { ageOf } from "../../../src/core/time/age_of.ts";

const now = Date.parse("2026-05-01T12:00:00.000Z");
const day = 86_400_000;

const ages: [ms: number, said: string][] = [
  [0, "just now"],
  [-30_000, "just now"],
  [60_000, "1 minute ago"],
  [59 * 60_000, "59 minutes ago"],
  [3_600_000, "1 hour ago"],
  [day - 1, "23 hours ago"],
  [day, "1 day ago"],
  [13.9 * day, "13 days ago"],
  [14 * day, "2 weeks ago"],
  [60 * day, "8 weeks ago"],
  [61 * day, "2 months ago"],
  [105 * day, "3 months ago"],
  [730 * day, "23 months ago"],
  [731 * day, "2 years ago"],
  [-2 * day, "2026-05-03"],
];
for (const [ms, said] of ages) {
  Deno.test(`ageOf() of ${ms} ms is "${said}"`, () => {
    assert.equal(ageOf(new Date(now - ms).toISOString(), now), said);
  });
}

Deno.test("ageOf() of something older never reads as younger, nor as older than it is", () => {
  const daysIn: Record<string, number> = { day: 1, week: 7, month: 30.44, year: 365.25 };
  let before = 0;
  for (let days = 1; days <= 4000; days++) {
    const said = ageOf(new Date(now - days * day).toISOString(), now);
    const [, count, unit] = /^(\d+) (day|week|month|year)s? ago$/.exec(said) ?? [];
    const told = Number(count) * daysIn[unit];
    assert.ok(told >= before && told <= days, `${days} days: "${said}"`);
    before = told;
  }
});

Deno.test("ageOf() leaves what is no time as it is", () => {
  assert.equal(ageOf("soon", now), "soon");
});
