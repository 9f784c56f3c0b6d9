// The turns around a turn, in its session: what is said one turn away often means the same.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { weights } from "./ranking.ts";

/** For each distance, the turns so far before and after a turn; none for what is no turn. */
export function turnsAround(corpus: Corpus, global: number, distances: number): number[][] {
  const found: number[][] = Array.from({ length: distances }, () => []);
  const own = locate(corpus, global);
  if ((own.segment.flags(own.row) & rowFlags.talk) === 0) return found;
  const session = own.segment.session(own.row);
  for (const step of [1, -1]) {
    let away = 0;
    let passed = 0;
    for (let at = global + step; at >= 0 && at < corpus.size; at += step) {
      const { segment, segmentNumber, row } = locate(corpus, at);
      const flags = segment.flags(row);
      if ((flags & rowFlags.tombstone) !== 0) continue;
      if (corpus.liveness.dead[segmentNumber]?.has(row)) continue;
      if ((flags & rowFlags.talk) === 0) {
        if (++passed >= weights.context.reach) break;
        continue;
      }
      if (segment.session(row) !== session) break;
      found[away].push(at);
      if (++away >= distances) break;
      passed = 0;
    }
  }
  return found;
}
