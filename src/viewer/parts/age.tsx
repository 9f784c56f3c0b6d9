// When something was, as people say it.

import type { JSX } from "preact";
import { ageOf } from "../../core/time/age_of.ts";

const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000];

/** An age on the same day, with the date beside it within a week, and the date alone before that. */
export function Age({ ts }: { ts: string }): JSX.Element {
  return (
    <time dateTime={ts} title={new Date(ts).toLocaleString()}>
      {sayWhen(ts, Date.now())}
    </time>
  );
}

function sayWhen(ts: string, nowMs: number): string {
  const date = new Date(ts);
  const pastMs = nowMs - date.getTime();
  // What is no time, and what is to come, says so itself.
  if (!(pastMs >= dayMs)) return ageOf(ts, nowMs);
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  const day = date.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
  return pastMs > weekMs ? day : `${ageOf(ts, nowMs)}, ${day}`;
}
