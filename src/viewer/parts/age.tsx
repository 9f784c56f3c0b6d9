// When something was, as people say it.

import type { JSX } from "preact";
import { ageOf } from "../../core/time/age_of.ts";

const weekMs = 7 * 86_400_000;

/** An age within a week, a date before that; the time itself on hover. */
export function Age({ ts }: { ts: string }): JSX.Element {
  return (
    <time dateTime={ts} title={new Date(ts).toLocaleString()}>
      {sayWhen(ts, Date.now())}
    </time>
  );
}

function sayWhen(ts: string, nowMs: number): string {
  const date = new Date(ts);
  if (!(nowMs - date.getTime() > weekMs)) return ageOf(ts, nowMs);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
}
