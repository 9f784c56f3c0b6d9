// The ranking itself: scores, context, floor, filters, boosts, order.

import { rowFlags } from "../index/analyze.ts";
import { locate } from "../index/corpus.ts";
import { accumulate, makeScores } from "./accumulate.ts";
import { contextOf } from "./context.ts";
import { excludedRows } from "./excluded.ts";
import { planTerms, shareOf } from "./plan_terms.ts";
import { holdsPhrase, toPhraseText } from "./query.ts";
import type { RankedRow, Ranking, RankInput } from "./rank.ts";
import { fuse, pivotsOf, recencyFactor, roundScore, weights } from "./ranking.ts";
import { makeTally, type Tally } from "./tally.ts";
import { TopRows } from "./top_rows.ts";

/** The name of the first filter that a row fails, or undefined. */
type RowTest = (segment: number, row: number, global: number) => string | undefined;

/** Up to this many terms, rows can be counted by the set of terms they match. */
const plainTerms = 12;

/** One ranking of one corpus. */
export class Ranker {
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
    for (const [row, gain] of this.#context) this.#scores.score[row] += gain;
    this.#ideal = this.#terms.reduce((sum, { idf }) => sum + idf * (weights.k1 + 1), 0);
  }

  rank(): Ranking {
    const { limit, readEntry } = this.#input;
    const top = new TopRows(limit, (global) => readEntry(global).id);
    const test = this.#makeTest();
    const isPlain = this.#input.cosines === undefined && test === undefined &&
      this.#terms.length <= plainTerms;
    const tally = isPlain ? this.#collectPlain(top) : this.#collect(top, test);
    const related = this.#isRelated(tally.bestShare, tally.bestCosine);
    const { total, belowFloor, lexical, vector, fused, removed } = tally;
    return {
      rows: related ? top.rows() : [],
      total: related ? total : 0,
      candidates: { lexical, vector, fused },
      belowFloor: related ? belowFloor : belowFloor + total,
      removed,
      terms: this.#terms.map(({ lists: _lists, ...term }) => term),
      ideal: this.#ideal,
      pivots: this.#pivots,
      boosts: (global) => this.#boosts(global),
    };
  }

  /**
   * Without filters and vectors, what a row counts for depends only on which terms it matches: rows
   * are counted by that, and only those with a chance are looked at. In a fresh process, where this
   * loop is still interpreted, that is most of the time of a search.
   */
  #collectPlain(top: TopRows): Tally {
    const { score, matched, touched, count } = this.#scores;
    const shares = shareOf(this.#terms);
    const counts = new Uint32Array(1 << this.#terms.length);
    const barOf = this.#makeBar(top);
    let bar = barOf();
    for (let at = 0; at < count; at++) {
      const global = touched[at];
      counts[matched[global]]++;
      if (score[global] < bar) continue;
      const share = shares(matched[global]);
      if (share < weights.floor.row) continue;
      const final = this.#final(global);
      if (!top.accepts(final)) continue;
      top.add(this.#toRow(global, { share, final }));
      bar = barOf();
    }
    const tally = makeTally(count);
    counts.forEach((rows, terms) => {
      if (rows === 0) return;
      tally.lexical += rows;
      const share = shares(terms);
      if (share < weights.floor.row) tally.belowFloor += rows;
      else {
        tally.total += rows;
        tally.bestShare = Math.max(tally.bestShare, share);
      }
    });
    return tally;
  }

  #collect(top: TopRows, test: RowTest | undefined): Tally {
    const { corpus, cosines } = this.#input;
    const { matched, score } = this.#scores;
    const { row: rowFloor, rowCosine } = weights.floor;
    const shares = shareOf(this.#terms);
    const vectorWorth = this.#vectorWorth;
    const barOf = this.#makeBar(top);
    const candidates = this.#candidates();
    const tally = makeTally(candidates.length);
    let bar = barOf();
    let i = 0;
    for (let at = 0; at < candidates.length; at++) {
      const global = candidates[at];
      while (global >= corpus.bases[i] + corpus.segments[i].rows) i++;
      const cosine = cosines === undefined ? 0 : cosines[global];
      const near = cosine >= rowCosine;
      if (near) tally.vector++;
      if (matched[global] !== 0) tally.lexical++;
      const share = shares(matched[global]);
      if (share < rowFloor && !near) {
        tally.belowFloor++;
        continue;
      }
      const failed = test?.(i, global - corpus.bases[i], global);
      if (failed !== undefined) {
        tally.removed[failed] = (tally.removed[failed] ?? 0) + 1;
        continue;
      }
      tally.total++;
      if (share > tally.bestShare) tally.bestShare = share;
      if (cosine > tally.bestCosine) tally.bestCosine = cosine;
      if (score[global] + Math.max(0, cosine) * vectorWorth < bar) continue;
      const final = this.#final(global);
      if (!top.accepts(final)) continue;
      top.add(this.#toRow(global, { share, final }));
      bar = barOf();
    }
    return tally;
  }

  /** The rows that match a word or are similar enough, segment after segment. */
  #candidates(): Uint32Array {
    const { cosines, corpus } = this.#input;
    const { matched, touched, count } = this.#scores;
    if (cosines === undefined) return touched.subarray(0, count);
    const rows = new Uint32Array(corpus.size);
    let found = 0;
    corpus.segments.forEach((segment, i) => {
      const base = corpus.bases[i];
      for (let row = 0; row < segment.rows; row++) {
        const global = base + row;
        if (matched[global] !== 0) rows[found++] = global;
        else if (cosines[global] >= weights.floor.rowCosine && this.#isLive(i, row)) {
          rows[found++] = global;
        }
      }
    });
    return rows.subarray(0, found);
  }

  /** A cosine in units of the lexical score, as the fusion weighs them; a perfect score is `ideal`. */
  get #vectorWorth(): number {
    if (this.#input.branch === "vector") return 1;
    return this.#input.branch === "hybrid" ? weights.vector * this.#ideal : 0;
  }

  /** The least score (in units of the lexical one) with which a row can still be among the best. */
  #makeBar(top: TopRows): () => number {
    const { branch } = this.#input;
    const unit = branch === "vector"
      ? 1
      : branch === "hybrid"
      ? this.#ideal * (1 + weights.vector)
      : this.#ideal;
    const mostBoost = this.#mostBoost();
    return () => (top.least() - 2e-6) / mostBoost * unit;
  }

  /** The name of the first filter that a row fails; undefined when there is nothing to test. */
  #makeTest(): RowTest | undefined {
    const { corpus, query, filters } = this.#input;
    if (filters.length + query.phrases.length + query.excluded.length === 0) return undefined;
    const excluded = excludedRows(corpus, query);
    return (segment, row, global) => {
      if (excluded?.[global] === 1) return "excluded_words";
      for (const filter of filters) if (!filter.passes(segment, row)) return filter.name;
      return this.#holdsPhrases(global) ? undefined : "phrase";
    };
  }

  #toRow(global: number, found: { share: number; final: number }): RankedRow {
    const { segment, row } = locate(this.#input.corpus, global);
    const context = this.#context.get(global) ?? 0;
    const cosine = this.#input.cosines?.[global];
    const worded = this.#scores.matched[global] !== 0;
    const source = !worded ? "vector" : cosine !== undefined && cosine > 0 ? "hybrid" : "lexical";
    return {
      global,
      timeMs: segment.time(row),
      lexical: this.#scores.score[global],
      context,
      share: found.share,
      ...(cosine === undefined ? {} : { cosine }),
      source,
      final: found.final,
    };
  }

  #isRelated(bestShare: number, bestCosine: number): boolean {
    const { branch } = this.#input;
    const { floor } = weights;
    if (branch === "lexical") return bestShare >= floor.query;
    return bestCosine >= floor.queryCosine || (branch === "hybrid" && bestShare >= floor.hybrid);
  }

  #isLive(segmentNumber: number, row: number): boolean {
    const { segments, liveness } = this.#input.corpus;
    return (segments[segmentNumber].flags(row) & rowFlags.tombstone) === 0 &&
      liveness.dead[segmentNumber]?.has(row) !== true;
  }

  #accumulate(): void {
    const { corpus, branch } = this.#input;
    if (branch === "vector") return;
    corpus.segments.forEach((segment, i) => {
      const base = corpus.bases[i];
      const dead = corpus.liveness.dead[i];
      this.#terms.forEach(({ idf, lists }, number) => {
        const list = lists[i]?.bytes;
        const term = { idf, bit: 1 << number, pivots: this.#pivots };
        if (list) accumulate(this.#scores, { list, segment, base, dead, term });
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

  /** The score before boosts. */
  #fused(global: number): number {
    const { branch, cosines } = this.#input;

    if (branch === "vector") return fuse(undefined, cosines?.[global]);
    const words = this.#ideal === 0 ? 0 : this.#scores.score[global] / this.#ideal;
    return fuse(words, cosines?.[global]);
  }

  /** The fused score with boosts; a superseded row stays below its replacement. */
  #final(global: number, depth = 0): number {
    const boosts = this.#boosts(global);
    let final = this.#fused(global);
    for (const factor of Object.values(boosts)) final *= factor;
    final = roundScore(final);
    if (boosts.superseded === undefined || depth > 32) return final;
    const replacement = this.#input.corpus.findReplacement(global);
    if (replacement === undefined || !this.#isCandidate(replacement.global)) return final;
    const above = this.#final(replacement.global, depth + 1);
    return Math.max(0, Math.min(final, roundScore(above - 1e-6)));
  }

  #isCandidate(global: number): boolean {
    const cosine = this.#input.cosines?.[global] ?? 0;
    return this.#scores.matched[global] !== 0 || cosine >= weights.floor.rowCosine;
  }
}
