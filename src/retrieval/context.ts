// Context: an answer often lacks the words of its question. The best matching turns give part of
// their score to the turns around them in the same session, if those match the query themselves.

import { rowFlags } from "../index/analyze.ts";
import type { Corpus } from "../index/corpus.ts";
import type { Scores } from "./accumulate.ts";
import { weights } from "./ranking.ts";

/** What each row gains from its neighbours, by global number. */
export function contextOf(corpus: Corpus, scores: Scores): Map<number, number> {
  const gains = new Map<number, number>();
  const talk = new Talk(corpus);
  for (const source of bestRows(scores, talk)) {
    give(gains, { scores, talk, source, step: 1, shares: weights.context.before });
    give(gains, { scores, talk, source, step: -1, shares: weights.context.after });
  }
  return gains;
}

/** `before` is what a row takes from the turns before it, so a source gives it to those after. */
function give(
  gains: Map<number, number>,
  from: {
    scores: Scores;
    talk: Talk;
    source: number;
    step: 1 | -1;
    shares: readonly number[];
  },
): void {
  const { scores, talk, source, step, shares } = from;
  let row = source;
  for (const share of shares) {
    const next = talk.neighbour(row, step);
    if (next === undefined || talk.sessionOf(next) !== talk.sessionOf(source)) return;
    row = next;
    if (scores.matched[row] === 0) continue;
    gains.set(row, (gains.get(row) ?? 0) + share * scores.score[source]);
  }
}

/** The best rows that are talk; equal scores in log order, newest first. Fixed for any layout. */
function bestRows(scores: Scores, talk: Talk): number[] {
  const limit = weights.context.sources;
  const best: number[] = [];
  const { score, touched } = scores;
  const isBetter = (a: number, b: number): boolean =>
    score[a] > score[b] || (score[a] === score[b] && a > b);
  for (let i = 0; i < scores.count; i++) {
    const row = touched[i];
    if (best.length === limit && !isBetter(row, best[limit - 1])) continue;
    if (!talk.isTalk(row)) continue;
    let at = best.length < limit ? best.length : limit - 1;
    while (at > 0 && isBetter(row, best[at - 1])) {
      best[at] = best[at - 1];
      at--;
    }
    best[at] = row;
  }
  return best;
}

/** The turns of a corpus, stepping over everything else. */
class Talk {
  readonly #corpus: Corpus;
  readonly #flags: Uint8Array[];
  #segment = 0;

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    this.#flags = corpus.segments.map((segment) => segment.flags());
  }

  isTalk(global: number): boolean {
    const row = this.#find(global);
    return (this.#flags[this.#segment][row] & rowFlags.talk) !== 0 &&
      this.#corpus.dead[this.#segment]?.[row] !== 1;
  }

  sessionOf(global: number): number {
    const row = this.#find(global);
    return this.#corpus.segments[this.#segment].sessions()[row];
  }

  /** The next turn in a direction, within reach; archive and hot are one sequence. */
  neighbour(global: number, step: 1 | -1): number | undefined {
    let live = 0;
    for (let next = global + step; next >= 0 && next < this.#corpus.size; next += step) {
      const row = this.#find(next);
      if (this.#corpus.dead[this.#segment]?.[row] === 1) continue;
      if ((this.#flags[this.#segment][row] & rowFlags.tombstone) !== 0) continue;
      if ((this.#flags[this.#segment][row] & rowFlags.talk) !== 0) return next;
      if (++live >= weights.context.reach) return undefined;
    }
    return undefined;
  }

  /** Sets the segment of a global number and returns the row in it. */
  #find(global: number): number {
    const { bases, segments } = this.#corpus;
    let i = this.#segment;
    while (global < bases[i]) i--;
    while (global >= bases[i] + segments[i].rows) i++;
    this.#segment = i;
    return global - bases[i];
  }
}
