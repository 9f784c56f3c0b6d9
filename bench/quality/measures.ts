// What one answer is worth: the usual measures of the first ten rows.

/** The measures of one answer, each from 0 to 1. */
export interface Scores {
  ndcg: number;
  recall5: number;
  recall10: number;
  /** One through the rank of the first row that answers. */
  reciprocal: number;
  /** 1 when the first row answers. */
  first: number;
  /** 1 when one of the first five does. */
  five: number;
  /** 1 when there is no row. */
  empty: number;
}

/** The names of the measures. */
export const measureNames = [
  "ndcg",
  "recall5",
  "recall10",
  "reciprocal",
  "first",
  "five",
  "empty",
] as const satisfies (keyof Scores)[];

/** Scores ids, best first, where every relevant one is worth the same. */
export function scoreIds(ids: readonly string[], relevant: ReadonlySet<string>): Scores {
  const hits = ids.slice(0, 10).map((id) => relevant.has(id) ? 1 : 0);
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, () => 1);
  const found = (depth: number): number =>
    share(hits.slice(0, depth).reduce<number>((sum, hit) => sum + hit, 0), relevant.size);
  return {
    ndcg: share(discounted(hits), discounted(ideal)),
    recall5: found(5),
    recall10: found(10),
    ...byRank(hits.indexOf(1)),
    empty: ids.length === 0 ? 1 : 0,
  };
}

/** The measures that depend only on where the first answer stands (-1: nowhere). */
export function byRank(rank: number): Pick<Scores, "reciprocal" | "first" | "five"> {
  return {
    reciprocal: rank < 0 ? 0 : 1 / (rank + 1),
    first: rank === 0 ? 1 : 0,
    five: rank >= 0 && rank < 5 ? 1 : 0,
  };
}

/** The discounted sum of some gains. */
export function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}

/** The mean of some numbers. */
export function meanOf(values: readonly number[]): number {
  return share(values.reduce((sum, value) => sum + value, 0), values.length);
}

/** A part of a whole; of nothing, nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
