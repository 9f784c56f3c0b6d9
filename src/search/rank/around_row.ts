// What a row has of the rows around it in its session: from the turns beside it, from the prompt that
// it answers, and whether it only announces what follows.

import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { walkExchange } from "../../index/segment/exchange.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import type { TermStatistics } from "./plan_terms.ts";
import { weights } from "./ranking.ts";
import type { Scores } from "./scores.ts";

/**
 * What each row gains from its neighbours, by global number. An answer often lacks the words of its
 * question: the best matching turns give part of their score to the turns around them in the same
 * session, if those match the query themselves.
 */
export function contextOf(corpus: Corpus, scores: Scores): Map<number, number> {
  const gains = new Map<number, number>();
  const { answer, turns } = weights.context;
  const sources = bestRows(scores, "talk", weights.context.sources);
  const { score, matched } = scores.views;
  for (const source of sources) {
    const give = (step: 1 | -1, shares: readonly number[]): void => {
      let given = 0;
      walkTurns(corpus, { from: source, step }, (turn) => {
        const share = shares[given++] * score[source];
        if (matched[turn] !== 0) gains.set(turn, (gains.get(turn) ?? 0) + share);
        return given < shares.length;
      });
    };
    // What a row takes from the turns before it, a source gives to those after it.
    const { segment, row } = locate(corpus, source);
    const asks = (segment.flags(row) & rowFlags.question) !== 0;
    give(1, asks ? [answer, turns[1]] : turns);
    give(-1, turns);
  }
  return gains;
}

/**
 * What each row gains from its prompt, by global number. What answers a prompt seldom repeats its
 * words: the prompts that match best lend theirs to the rows of their exchange, up to the next prompt
 * of the session, those that a row lacks itself. Rows that match nothing gain nothing.
 */
export function promptGains(
  corpus: Corpus,
  scores: Scores,
  terms: readonly TermStatistics[],
): Map<number, number> {
  const { share, prompts } = weights.prompt;
  const gains = new Map<number, number>();
  const best = bestRows(scores, "prompt", prompts);
  // Looking for the best may move the memory.
  const { score, matched } = scores.views;
  for (const prompt of best) {
    const lent = matched[prompt];
    const worth = share * score[prompt] / worthOf(terms, lent);
    const visit = (row: number): void => {
      const missing = lent & ~matched[row];
      if (matched[row] !== 0 && missing !== 0) gains.set(row, worth * worthOf(terms, missing));
    };
    walkExchange(corpus, prompt, { reach: weights.prompt.reach, visit });
  }
  return gains;
}

/** Summed idf of a set of terms. */
function worthOf(terms: readonly TermStatistics[], set: number): number {
  let sum = 0;
  for (let i = 0; i < terms.length; i++) if ((set >>> i) & 1) sum += terms[i].idf;
  return sum;
}

/** The best turns or prompts so far, up to `limit`; of equal scores the later in the log. The same for any layout. */
function bestRows(scores: Scores, kind: "talk" | "prompt", limit: number): number[] {
  const rows = scores.atLeast(kind, scores.nth(kind, limit));
  return Array.from(rows, (row) => ({ row, score: scores.scoreOf(row) }))
    .sort((a, b) => b.score - a.score || b.row - a.row)
    .slice(0, limit).map(({ row }) => row);
}

/**
 * Whether a row announces a call: a short turn of an agent directly before it ("Let me check …").
 * Looks at the row and at the next one of its session, thinking passed over.
 */
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

/**
 * Visits the turns after a row in its session (or, with -1, before it), the next one first, for as long as
 * `visit` wants another. Archive and hot are one sequence. Written as one loop, because short commands
 * run it interpreted, hundreds of times.
 */
function walkTurns(
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
