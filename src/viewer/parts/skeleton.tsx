// What stands where an answer will be: grey lines, about as many.

import type { JSX } from "preact";

/** Tells nothing to a screen reader; what is loading says so itself (`aria-busy`). */
export function Skeleton({ rows }: { rows: number }): JSX.Element {
  return (
    <div class="waiting skeleton" aria-hidden="true">
      {Array.from({ length: rows }, () => (
        <div>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
