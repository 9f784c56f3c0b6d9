// The ranking itself: scores, context, floor, filters, boosts, order.

import { locate } from "../../index/segment/corpus.ts";
import { contextOf, promptGains } from "./around_row.ts";
import { asksForWish } from "./asks_for.ts";
import { countRows, isRelated, makeTally, type Tally } from "./evidence.ts";
import { Exchanges } from "./row_exchanges.ts";
import { joinExchanges } from "./join_exchanges.ts";
import { liftPhrases } from "./lift_phrases.ts";
import { countWords, planTerms, shareOf } from "./plan_terms.ts";
import type { Evidence, RankedRow, Ranking, RankInput, RowKeys } from "./rank.ts";
import { pivotsOf, recencyFactor, vectorWeight, weights } from "./ranking.ts";
import { rescore } from "./rescore.ts";
import { RowBoosts } from "./row_boosts.ts";
import { findMarks, makeRowTest, type MarkedFilter, type RowTest } from "./row_tests.ts";
import { countedTerms, Scores } from "./scores.ts";
import { applySteps, type Step, step } from "./steps.ts";
import { TopRows } from "./top_rows.ts";

/**
 * The rows of an exchange that are ranked where exchanges are many: its best, those that are quoted, and
 * one more. At most `mostTimes` the rows of a page are ranked; half as many of each exchange fill it.
 */
const exchangeRows = 4;

/** How many of the most similar rows are looked at for the first that is a hit. */
const nearestRows = 64;

/** What there is beside the rows that were ranked first. */
interface MoreRows {
  rankMore: () => RankedRow[];
  /** How many different keys there are, where that is known. */
  groups?: number;
}

export class Ranker {
  readonly #input: RankInput;
  readonly #terms;
  readonly #pivots: number[];
  readonly #scores;
  readonly #context: Map<number, number>;
  /** Whether no row can be found: then none is looked at. */
  readonly #isVain: boolean;
  readonly #ideal: number;
  readonly #vectorWeight: number;
  /** The share of the query's information in a set of terms; words of a time are none. */
  readonly #shares: (matched: number) => number;
  readonly #boosts: RowBoosts;
  /** The filters that the kernel can test; undefined when there are others. */
  readonly #filters: MarkedFilter[] | undefined;
  /** How many rows are collected: the pool is the same for any page. */
  #collected: number;
  /** The rows that were ranked first, once more are collected because those are of too few exchanges. */
  #first?: ReadonlySet<number>;
  /** The best scores of each exchange in one collection. */
  #exchangeScores = new Map<number, number[]>();
  readonly #stepsOf = new Map<number, Step[]>();

  constructor(input: RankInput) {
    const { corpus, terms, fieldBoosts } = input;
    this.#input = input;
    const { branch, limit, collected = limit } = input;
    this.#collected = branch === "vector" ? collected : Math.max(collected, weights.pool);
    this.#terms = planTerms(corpus, terms);
    this.#ideal = this.#terms.reduce((sum, { idf }) => sum + idf * (weights.k1 + 1), 0);
    this.#shares = shareOf(this.#terms, input.times?.terms);
    this.#pivots = pivotsOf(corpus.entries, corpus.lengths);
    this.#vectorWeight = vectorWeight(countWords(this.#terms));
    this.#boosts = new RowBoosts(input);
    this.#filters = findMarks(input);
    this.#scores = this.#makeScores(fieldBoosts);
    this.#isVain = branch === "lexical" && this.#terms.every(({ df }) => df === 0);
    this.#context = new Map();
    if (this.#isVain) return;
    this.#accumulate();
    this.#context = contextOf(corpus, this.#scores);
    if (!asksForWish(terms)) this.#lendPrompts();
    for (const [row, gain] of this.#context) this.#scores.raise(row, gain);
  }

  #makeScores(fieldBoosts: RankInput["fieldBoosts"]): Scores {
    const { corpus, cosines } = this.#input;
    const { rowCosine: near } = weights.floor;
    return new Scores({
      size: corpus.size,
      widest: corpus.segments.reduce((most, { rows }) => Math.max(most, rows), 0),
      postings: this.#terms.reduce((sum, { df }) => sum + df, 0),
      pivots: this.#pivots,
      fieldBoosts,
      idfs: this.#terms.map(({ idf }) => idf),
      factors: this.#boosts.byFlags,
      filters: this.#isCounted ? this.#filters?.map(({ marks }) => marks) ?? [] : [],
      similar: cosines && { cosines, worth: this.#vectorWorth, near },
    });
  }

  /**
   * Whether what a row counts for depends only on which terms it matches, whether it is near and which
   * filter it fails: the kernel counts rows by that, and only those with a chance of a place are looked
   * at.
   */
  get #isCounted(): boolean {
    return this.#filters !== undefined && this.#terms.length <= countedTerms;
  }

  #lendPrompts(): void {
    for (const [row, gain] of promptGains(this.#input.corpus, this.#scores, this.#terms)) {
      const had = this.#context.get(row) ?? 0;
      this.#context.set(row, Math.max(had, gain));
    }
  }

  rank(): Ranking {
    const test = makeRowTest(this.#input, this.#input.required);
    const collect = () => {
      if (this.#isVain) return { top: this.#makeTop(), tally: makeTally() };
      return this.#isCounted ? this.#collectCounted() : this.#collect(test);
    };
    const { top, tally } = collect();
    const evidence = this.#evidence(tally, top);
    const related = isRelated(evidence);
    const order = (found: TopRows) => this.#ordered(found, test);
    const { total, belowFloor, lexical, vector, fused, removed } = tally;
    const matching = related && this.#input.listsMatches ? this.#matching(test) : [];
    const keyCounts = this.#input.keys?.countAll?.(matching);
    const rankMore = () => order(collect().top);
    return {
      rows: related ? this.#shown(order(top), { rankMore, groups: keyCounts?.size }) : [],
      total: related ? total : 0,
      matching,
      keyCounts,
      collected: this.#collected,
      candidates: { lexical, vector, fused },
      belowFloor: related ? belowFloor : belowFloor + total,
      removed,
      terms: this.#terms.map(({ lists: _lists, ...term }) => term),
      ideal: this.#ideal,
      vectorWeight: this.#vectorWeight,
      pivots: this.#pivots,
      evidence,
      passes: this.#makePasses(),
    };
  }

  /** A row beside one that has the words that must occur need not have them too. */
  #makePasses(): (global: number) => boolean {
    const test = makeRowTest(this.#input, []);
    return (global) => {
      const { segmentNumber, row } = locate(this.#input.corpus, global);
      return test?.(segmentNumber, row, global) === undefined;
    };
  }

  /** Rows in their final order. */
  #ordered(top: TopRows, test: RowTest | undefined): RankedRow[] {
    const lifted = this.#lifted(this.#rescored(top), test);
    const stepsOf = (global: number) => this.#steps(global);
    return this.#input.rankStale?.(lifted, { ...this.#input, stepsOf }) ?? lifted;
  }

  /** Steps are worked out at once, because the next search takes the scores' memory. */
  #shown(ranked: RankedRow[], more: MoreRows): RankedRow[] {
    const { keys, limit, explain } = this.#input;
    const rows = keys ? this.#keyed(ranked, { ...more, keys }) : ranked.slice(0, limit);
    if (!explain) return rows;
    return rows.map((row) => ({ ...row, steps: row.steps ?? this.#steps(row.global) }));
  }

  /** Rows with their keys: where too few have one of their own, more are collected, within bounds. */
  #keyed(ranked: RankedRow[], { keys, rankMore, groups }: MoreRows & { keys: RowKeys }) {
    const wanted = Math.min(this.#input.limit, groups ?? Infinity);
    const most = this.#collected * keys.mostTimes;
    let rows = ranked;
    let found = keys.keysOf(rows);
    const first = new Set(rows.map(({ global }) => global));
    while (
      new Set(found).size < wanted && rows.length >= this.#collected && this.#collected < most
    ) {
      this.#first = first;
      this.#collected *= 2;
      rows = rankMore();
      found = keys.keysOf(rows);
    }
    return rows.map((row, i): RankedRow => ({ ...row, key: found[i] }));
  }

  /** The best rows in their final order; those beyond the pool follow as they are. */
  #rescored(top: TopRows): RankedRow[] {
    const rows = top.rows();
    const { branch, cosines } = this.#input;
    if (branch === "vector") return rows;
    const { corpus, exchanges } = this.#input;
    const known = {
      corpus,
      stepsOf: (global: number) => this.#steps(global),
      matchedOf: (global: number) => this.#scores.matchedOf(global),
      shareOf: this.#shares,
    };
    const isCandidate = (global: number) => this.#isCandidate(global);
    const rescored = rescore(rows.slice(0, weights.pool), {
      ...known,
      exchanges: exchanges ?? new Exchanges(corpus),
      isCandidate,
      cosines,
    });
    const pool = exchanges === undefined
      ? rescored
      : joinExchanges(rescored, { ...known, exchanges });
    const best = this.#makeTop(pool.length);
    for (const row of pool) best.add(row);
    return [...best.rows(), ...rows.slice(pool.length)];
  }

  /** Rows that hold a phrase stand first. */
  #lifted(rows: RankedRow[], test: RowTest | undefined): RankedRow[] {
    const { corpus, phrases, readEntry, branch } = this.#input;
    if (phrases === undefined || branch === "vector") return rows;
    const known = new Map(rows.map((row) => [row.global, row]));
    return liftPhrases(rows, {
      corpus,
      phrases,
      readEntry,
      scores: this.#scores,
      terms: this.#terms,
      passes: (global) => {
        const { segmentNumber, row } = locate(corpus, global);
        return this.#shares(this.#scores.matchedOf(global)) >= weights.floor.row &&
          test?.(segmentNumber, row, global) === undefined;
      },
      rowOf: (global) =>
        known.get(global) ??
          this.#toRow(global, {
            share: this.#shares(this.#scores.matchedOf(global)),
            final: this.#final(global),
          }),
      stepsOf: (global) => this.#steps(global),
      makeTop: (limit) => this.#makeTop(limit),
    });
  }

  #makeTop(limit = this.#collected): TopRows {
    return new TopRows(limit, (global) => this.#input.readEntry(global).id);
  }

  #collectCounted(): { top: TopRows; tally: Tally } {
    const { cosines } = this.#input;
    const tally = makeTally();
    this.#scores.counts().forEach((counts, number) => {
      const failed = this.#filters?.[number - 1]?.name;
      counts.forEach((rows, at) => {
        if (at === 0) return;
        const [set, isNear] = [at >> 1, (at & 1) === 1];
        tally.fused += rows;
        countRows(tally, {
          rows,
          share: this.#shares(set),
          worded: set !== 0,
          near: isNear,
          failed,
        });
      });
    });
    if (cosines !== undefined) tally.bestCosine = this.#findBestCosine(cosines);
    return { top: this.#mayBeRelated(tally) ? this.#takeBest() : this.#makeTop(), tally };
  }

  /** Whether anything was found if the best row had the score of its key; rows are not looked at if not. */
  #mayBeRelated(tally: Tally): boolean {
    const { corpus, explain } = this.#input;
    if (explain || corpus.entries < weights.floor.few.entries) return true;
    const best = this.#scores.nth("key", 1) / this.#unit * this.#boosts.most + 1e-3;
    return isRelated({ ...this.#evidence(tally, this.#makeTop()), best });
  }

  /** The greatest cosine of the rows that are hits. */
  #findBestCosine(cosines: Float32Array): number {
    const { row: rowFloor, rowCosine: near } = weights.floor;
    for (let n = nearestRows;; n *= 4) {
      const bar = this.#scores.nth("cosine", n);
      let best = 0;
      for (const row of this.#scores.atLeast("cosine", bar)) {
        const own = cosines[row];
        if (own <= best) continue;
        if (own >= near || this.#shares(this.#scores.matchedOf(row)) >= rowFloor) best = own;
      }
      if (best > 0 || bar <= 0) return best;
    }
  }

  /**
   * The best rows. A key is the most that a row's score may be but for some boosts: those are taken first
   * that could be among the best if no row was set back, then, if some were, those that could be after all.
   * Rows that fail a test are passed over.
   */
  #takeBest(fails: (global: number) => boolean = () => false): TopRows {
    const scores = this.#scores;
    const top = this.#makeTop();
    this.#exchangeScores.clear();
    const toBar = this.#makeBar();
    const seen = new Set<number>();
    const findBar = (n: number): number => scores.nth("key", n) / this.#boosts.most - this.#slack;
    let least = this.#collected;
    let bar = findBar(least);
    while (true) {
      const rows = scores.atLeast("key", bar);
      const keyed = Array.from(rows, (global) => ({ global, key: scores.valueOf("key", global) }));
      keyed.sort((a, b) => b.key - a.key);
      for (const { global, key } of keyed) {
        // A look at a row takes reads all over its segment.
        if (key < toBar(top.least())) break;
        if (!seen.has(global) && !fails(global)) this.#consider(global, top);
        seen.add(global);
      }
      const needed = toBar(top.least());
      if (needed >= bar || bar === -Infinity) return top;
      least *= 4;
      bar = needed === -Infinity ? findBar(least) : needed;
    }
  }

  /** Takes a row in if it is a hit and among the best. */
  #consider(global: number, top: TopRows): void {
    const { cosines } = this.#input;
    const { row: rowFloor, rowCosine } = weights.floor;
    const share = this.#shares(this.#scores.matchedOf(global));
    if (share < rowFloor && !(cosines !== undefined && cosines[global] >= rowCosine)) return;
    const final = this.#final(global);
    if (top.accepts(final) && !this.#isSpare(global, final)) {
      top.add(this.#toRow(global, { share, final }));
    }
  }

  /**
   * Whether a row's exchange has enough better ones, so that an exchange with many rows leaves room for
   * others. The rows that were ranked first stay: the pool is the same for any page.
   */
  #isSpare(global: number, final: number): boolean {
    const { exchanges } = this.#input;
    if (exchanges === undefined || this.#first === undefined || this.#first.has(global)) {
      return false;
    }
    const exchange = exchanges.of(global);
    const best = this.#exchangeScores.get(exchange) ?? [];
    const isSpare = best.length >= exchangeRows && final <= best[0];
    if (isSpare) return true;
    best.push(final);
    best.sort((a, b) => a - b);
    this.#exchangeScores.set(exchange, best.slice(-exchangeRows));
    return false;
  }

  /** The same of rows that the kernel cannot count: each is looked at, as briefly as can be. */
  #collect(test: RowTest | undefined): { top: TopRows; tally: Tally } {
    const { corpus, cosines, uncounted } = this.#input;
    if (uncounted && cosines === undefined) {
      const found = this.#collectUncounted(test);
      if (found.tally.bestShare >= weights.floor.query) return found;
    }
    const { row: rowFloor, rowCosine } = weights.floor;
    const candidates = this.#scores.atLeast("key", -Infinity);
    const { matched: sets } = this.#scores.views;
    const tally = makeTally();
    const failing = new Set<number>();
    let i = 0;
    for (let at = 0; at < candidates.length; at++) {
      const global = candidates[at];
      const set = sets[global];
      const cosine = cosines === undefined ? 0 : cosines[global];
      const near = cosine >= rowCosine;
      if (set === 0 && !near) continue;
      tally.fused++;
      const share = this.#shares(set);
      if (share < rowFloor && !near) {
        tally.lexical++;
        tally.belowFloor++;
        continue;
      }
      while (global >= corpus.bases[i] + corpus.segments[i].rows) i++;
      const failed = test?.(i, global - corpus.bases[i], global);
      countRows(tally, { rows: 1, share, worded: set !== 0, near, failed });
      if (failed !== undefined) failing.add(global);
      else if (cosine > tally.bestCosine) tally.bestCosine = cosine;
    }
    return { top: this.#takeBest((global) => failing.has(global)), tally };
  }

  /** The best rows, and of the others nothing: enough where one of these shows that there is something. */
  #collectUncounted(test: RowTest | undefined): { top: TopRows; tally: Tally } {
    const top = this.#takeBest((global) => {
      const { segmentNumber, row } = locate(this.#input.corpus, global);
      return test?.(segmentNumber, row, global) !== undefined;
    });
    const tally = makeTally();
    for (const { share } of top.rows()) {
      countRows(tally, { rows: 1, share, worded: true, near: false });
    }
    return { top, tally };
  }

  /** The rows that `total` counts; where the kernel tested the filters, it finds no others. */
  #matching(test: RowTest | undefined): number[] {
    const { corpus, cosines } = this.#input;
    const { row: rowFloor, rowCosine } = weights.floor;
    const { matched } = this.#scores.views;
    const tested = this.#isCounted ? undefined : test;
    const found: number[] = [];
    for (const global of this.#scores.atLeast("key", -Infinity)) {
      const isNear = cosines !== undefined && cosines[global] >= rowCosine;
      if (!isNear && this.#shares(matched[global]) < rowFloor) continue;
      if (tested !== undefined) {
        const { segmentNumber, row } = locate(corpus, global);
        if (tested(segmentNumber, row, global) !== undefined) continue;
      }
      found.push(global);
    }
    return found;
  }

  /** A cosine in units of the lexical score, as the fusion weighs them; a perfect score is `ideal`. */
  get #vectorWorth(): number {
    if (this.#input.branch === "vector") return 1;
    return this.#input.branch === "hybrid" ? this.#vectorWeight * this.#ideal : 0;
  }

  /** From the least score that is still among the best to the least key, in units of the lexical one. */
  #makeBar(): (least: number) => number {
    const most = this.#boosts.most;
    return (least) => (least - 2e-6) / most * this.#unit;
  }

  /** What a score is divided by before boosts. */
  get #unit(): number {
    const { branch } = this.#input;
    if (branch === "vector") return 1;
    return branch === "hybrid" ? this.#ideal * (1 + this.#vectorWeight) : this.#ideal;
  }

  /** What rounding may add to a key. */
  get #slack(): number {
    return 4e-6 * Math.max(1, this.#ideal) * (1 + this.#vectorWeight);
  }

  #toRow(global: number, found: { share: number; final: number }): RankedRow {
    const { segment, row } = locate(this.#input.corpus, global);
    const context = this.#context.get(global) ?? 0;
    const cosine = this.#input.cosines?.[global];
    const worded = this.#scores.matchedOf(global) !== 0;
    const source = !worded ? "vector" : cosine !== undefined && cosine > 0 ? "hybrid" : "lexical";
    return {
      global,
      timeMs: segment.time(row),
      lexical: this.#scores.scoreOf(global),
      context,
      share: found.share,
      cosine,
      source,
      final: found.final,
    };
  }

  #evidence({ bestShare, bestCosine }: Tally, top: TopRows): Evidence {
    const words = this.#terms.filter(({ kind }) => kind !== "whole");
    return {
      branch: this.#input.branch,
      bestShare,
      bestCosine,
      best: top.rows()[0]?.final ?? 0,
      words: words.length,
      unknown: words.filter(({ df }) => df === 0).length / Math.max(1, words.length),
      ...(this.#input.corpus.entries < weights.floor.few.entries
        ? { bestCount: this.#bestCount(top) }
        : {}),
    };
  }

  /** The largest share of the query's words that one of the best rows has. */
  #bestCount(top: TopRows): number {
    const words = this.#terms.flatMap(({ kind }, i) => kind === "whole" ? [] : i);
    const shares = top.rows().map(({ global }) => {
      const matched = this.#scores.matchedOf(global);
      return words.filter((i) => (matched >>> i) & 1).length / words.length;
    });
    return Math.max(0, ...shares);
  }

  #accumulate(): void {
    const { corpus, branch } = this.#input;
    corpus.segments.forEach((segment, number) => {
      const lists = branch === "vector" ? [] : this.#terms.flatMap(({ lists }, term) => {
        const bytes = lists[number]?.bytes;
        return bytes === undefined ? [] : [{ bytes, term }];
      });
      const dead = corpus.liveness.dead[number];
      const gain = recencyFactor(segment.totals.newestMs, corpus.newestMs);
      this.#scores.add(segment, { number, base: corpus.bases[number], dead, lists, gain });
    });
  }

  /** How a row comes by its score before the pool; worked out once. */
  #steps(global: number): Step[] {
    let steps = this.#stepsOf.get(global);
    if (steps === undefined) this.#stepsOf.set(global, steps = this.#makeSteps(global));
    return steps;
  }

  /** A superseded row stays below its replacement. */
  #makeSteps(global: number, depth = 0): Step[] {
    const { branch, cosines } = this.#input;
    const cosine = cosines?.[global];
    const similar = Math.max(0, cosine ?? 0);
    const steps: Step[] = [];
    if (branch === "vector") {
      steps.push(step("vector", "+", similar));
    } else {
      const context = this.#context.get(global) ?? 0;
      if (this.#ideal > 0) {
        steps.push(step("words", "+", this.#scores.scoreOf(global) - context));
        if (context > 0) steps.push(step("context", "+", context));
        steps.push(step("ideal", "÷", this.#ideal));
      }
      if (cosine !== undefined) {
        steps.push(step("vector", "+", this.#vectorWeight * similar));
        steps.push(step("fusion", "÷", 1 + this.#vectorWeight));
      }
    }
    const boosts = this.#boosts.of(global);
    for (const name in boosts) steps.push(step(name, "×", boosts[name]));
    if (boosts.superseded === undefined || depth > 32) return steps;
    const replacement = this.#input.corpus.findReplacement(global);
    if (replacement === undefined || !this.#isCandidate(replacement.global)) return steps;
    const above = applySteps(this.#makeSteps(replacement.global, depth + 1));
    return [...steps, step("replacement", "≤", Math.max(0, above - 1e-6))];
  }

  #final(global: number): number {
    return applySteps(this.#steps(global));
  }

  #isCandidate(global: number): boolean {
    if (this.#scores.matchedOf(global) !== 0) return true;
    return (this.#input.cosines?.[global] ?? 0) >= weights.floor.rowCosine;
  }
}
