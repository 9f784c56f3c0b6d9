// What is told of an entry that speaks of code, and how it is said. Pure.

/** What can be said: the code is as it was, in part, not at all, as it was before, or nobody knows. */
export const freshnessNames = ["fresh", "drifted", "gone", "reverted", "unknown"] as const;
/** One of `freshnessNames`. */
export type FreshnessName = typeof freshnessNames[number];

export interface Freshness {
  freshness: FreshnessName;
  changed?: CodeChange;
}

/** What changed under an entry. */
export interface CodeChange {
  /**
   * The file in which most of it changed, and how many of the lines that count are no longer there; a
   * file alone is one that is gone.
   */
  path?: string;
  lines?: number;
  of?: number;
  /** The later edit of the same session that replaced them. */
  by?: string;
  /** When, and by which commit. */
  since?: string;
  commit?: string;
  /** When somebody confirmed that it holds: what changed before is not told. */
  confirmed?: string;
  /** All of it in words. */
  says?: string;
  /** Why nothing can be said. */
  because?: string;
}

/** Whether readers are to know: the code is not as it was. */
export function isStale(freshness: FreshnessName | undefined): boolean {
  return freshness === "drifted" || freshness === "gone" || freshness === "reverted";
}

/**
 * Whether it is worth a word where there is room for one only: at least half of the lines changed, or a file
 * is gone. A few changed lines say nothing about what was decided.
 */
export function isMostlyChanged(
  { freshness, changed: { lines = 0, of = 0 } = {} }: Freshness,
): boolean {
  return isStale(freshness) && (freshness !== "drifted" || lines * 2 >= of);
}

/** How it is said on a line; nothing of what is as it was, or is not known. */
export function toldFreshness({ freshness, changed }: Partial<Freshness>): string | undefined {
  if (!isStale(freshness)) return undefined;
  const commit = changed?.commit?.slice(0, 9);
  const what = freshness === "drifted" ? "changed" : freshness;
  return `code ${what}${commit ? ` since ${commit}` : ""}`;
}
