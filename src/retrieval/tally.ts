// What a ranking counts on its way through the candidates.

import type { CandidateCounts } from "./request.ts";

/** What was counted while collecting. */
export interface Tally extends CandidateCounts {
  total: number;
  belowFloor: number;
  bestShare: number;
  bestCosine: number;
  removed: Record<string, number>;
}

/** Nothing counted yet of some candidates. */
export function makeTally(fused: number): Tally {
  const none = { lexical: 0, vector: 0, total: 0, belowFloor: 0, bestShare: 0, bestCosine: 0 };
  return { ...none, fused, removed: {} };
}
