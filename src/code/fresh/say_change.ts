// What changed under an entry, in words. Pure.

import type { CodeChange, FreshnessName } from "./freshness.ts";

/** What changed, since when, by what. */
export function sayChange(freshness: FreshnessName, changed: CodeChange): string {
  const { path, lines, of, by, since, commit } = changed;
  const isFile = of === undefined;
  const what = isFile
    ? `${path} no longer exists`
    : of > 0
    ? `${lines} of ${of} lines`
    : "what it removed is back";
  const where = path && !isFile ? `, mostly in ${path}` : "";
  const when = since ? `, since ${since.slice(0, 10)}` : "";
  const who = [commit && `commit ${commit.slice(0, 9)}`, by].filter(Boolean).join(", ");
  return `code ${said[freshness]}: ${what}${where}${when}${who ? ` (${who})` : ""}`;
}

const said: Record<FreshnessName, string> = {
  fresh: "unchanged",
  drifted: "changed since",
  gone: "gone",
  reverted: "reverted",
  unknown: "unknown",
};
