// Ranks a corpus for a query: scores, context, floor, filters, boosts, order. Works on numbers
// only; rows are read through a callback when a phrase or a tie needs their text.

import type { Entry } from "../core/entry.ts";
import { type Corpus, locate } from "../index/corpus.ts";
import { forEachDoc } from "../index/postings.ts";
import type { Postings } from "../index/segment.ts";
import { accumulate, makeScores, type Scores } from "./accumulate.ts";
import { contextOf } from "./context.ts";
import type { RowFilter } from "./filter.ts";
import { holdsPhrase, type Query, type QueryTerm, toPhraseText } from "./query.ts";
import { idfOf, pivotsOf, recencyFactor, roundScore, weights } from "./ranking.ts";
import { TopRows } from "./top_rows.ts";

/** What to rank. */
export interface RankInput {
  corpus: Corpus;
  query: Query;
  filters: RowFilter[];
  /** How many rows are wanted, the skipped ones included. */
  limit: number;
  readEntry: (global: number) => Entry | undefined;
  /** Rows that gain from being pinned, and from being of the current session. */
  pinned?: (global: number) => boolean;
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
  boosts: Record<string, number>;
}

/** A term of the query as the corpus knows it. */
export interface TermStatistics extends QueryTerm {
  df: number;
  idf: number;
}

/** The outcome of ranking. */
export interface Ranking {
  rows: RankedRow[];
  total: number;
  candidates: number;
  belowFloor: number;
  removed: Record<string, number>;
  terms: TermStatistics[];
  ideal: number;
  pivots: number[];
}

interface PlannedTerm extends TermStatistics {
  lists: (Postings | undefined)[];
}

/** Ranks by words. */
export function rankLexical(input: RankInput): Ranking {
  const { corpus, query } = input;
  const terms = planTerms(corpus, query.terms);
  const pivots = pivotsOf(corpus.entries, corpus.lengths);
  const scores = makeScores(corpus.size);
  terms.forEach((term, number) => {
    const scored = { idf: term.idf, bit: 1 << number, pivots };
    corpus.segments.forEach((segment, i) => {
      const list = term.lists[i]?.bytes;
      const part = { segment, base: corpus.bases[i], dead: corpus.dead[i], term: scored };
      if (list) accumulate(scores, { list, ...part });
    });
  });
  const context = contextOf(corpus, scores);
  const ideal = terms.reduce((sum, { idf }) => sum + idf * (weights.k1 + 1), 0);
  return collect(input, { terms, pivots, scores, context, ideal });
}

/** Looks the terms up in every segment; of very many, only the rarest are kept. */
function planTerms(corpus: Corpus, terms: QueryTerm[]): PlannedTerm[] {
  const planned = terms.map(({ term, kind }) => {
    const lists = corpus.segments.map((segment) => segment.findPostings(term));
    const df = lists.reduce((sum, list, i) => sum + liveCount(list, corpus.dead[i]), 0);
    const weight = kind === "whole" ? weights.wholeTerm : 1;
    return { term, kind, lists, df, idf: weight * idfOf(corpus.entries, df) };
  });
  if (planned.length <= weights.maxTerms) return planned;
  const rarest = planned.map((term, i) => ({ term, i }))
    .filter(({ term }) => term.df > 0)
    .sort((a, b) => b.term.idf - a.term.idf || a.i - b.i)
    .slice(0, weights.maxTerms);
  return rarest.sort((a, b) => a.i - b.i).map(({ term }) => term);
}

function liveCount(list: Postings | undefined, dead: Uint8Array | undefined): number {
  if (list === undefined) return 0;
  if (dead === undefined) return list.count;
  let count = 0;
  forEachDoc(list.bytes, (row) => count += dead[row] === 1 ? 0 : 1);
  return count;
}

interface Scored {
  terms: PlannedTerm[];
  pivots: number[];
  scores: Scores;
  context: ReadonlyMap<number, number>;
  ideal: number;
}

function collect(input: RankInput, scored: Scored): Ranking {
  const { corpus, query, filters } = input;
  const { terms, pivots, scores, context, ideal } = scored;
  const removed: Record<string, number> = {};
  const top = new TopRows(input.limit, (global) => input.readEntry(global)?.id ?? "");
  const shares = makeShares(terms);
  const excluded = excludedRows(corpus, query);
  let total = 0;
  let belowFloor = 0;
  let bestShare = 0;
  for (let i = 0; i < scores.count; i++) {
    const global = scores.touched[i];
    const share = shares(scores.matched[global]);
    if (share < weights.floor.row) {
      belowFloor++;
      continue;
    }
    const { segmentNumber, row } = locate(corpus, global);
    const failed = excluded?.[global] === 1
      ? "excluded words"
      : filters.find((filter) => !filter.passes(segmentNumber, row))?.name ??
        (passesPhrases(input, global) ? undefined : "phrase");
    if (failed !== undefined) {
      removed[failed] = (removed[failed] ?? 0) + 1;
      continue;
    }
    total++;
    if (share > bestShare) bestShare = share;
    const final = finalScore(input, scored, global);
    if (top.accepts(final)) {
      const timeMs = corpus.segments[segmentNumber].time(row);
      top.add({
        global,
        timeMs,
        final,
        share,
        lexical: scores.score[global] + (context.get(global) ?? 0),
        context: context.get(global) ?? 0,
        boosts: boostsOf(input, global),
      });
    }
  }
  const related = bestShare >= weights.floor.query;
  return {
    rows: related ? top.rows() : [],
    total: related ? total : 0,
    candidates: scores.count,
    belowFloor: related ? belowFloor : belowFloor + total,
    removed,
    terms: terms.map(({ lists: _lists, ...term }) => term),
    ideal,
    pivots,
  };
}

/** The share of the query's information in a set of matched terms. */
function makeShares(terms: TermStatistics[]): (matched: number) => number {
  const words = terms.map(({ kind, idf }) => kind === "whole" ? 0 : idf);
  const sum = words.reduce((all, idf) => all + idf, 0);
  const known = new Map<number, number>();
  return (matched) => {
    let share = known.get(matched);
    if (share === undefined) {
      let found = 0;
      words.forEach((idf, i) => found += (matched >>> i) & 1 ? idf : 0);
      share = sum === 0 ? 1 : found / sum;
      known.set(matched, share);
    }
    return share;
  };
}

function excludedRows(corpus: Corpus, query: Query): Uint8Array | undefined {
  if (query.excluded.length === 0) return undefined;
  const rows = new Uint8Array(corpus.size);
  corpus.segments.forEach((segment, i) => {
    for (const terms of query.excluded) {
      const hits = new Uint16Array(segment.rows);
      for (const term of terms) {
        const list = segment.findPostings(term);
        if (list) forEachDoc(list.bytes, (row) => hits[row]++);
      }
      hits.forEach((count, row) => {
        if (count === terms.length) rows[corpus.bases[i] + row] = 1;
      });
    }
  });
  return rows;
}

function passesPhrases(input: RankInput, global: number): boolean {
  if (input.query.phrases.length === 0) return true;
  const entry = input.readEntry(global);
  if (entry === undefined) return false;
  const texts = [entry.text, entry.title, entry.summary, ...entry.files ?? [], ...entry.tags ?? []]
    .filter((text) => text !== undefined).map(toPhraseText);
  return input.query.phrases.every((phrase) => texts.some((text) => holdsPhrase(text, phrase)));
}

function boostsOf(input: RankInput, global: number): Record<string, number> {
  const { corpus } = input;
  const { segment, segmentNumber, row } = locate(corpus, global);
  const boosts: Record<string, number> = {
    recency: recencyFactor(segment.time(row), corpus.newestMs),
  };
  if (input.pinned?.(global)) boosts.pin = 1 + weights.pin;
  if (input.ownSession?.(segmentNumber, row)) boosts.session = 1 + weights.session;
  if (corpus.superseded.has(global)) boosts.superseded = weights.superseded;
  return boosts;
}

/** The share of the ideal score, with boosts; a superseded row stays below its replacement. */
function finalScore(input: RankInput, scored: Scored, global: number, depth = 0): number {
  const { scores, context, ideal } = scored;
  let final = (scores.score[global] + (context.get(global) ?? 0)) / ideal;
  for (const factor of Object.values(boostsOf(input, global))) final *= factor;
  final = roundScore(final);
  const replacement = input.corpus.superseded.get(global);
  if (replacement === undefined || depth > 32 || scores.matched[replacement.global] === 0) {
    return final;
  }
  const above = finalScore(input, scored, replacement.global, depth + 1);
  return Math.max(0, Math.min(final, roundScore(above - 1e-6)));
}
