// Context: an answer often lacks the words of its question. The best matching turns give part of
// their score to the turns around them in the same session, if those match the query themselves.

import { rowFlags } from "../../index/segment/segment_format.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { bestRows } from "./best_rows.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";

/** What each row gains from its neighbours, by global number. */
export function contextOf(corpus: Corpus, scores: Scores): Map<number, number> {
  const gains = new Map<number, number>();
  const { answer, turns } = weights.context;
  const sources = bestRows(scores, "talk", weights.context.sources);
  const { score, matched } = scores.views;
  for (const source of sources) {
    const giving = { corpus, matched, source, worth: score[source] };
    // What a row takes from the turns before it, a source gives to those after it.
    const { segment, row } = locate(corpus, source);
    const asks = (segment.flags(row) & rowFlags.question) !== 0;
    give(gains, { ...giving, step: 1, shares: asks ? [answer, turns[1]] : turns });
    give(gains, { ...giving, step: -1, shares: turns });
  }
  return gains;
}

interface Giving {
  corpus: Corpus;
  matched: Uint32Array;
  source: number;
  /** The source's score. */
  worth: number;
  step: 1 | -1;
  shares: readonly number[];
}

/**
 * Walks along the log from a source, archive and hot as one sequence. Written as one loop, because
 * short commands run it interpreted, hundreds of times.
 */
function give(gains: Map<number, number>, giving: Giving): void {
  const { corpus, matched, source, worth, step, shares } = giving;
  let { segment, segmentNumber, row } = locate(corpus, source);
  let dead = corpus.liveness.dead[segmentNumber];
  const session = segment.session(row);
  let given = 0;
  let passed = 0;
  for (let next = source + step; next >= 0 && next < corpus.size; next += step) {
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
    if (segment.session(row) !== session) return;
    if (matched[next] !== 0) gains.set(next, (gains.get(next) ?? 0) + shares[given] * worth);
    if (++given >= shares.length) return;
    passed = 0;
  }
}
