// Times as people write them: dates, timestamps, and ages such as 7d.

import { CtxError } from "./errors.ts";

const unitsMs: Record<string, number> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads `2026-11-15`, an ISO timestamp, or an age (`90m`, `12h`, `7d`, `2w`) as an ISO timestamp. */
export function parseWhen(text: string, nowMs: number): string {
  const age = /^(\d{1,5})([mhdw])$/.exec(text);
  const time = age
    ? nowMs - Number(age[1]) * unitsMs[age[2]]
    : /^\d{4}-\d\d/.test(text)
    ? Date.parse(text)
    : NaN;
  if (!Number.isFinite(time)) {
    throw new CtxError("USAGE", `Cannot read the time "${text}"`, {
      hint: "write a date (2026-11-15), a timestamp (2026-11-15T10:00:00Z) or an age (7d, 12h)",
    });
  }
  return new Date(time).toISOString();
}

/** The same as an upper bound, itself included: a date alone means the end of its day. */
export function parseUntil(text: string, nowMs: number): string {
  const when = parseWhen(text, nowMs);
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return when;
  return new Date(Date.parse(when) + unitsMs.d - 1).toISOString();
}

/** How long ago a time was, in one unit. */
export function ageOf(ts: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(ts)) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes}m ago`;
  if (minutes < 60 * 48) return `${Math.floor(minutes / 60)}h ago`;
  return `${Math.floor(minutes / 1440)}d ago`;
}
