// Times of flags and of `since:` and `until:` in queries, as bounds.

import { CtxError } from "../errors.ts";
import { readTime } from "./read_time.ts";
import type { TimeSpan } from "./time_span.ts";

/** The beginning of a time such as `2026-11-15`, `7d`, `yesterday` or `May 2023`, as a timestamp. */
export function parseWhen(text: string, nowMs: number): string {
  return new Date(parseSpan(text, nowMs).fromMs).toISOString();
}

/** The last millisecond of a time: as an upper bound it includes its whole day, month or year. */
export function parseUntil(text: string, nowMs: number): string {
  return new Date(parseSpan(text, nowMs).toMs - 1).toISOString();
}

/** Two bounds as timestamps; throws when the first is after the last. */
export function parseRange(
  { since, until }: { since?: string; until?: string },
  nowMs: number,
): { since?: string; until?: string } {
  const range = {
    since: since === undefined ? undefined : parseWhen(since, nowMs),
    until: until === undefined ? undefined : parseUntil(until, nowMs),
  };
  refuseReversed(range);
  return range;
}

/** Throws for a time that ends before it begins: nothing can be in it. */
export function refuseReversed({ since, until }: { since?: string; until?: string }): void {
  if (since === undefined || until === undefined || since <= until) return;
  throw new CtxError(
    "USAGE",
    `Cannot use the range ${since} to ${until}: it ends before it begins`,
    {
      hint: "--since is the earlier time, --until the later one",
    },
  );
}

function parseSpan(text: string, nowMs: number): TimeSpan {
  const span = readTime(text, { nowMs });
  // Beyond these a Date has no timestamp of four digits.
  if (span && span.fromMs >= firstMs && span.toMs < lastMs) return span;
  throw new CtxError("USAGE", `Cannot read the time "${text}"`, {
    hint:
      'write a date (2026-11-15), a timestamp (2026-11-15T10:00:00Z), an age (7d, 12h) or words ("2 weeks ago", "May 2023")',
  });
}

const firstMs = -62_135_596_800_000;
const lastMs = 253_402_300_800_000;
