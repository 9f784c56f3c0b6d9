// How long ago something was, for people. Lists, packs, the picker, the page and agents all say it
// with this, so that one day has one age everywhere.

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** The largest unit first; a unit is used from its least count on, so that no age reads as younger. */
const units: readonly [unitMs: number, name: string, least: number][] = [
  [365.25 * dayMs, "year", 2],
  [30.44 * dayMs, "month", 2],
  [7 * dayMs, "week", 2],
  [dayMs, "day", 1],
  [60 * minuteMs, "hour", 1],
  [minuteMs, "minute", 1],
];

/** `just now`, `3 days ago`, `2 months ago`; a time to come as its day, what is no time as it is. */
export function ageOf(ts: string, nowMs: number): string {
  const pastMs = nowMs - Date.parse(ts);
  if (isNaN(pastMs)) return ts;
  if (pastMs <= -minuteMs) return ts.slice(0, 10);
  const [unitMs, name] = units.find(([unitMs, , least]) => pastMs >= least * unitMs) ?? [];
  if (unitMs === undefined) return "just now";
  const count = Math.floor(pastMs / unitMs);
  return `${count} ${name}${count === 1 ? "" : "s"} ago`;
}
