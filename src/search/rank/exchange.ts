// An exchange: a prompt and what follows it in its session, up to the next prompt.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import { weights } from "./ranking.ts";

/** The prompt that a row answers, itself for a prompt; undefined where none is near before it. */
export function promptOf(corpus: Corpus, global: number): number | undefined {
  const start = locate(corpus, global);
  const session = start.segment.session(start.row);
  if (session === 0) return undefined;
  for (let at = global; at >= Math.max(0, global - weights.prompt.reach); at--) {
    const { segment, segmentNumber, row } = locate(corpus, at);
    if (segment.session(row) !== session || corpus.liveness.dead[segmentNumber]?.has(row)) continue;
    if ((segment.flags(row) & rowFlags.prompt) !== 0) return at;
  }
  return undefined;
}

/** Visits the rows of a prompt's session after it, up to the next prompt and as far as it reaches. */
export function walkExchange(
  corpus: Corpus,
  prompt: number,
  visit: (row: number) => void,
): void {
  let { segment, segmentNumber, row } = locate(corpus, prompt);
  let dead = corpus.liveness.dead[segmentNumber];
  const session = segment.session(row);
  const end = Math.min(corpus.size, prompt + 1 + weights.prompt.reach);
  for (let next = prompt + 1; next < end; next++) {
    if (++row >= segment.rows) {
      ({ segment, segmentNumber, row } = locate(corpus, next));
      dead = corpus.liveness.dead[segmentNumber];
    }
    if (segment.session(row) !== session || dead?.has(row)) continue;
    const flags = segment.flags(row);
    if ((flags & rowFlags.prompt) !== 0) return;
    if ((flags & rowFlags.tombstone) === 0) visit(next);
  }
}
