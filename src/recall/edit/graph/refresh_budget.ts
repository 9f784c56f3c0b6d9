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

/** What a call spends on reading where something is known already, and where nothing is yet. */
const knownMs = 4000;
const unknownMs = 10_000;

/** Whose clock counts, what is asked about, and how long it may take if not as long as usual. */
export interface BudgetOptions {
  ticks: () => number;
  first?: string;
  limitMs?: number;
}

/** The budget of a refresh from now on. */
export function makeBudget(
  isKnown: boolean,
  { ticks, first, limitMs = isKnown ? knownMs : unknownMs }: BudgetOptions,
): RefreshBudget {
  const end = ticks() + limitMs;
  return { hasTime: () => ticks() < end, first };
}
