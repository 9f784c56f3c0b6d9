// How much of bringing derived data up to date is done at once. A call that answers somebody does not
// wait for all of a large change: it answers from what is known by then, and later calls go on.

/** What limits a refresh. */
export interface RefreshBudget {
  /** Whether there still is time for another file. */
  hasTime(): boolean;
  /** The file that is asked about: it is read before others. */
  first?: string;
}

/** So many files are read however long it takes: small changes are never left, and all get done. */
export const leastFiles = 128;

/** A budget of so much time from now on. */
export function budgetOf(
  limitMs: number,
  { ticks, first }: { ticks: () => number; first?: string },
): RefreshBudget {
  const end = ticks() + limitMs;
  return { hasTime: () => ticks() < end, first };
}
