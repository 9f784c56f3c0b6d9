// When something was, as people say it.

import type { JSX } from "preact";

const steps: readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [3600, "minute"],
  [86_400, "hour"],
  [86_400 * 30, "day"],
  [86_400 * 365, "month"],
  [Infinity, "year"],
];
const sizes: Record<string, number> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  month: 86_400 * 30,
  year: 86_400 * 365,
};
const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "narrow" });

/** An age; the time itself on hover. */
export function Age({ ts }: { ts: string }): JSX.Element {
  const seconds = (Date.now() - Date.parse(ts)) / 1000;
  const [, unit] = steps.find(([limit]) => Math.abs(seconds) < limit) ?? steps[5];
  const value = Math.round(seconds / sizes[unit]);
  return (
    <time dateTime={ts} title={new Date(ts).toLocaleString()}>
      {Number.isFinite(value) ? words.format(-value, unit) : ts}
    </time>
  );
}
