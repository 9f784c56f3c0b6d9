// Whether a query is about anything in the store: the rule behind an answer of no rows.

import type { Evidence } from "./rank.ts";
import { weights } from "./ranking.ts";

/** Whether there is enough of it; `weights.floor` says why so. */
export function isRelated({ branch, bestShare, bestCosine, ...found }: Evidence): boolean {
  const { floor } = weights;
  if (branch === "lexical") return bestShare >= floor.query;
  if (branch === "vector") return bestCosine >= floor.queryCosine;
  if (bestShare >= floor.covered || bestCosine >= floor.similar) return true;
  if (bestCosine + floor.shareWorth * bestShare < floor.hybrid) return false;
  const certainty = Math.sqrt(found.words) * (1 - floor.unknown * found.unknown);
  return found.best * certainty >= floor.evidence;
}
