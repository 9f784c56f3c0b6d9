// One search while Orama runs it: what is asked beside Orama's own parameters, and the ranking.

import type { Entry } from "../core/entry.ts";
import type { CorpusView } from "./corpus_view.ts";
import { makeFilters } from "./filter.ts";
import { SelectedRows } from "./found_rows.ts";
import { makePhraseCount, type Query, wordsOf } from "./query.ts";
import { asksForTime } from "./rank/asks_for.ts";
import type { QueryTerm } from "./rank/plan_terms.ts";
import type { RankedRow, Ranking, RankInput, RankSource } from "./rank/rank.ts";
import { Ranker } from "./rank/ranker.ts";

/** What a search asks beside Orama's own parameters. */
export interface AskOptions extends
  Partial<
    Pick<
      RankInput,
      | "limit"
      | "pinned"
      | "ownSession"
      | "listsMatches"
      | "explain"
      | "uncounted"
      | "keys"
      | "exchanges"
      | "collected"
      | "rankStale"
    >
  > {
  query: Pick<Query, "text" | "phrases" | "required" | "excluded" | "times">;
  /** The query's vector: rows are ranked by it too, or by it alone. */
  vector?: VectorLike;
  branch?: RankSource;
  /** Nothing is ranked: these rows are counted. */
  listed?: readonly number[];
  /** A program searches, by Orama's own parameters: this many of the ranked rows go to Orama. */
  programMost?: number;
}

/** A vector as programs give it. */
export type VectorLike = Float32Array | number[];

/**
 * One search, while Orama runs it. Orama hands `relevance` on to the index as it is, and the vector to
 * the vector index: that is how a SearchAsk gets there, and the ranking with all its figures back.
 */
export class SearchAsk {
  /** Orama sets these; our ranking has its own. */
  k?: number;
  b?: number;
  d?: number;
  readonly view: CorpusView;
  readonly options: AskOptions;
  terms: QueryTerm[] = [];
  ranking?: Ranking;
  /** Whether the index has ranked by words and vector together. */
  isFused = false;

  constructor(view: CorpusView, options: AskOptions) {
    this.view = view;
    this.options = options;
  }

  /** Ranks by words, by the vector, or by both. */
  rank(how: Pick<RankInput, "branch" | "fieldBoosts">, where?: Set<number>): RankedRow[] {
    const { query, vector, limit = Infinity, ...boosts } = this.options;
    const { corpus, index } = this.view;
    this.ranking = this.view.read(() =>
      new Ranker({
        corpus,
        terms: this.terms,
        ...toWishes(query),
        times: query.times,
        asksForTime: asksForTime(query.text),
        filters: where instanceof SelectedRows ? makeFilters(corpus, where.where) : [],
        limit,
        cosines: vector && index.compare(corpus, Float32Array.from(vector)),
        readEntry: (global) => this.view.readEntry(global),
        pinned: new Set(),
        ...boosts,
        ...how,
      }).rank()
    );
    return this.ranking.rows;
  }
}

/** What a query says of phrases and of words that must not occur, as the ranking takes it. */
function toWishes(
  { phrases, required, excluded }: AskOptions["query"],
): Pick<RankInput, "phrases" | "required" | "excluded"> {
  const holds = (phrase: string): (entry: Entry) => boolean => {
    const count = makePhraseCount([phrase]);
    return (entry) => count(entry) === 1;
  };
  return {
    phrases: phrases.length === 0
      ? undefined
      : { terms: phrases.map(wordsOf), countIn: makePhraseCount(phrases) },
    required: required.map((phrase) => ({ terms: wordsOf(phrase), holds: holds(phrase) })),
    excluded: excluded.map(({ terms, phrase }) => ({
      terms,
      holds: phrase === undefined ? undefined : holds(phrase),
    })),
  };
}
