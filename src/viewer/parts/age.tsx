// When something was, as people say it.

import type { JSX } from "preact";
import { ageOf } from "../../core/time/age_of.ts";

/** An age; the time itself on hover. */
export function Age({ ts }: { ts: string }): JSX.Element {
  return (
    <time dateTime={ts} title={new Date(ts).toLocaleString()}>
      {ageOf(ts, Date.now())}
    </time>
  );
}
