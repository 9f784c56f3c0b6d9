// The turns around a row of a session: what is said before or after it.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { weights } from "./ranking.ts";

/**
 * Visits the turns after a row in its session (or, with -1, before it), the next one first, for as long as
 * `visit` wants another. Archive and hot are one sequence. Written as one loop, because short commands
 * run it interpreted, hundreds of times.
 */
export function walkTurns(
  corpus: Corpus,
  { from, step }: { from: number; step: 1 | -1 },
  visit: (turn: number) => boolean,
): void {
  let { segment, segmentNumber, row } = locate(corpus, from);
  let dead = corpus.liveness.dead[segmentNumber];
  const session = segment.session(row);
  let passed = 0;
  for (let next = from + step; next >= 0 && next < corpus.size; next += step) {
    row += step;
    if (row < 0 || row >= segment.rows) {
      ({ segment, segmentNumber, row } = locate(corpus, next));
      dead = corpus.liveness.dead[segmentNumber];
    }
    const flags = segment.flags(row);
    if ((flags & rowFlags.tombstone) !== 0 || dead?.has(row)) continue;
    if ((flags & rowFlags.talk) === 0) {
      if (++passed >= weights.context.reach) return;
      continue;
    }
    if (segment.session(row) !== session || !visit(next)) return;
    passed = 0;
  }
}

/** The turn after a turn and the one before it, as far as there are; none for what is no turn. */
export function turnsBeside(corpus: Corpus, global: number): number[] {
  const { segment, row } = locate(corpus, global);
  if ((segment.flags(row) & rowFlags.talk) === 0) return [];
  const found: number[] = [];
  for (const step of [1, -1] as const) {
    walkTurns(corpus, { from: global, step }, (turn) => {
      found.push(turn);
      return false;
    });
  }
  return found;
}
