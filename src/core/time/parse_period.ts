// A stretch of time as a word for it: `day`, `week`, `last month`, `May 2026`, `7d`, as two bounds.

import { CtxError } from "../errors.ts";
import { readTime } from "./read_time.ts";

/** Periods that end now: today, and the days before it that make up a week, a month or a year. */
const upToNow = new Map(Object.entries({
  day: "today",
  week: "last 6 days",
  month: "last 29 days",
  quarter: "last 90 days",
  year: "last 364 days",
}));

/** The first and the last moment of a period. */
export function parsePeriod(text: string, nowMs: number): { since: string; until: string } {
  const plain = text.trim().toLowerCase();
  const span = readTime(upToNow.get(plain) ?? plain, { nowMs, loosely: true });
  if (span === undefined) {
    throw new CtxError("USAGE", `Cannot read the period "${text.slice(0, 80)}"`, {
      hint: 'write day, week, month, yesterday, "last week", 7d, 2026-11-15 or "May 2026"',
    });
  }
  // An age is a moment: the period is what came after it.
  const toMs = span.toMs - span.fromMs <= 1 ? nowMs + 1 : span.toMs;
  return {
    since: new Date(span.fromMs).toISOString(),
    until: new Date(Math.max(span.fromMs, toMs - 1)).toISOString(),
  };
}
