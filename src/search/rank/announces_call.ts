// Whether a row announces a call: a short turn of an agent directly before it ("Let me check …").

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { weights } from "./ranking.ts";

/** Looks at the row and at the next one of its session, thinking passed over. */
export function announcesCall(corpus: Corpus, global: number): boolean {
  const { words, reach } = weights.announcement;
  const { segment, row } = locate(corpus, global);
  const flags = segment.flags(row);
  if ((flags & rowFlags.talk) === 0 || (flags & rowFlags.prompt) !== 0) return false;
  if (segment.textLength(row) >= words) return false;
  const session = segment.session(row);
  const end = Math.min(corpus.size, global + 1 + reach);
  for (let next = global + 1; next < end; next++) {
    const found = locate(corpus, next);
    const isDead = corpus.liveness.dead[found.segmentNumber]?.has(found.row) === true;
    if (isDead || found.segment.session(found.row) !== session) continue;
    const after = found.segment.flags(found.row);
    if ((after & (rowFlags.thinking | rowFlags.tombstone)) !== 0) continue;
    return (after & (rowFlags.call | rowFlags.recall)) !== 0;
  }
  return false;
}
