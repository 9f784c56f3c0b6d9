// How long ago something was, for people. Lists, packs, the picker, the page and agents all say it
// with this, so that one day has one age everywhere.

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** The least age that is told in a unit, the largest unit first. */
const units: readonly [fromMs: number, unitMs: number, name: string][] = [
  [730 * dayMs, 365.25 * dayMs, "year"],
  [60 * dayMs, 30.44 * dayMs, "month"],
  [14 * dayMs, 7 * dayMs, "week"],
  [dayMs, dayMs, "day"],
  [60 * minuteMs, 60 * minuteMs, "hour"],
  [minuteMs, minuteMs, "minute"],
];

/** `just now`, `3 days ago`, `2 months ago`; a time to come as its day, what is no time as it is. */
export function ageOf(ts: string, nowMs: number): string {
  const pastMs = nowMs - Date.parse(ts);
  if (isNaN(pastMs)) return ts;
  if (pastMs <= -minuteMs) return ts.slice(0, 10);
  const [, unitMs, name] = units.find(([fromMs]) => pastMs >= fromMs) ?? [];
  if (unitMs === undefined) return "just now";
  const count = Math.floor(pastMs / unitMs);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
