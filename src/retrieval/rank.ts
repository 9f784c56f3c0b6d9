// Ranks a corpus for a query: scores, context, floor, filters, boosts, order. Works on numbers
// only; rows are read through a callback when a phrase or a tie needs their text.

import type { Entry } from "../core/entry.ts";
import { type Corpus, locate } from "../index/corpus.ts";
import { accumulate, makeScores } from "./accumulate.ts";
import { contextOf } from "./context.ts";
import { excludedRows } from "./excluded.ts";
import type { RowFilter } from "./filter.ts";
import { planTerms, shareOf, type TermStatistics } from "./plan_terms.ts";
import { holdsPhrase, type Query, toPhraseText } from "./query.ts";
import { pivotsOf, recencyFactor, roundScore, weights } from "./ranking.ts";
import { TopRows } from "./top_rows.ts";

/** What to rank. */
export interface RankInput {
  corpus: Corpus;
  query: Query;
  filters: RowFilter[];
  /** How many rows are wanted, the skipped ones included. */
  limit: number;
  readEntry: (global: number) => Entry;
  /** Rows that gain from being pinned, and from being of the current session. */
  pinned: ReadonlySet<number>;
  ownSession?: (segmentNumber: number, row: number) => boolean;
}

/** One ranked row. */
export interface RankedRow {
  global: number;
  timeMs: number;
  lexical: number;
  context: number;
  share: number;
  final: number;
}

/** The outcome of ranking. */
export interface Ranking {
  rows: RankedRow[];
  total: number;
  candidates: number;
  belowFloor: number;
  removed: Record<string, number>;
  terms: TermStatistics[];
  /** The lexical score that a perfect row would have. */
  ideal: number;
  pivots: number[];
  boosts: (global: number) => Record<string, number>;
}

/** Ranks by words. */
export function rankLexical(input: RankInput): Ranking {
  return new Ranker(input).rank();
}

class Ranker {
  readonly #input: RankInput;
  readonly #terms;
  readonly #pivots: number[];
  readonly #scores;
  readonly #context: ReadonlyMap<number, number>;
  readonly #ideal: number;

  constructor(input: RankInput) {
    const { corpus, query } = input;
    this.#input = input;
    this.#terms = planTerms(corpus, query.terms);
    this.#pivots = pivotsOf(corpus.entries, corpus.lengths);
    this.#scores = makeScores(corpus.size);
    this.#accumulate();
    this.#context = contextOf(corpus, this.#scores);
    this.#ideal = this.#terms.reduce((sum, { idf }) => sum + idf * (weights.k1 + 1), 0);
  }

  rank(): Ranking {
    const { corpus, query, filters, limit, readEntry } = this.#input;
    const { score, matched } = this.#scores;
    const removed: Record<string, number> = {};
    const top = new TopRows(limit, (global) => readEntry(global).id);
    const shares = shareOf(this.#terms);
    const excluded = excludedRows(corpus, query);
    const mostBoost = this.#mostBoost();
    let total = 0;
    let candidates = 0;
    let belowFloor = 0;
    let bestShare = 0;
    corpus.segments.forEach((segment, i) => {
      const base = corpus.bases[i];
      for (let row = 0; row < segment.rows; row++) {
        const global = base + row;
        if (matched[global] === 0) continue;
        candidates++;
        const share = shares(matched[global]);
        if (share < weights.floor.row) {
          belowFloor++;
          continue;
        }
        const failed = excluded?.[global] === 1
          ? "excluded_words"
          : filters.find((filter) => !filter.passes(i, row))?.name ??
            (this.#holdsPhrases(global) ? undefined : "phrase");
        if (failed !== undefined) {
          removed[failed] = (removed[failed] ?? 0) + 1;
          continue;
        }
        total++;
        if (share > bestShare) bestShare = share;
        const context = this.#context.get(global) ?? 0;
        const lexical = score[global] + context;
        if (!top.accepts(roundScore(lexical / this.#ideal * mostBoost) + 1e-6)) continue;
        const final = this.#final(global);
        if (!top.accepts(final)) continue;
        top.add({ global, timeMs: segment.time(row), lexical, context, share, final });
      }
    });
    const related = bestShare >= weights.floor.query;
    return {
      rows: related ? top.rows() : [],
      total: related ? total : 0,
      candidates,
      belowFloor: related ? belowFloor : belowFloor + total,
      removed,
      terms: this.#terms.map(({ lists: _lists, ...term }) => term),
      ideal: this.#ideal,
      pivots: this.#pivots,
      boosts: (global) => this.#boosts(global),
    };
  }

  #accumulate(): void {
    const { corpus } = this.#input;
    this.#terms.forEach(({ idf, lists }, number) => {
      const term = { idf, bit: 1 << number, pivots: this.#pivots };
      corpus.segments.forEach((segment, i) => {
        const list = lists[i]?.bytes;
        const dead = corpus.liveness.dead[i];
        if (list) accumulate(this.#scores, { list, segment, base: corpus.bases[i], dead, term });
      });
    });
  }

  #holdsPhrases(global: number): boolean {
    const { phrases } = this.#input.query;
    if (phrases.length === 0) return true;
    const { text, title = "", summary = "", files = [], tags = [] } = this.#input.readEntry(global);
    const texts = [text, title, summary, ...files, ...tags].map(toPhraseText);
    return phrases.every((phrase) => texts.some((field) => holdsPhrase(field, phrase)));
  }

  #mostBoost(): number {
    const pin = this.#input.pinned.size > 0 ? 1 + weights.pin : 1;
    const session = this.#input.ownSession ? 1 + weights.session : 1;
    return (1 + weights.recency.gain) * pin * session;
  }

  #boosts(global: number): Record<string, number> {
    const { corpus, pinned, ownSession } = this.#input;
    const { segment, segmentNumber, row } = locate(corpus, global);
    const boosts: Record<string, number> = {
      recency: recencyFactor(segment.time(row), corpus.newestMs),
    };
    if (pinned.has(global)) boosts.pin = 1 + weights.pin;
    if (ownSession?.(segmentNumber, row)) boosts.session = 1 + weights.session;
    if (corpus.liveness.superseded[segmentNumber]?.has(row)) {
      boosts.superseded = weights.superseded;
    }
    return boosts;
  }

  /** The share of the ideal score, with boosts; a superseded row stays below its replacement. */
  #final(global: number, depth = 0): number {
    const lexical = this.#scores.score[global] + (this.#context.get(global) ?? 0);
    const boosts = this.#boosts(global);
    let final = lexical / this.#ideal;
    for (const factor of Object.values(boosts)) final *= factor;
    final = roundScore(final);
    if (boosts.superseded === undefined || depth > 32) return final;
    const replacement = this.#input.corpus.findReplacement(global);
    if (replacement === undefined || this.#scores.matched[replacement.global] === 0) return final;
    const above = this.#final(replacement.global, depth + 1);
    return Math.max(0, Math.min(final, roundScore(above - 1e-6)));
  }
}
