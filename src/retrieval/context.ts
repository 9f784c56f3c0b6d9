// Context: an answer often lacks the words of its question. The best matching turns give part of
// their score to the turns around them in the same session, if those match the query themselves.

import { rowFlags } from "../index/search_fields.ts";
import { type Corpus, locate } from "../index/corpus.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";

/** What each row gains from its neighbours, by global number. */
export function contextOf(corpus: Corpus, scores: Scores): Map<number, number> {
  const gains = new Map<number, number>();
  const { before, after } = weights.context;
  for (const source of bestTurns(corpus, scores)) {
    // What a row takes from the turns before it, a source gives to those after it.
    give(gains, { corpus, scores, source, step: 1, shares: before });
    give(gains, { corpus, scores, source, step: -1, shares: after });
  }
  return gains;
}

interface Giving {
  corpus: Corpus;
  scores: Scores;
  source: number;
  step: 1 | -1;
  shares: readonly number[];
}

function give(gains: Map<number, number>, giving: Giving): void {
  const { corpus, scores, source, step, shares } = giving;
  const session = sessionOf(corpus, source);
  let row = source;
  for (const share of shares) {
    const next = nextTurn(corpus, row, step);
    if (next === undefined || sessionOf(corpus, next) !== session) return;
    row = next;
    if (scores.matchedOf(row) === 0) continue;
    gains.set(row, (gains.get(row) ?? 0) + share * scores.scoreOf(source));
  }
}

/** The best turns; of equal scores the later in the log. The same for any segment layout. */
function bestTurns(corpus: Corpus, scores: Scores): number[] {
  const limit = weights.context.sources;
  for (let n = limit * 2;; n *= 4) {
    const rows = scores.atLeast(scores.scored, scores.nth(scores.scored, n));
    const turns = [...rows].filter((row) => isTurn(corpus, row));
    if (turns.length < limit && rows.length < scores.count) continue;
    return turns.map((row) => ({ row, score: scores.scoreOf(row) }))
      .sort((a, b) => b.score - a.score || b.row - a.row)
      .slice(0, limit).map(({ row }) => row);
  }
}

/** The next turn in a direction, within reach; archive and hot are one sequence. */
function nextTurn(corpus: Corpus, from: number, step: 1 | -1): number | undefined {
  let passed = 0;
  for (let next = from + step; next >= 0 && next < corpus.size; next += step) {
    const { segment, segmentNumber, row } = locate(corpus, next);
    const flags = segment.flags(row);
    if ((flags & rowFlags.tombstone) !== 0) continue;
    if (corpus.liveness.dead[segmentNumber]?.has(row)) continue;
    if ((flags & rowFlags.talk) !== 0) return next;
    if (++passed >= weights.context.reach) return undefined;
  }
  return undefined;
}

function isTurn(corpus: Corpus, global: number): boolean {
  const { segment, row } = locate(corpus, global);
  return (segment.flags(row) & rowFlags.talk) !== 0;
}

function sessionOf(corpus: Corpus, global: number): number {
  const { segment, row } = locate(corpus, global);
  return segment.session(row);
}
