// Whether the code that an entry speaks of is still so.

import type { JSX } from "preact";

/** Says it where there is something to say. */
export function FreshnessMark({ freshness }: { freshness?: string }): JSX.Element | null {
  if (freshness === undefined || freshness === "unknown") return null;
  return <span class={`badge ${freshness}`}>{words[freshness] ?? freshness}</span>;
}

const words: Record<string, string> = {
  fresh: "code as it was",
  drifted: "code changed",
  gone: "code gone",
  reverted: "code reverted",
};
