// The turns beside a turn, in its session: what is said before or after it often means the same.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { weights } from "./ranking.ts";

/** The turn before it and the one after it, as far as there are; none for what is no turn. */
export function turnsBeside(corpus: Corpus, global: number): number[] {
  const { segment, row } = locate(corpus, global);
  if ((segment.flags(row) & rowFlags.talk) === 0) return [];
  return [1, -1].map((step) => findTurn(corpus, global, step)).filter((turn) => turn !== undefined);
}

function findTurn(corpus: Corpus, global: number, step: number): number | undefined {
  const own = locate(corpus, global);
  let passed = 0;
  for (let at = global + step; at >= 0 && at < corpus.size; at += step) {
    const { segment, segmentNumber, row } = locate(corpus, at);
    const flags = segment.flags(row);
    if ((flags & rowFlags.tombstone) !== 0) continue;
    if (corpus.liveness.dead[segmentNumber]?.has(row)) continue;
    if ((flags & rowFlags.talk) !== 0) {
      return segment.session(row) === own.segment.session(own.row) ? at : undefined;
    }
    if (++passed >= weights.context.reach) return undefined;
  }
  return undefined;
}
