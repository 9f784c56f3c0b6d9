// Where a change is described: a range of commits, as `ctx pr` takes it.

import { hrefOf } from "../data/route.ts";

/** The address of the changes, or of one of them. */
export function changeHref(range?: string): string {
  return hrefOf("source", { tab: "changes", range });
}

/** The range of a single commit. */
export function rangeOf(commit: string): string {
  const short = commit.slice(0, shortChars);
  return `${short}^..${short}`;
}

const shortChars = 12;
