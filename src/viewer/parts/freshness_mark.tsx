// A badge that says whether the code an entry is about has changed since.

import type { JSX } from "preact";

/** Shows the badge; nothing where the freshness is unknown. */
export function FreshnessMark({ freshness }: { freshness?: string }): JSX.Element | null {
  if (freshness === undefined || freshness === "unknown") return null;
  return <span class={`badge ${freshness}`}>{words[freshness] ?? freshness}</span>;
}

const words: Record<string, string> = {
  fresh: "code unchanged",
  drifted: "code changed",
  gone: "code gone",
  reverted: "code reverted",
};
