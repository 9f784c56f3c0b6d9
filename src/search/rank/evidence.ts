// What a ranking counts on its way through the candidates, and whether that says that a query is about
// anything in the store: the rule behind an answer of no rows.

import type { CandidateCounts, Evidence } from "./rank.ts";
import { weights } from "./ranking.ts";

/** What was counted while collecting. */
export interface Tally extends CandidateCounts {
  total: number;
  belowFloor: number;
  bestShare: number;
  bestCosine: number;
  removed: Record<string, number>;
}

/** Nothing counted yet. */
export function makeTally(): Tally {
  const counted = { lexical: 0, vector: 0, fused: 0, total: 0, belowFloor: 0 };
  return { ...counted, bestShare: 0, bestCosine: 0, removed: {} };
}

/**
 * Counts rows that are alike: how much of the query they match, by words, whether near, and the filter
 * that they fail.
 */
export function countRows(
  tally: Tally,
  alike: { rows: number; share: number; worded: boolean; near: boolean; failed?: string },
): void {
  const { rows, share, worded, near, failed } = alike;
  if (rows === 0) return;
  if (worded) tally.lexical += rows;
  if (near) tally.vector += rows;
  if (share < weights.floor.row && !near) {
    tally.belowFloor += rows;
    return;
  }
  if (failed !== undefined) {
    tally.removed[failed] = (tally.removed[failed] ?? 0) + rows;
    return;
  }
  tally.total += rows;
  tally.bestShare = Math.max(tally.bestShare, share);
}

/** Whether a query is about anything in the store; `weights.floor` says why so. */
export function isRelated({ branch, bestShare, bestCosine, ...found }: Evidence): boolean {
  const { floor } = weights;
  if (branch === "lexical") {
    return bestShare >= floor.query * Math.min(1, floor.queryWords / Math.max(1, found.words));
  }
  if (branch === "vector") return bestCosine >= floor.queryCosine;
  if (bestShare >= floor.covered || bestCosine >= floor.similar) return true;
  if (bestCosine + floor.shareWorth * bestShare < floor.hybrid) return false;
  const certainty = Math.sqrt(found.words) * (1 - floor.unknown * found.unknown);
  return found.best * certainty >= floor.evidence;
}
