// The terms of a query as the corpus knows them: posting lists, how many live rows have them, and
// how much each tells.

import { forEachRow } from "../../index/segment/postings.ts";
import type { Corpus } from "../../index/segment/corpus.ts";
import type { Postings } from "../../index/segment/segment.ts";
import type { TermKind } from "../../index/text/tokenize.ts";
import { liveCount } from "./live_count.ts";
import { idfOf, weights } from "./ranking.ts";

/** A term of the query, and whether it is an identifier kept whole. */
export interface QueryTerm {
  term: string;
  kind: TermKind;
}

/** A term of the query with its statistics over the live entries. */
export interface TermStatistics extends QueryTerm {
  df: number;
  idf: number;
}

export interface PlannedTerm extends TermStatistics {
  lists: (Postings | undefined)[];
}

/** Looks the terms up in every segment; of very many, only the rarest that occur are kept. */
export function planTerms(corpus: Corpus, terms: readonly QueryTerm[]): PlannedTerm[] {
  const planned = terms.map(({ term, kind }) => {
    const lists = corpus.segments.map((segment) => segment.findPostings(term));
    const df = lists.reduce(
      (sum, list, i) => sum + liveCount(list, corpus.liveness.dead[i]),
      0,
    );
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

/** How many words a query has; a name kept whole stands for its parts. */
export function countWords(terms: readonly QueryTerm[]): number {
  return terms.filter(({ kind }) => kind !== "whole").length;
}

/** The share of the query's information in a set of matched terms, given as bits. */
export function shareOf(
  terms: readonly TermStatistics[],
  without?: ReadonlySet<string>,
): (matched: number) => number {
  const words = terms.map(({ term, kind, idf }) =>
    kind === "whole" || without?.has(term) ? 0 : idf
  );
  const sum = words.reduce((all, idf) => all + idf, 0);
  if (sum === 0) return () => 1;
  const addTo = (found: number, matched: number, from: number): number => {
    let all = found;
    for (let i = from; i < words.length; i++) if ((matched >>> i) & 1) all += words[i];
    return all;
  };
  const most = Math.min(words.length, tableTerms);
  const table = new Float64Array(1 << most).fill(-1);
  return (matched) => {
    const first = matched & (table.length - 1);
    if (table[first] < 0) table[first] = addTo(0, first, 0);
    return (words.length > most ? addTo(table[first], matched, most) : table[first]) / sum;
  };
}

/** Of so many terms what they have together is kept in a table. */
const tableTerms = 12;

/** A 1 for each row, by global number, that has all of some terms. */
export function rowsWithAll(corpus: Corpus, terms: readonly string[]): Uint8Array {
  const rows = new Uint8Array(corpus.size);
  corpus.segments.forEach((segment, i) => {
    const hits = new Uint16Array(segment.rows);
    for (const term of terms) {
      const list = segment.findPostings(term);
      if (list) forEachRow(list.bytes, (row) => hits[row]++);
    }
    hits.forEach((count, row) => {
      if (count === terms.length) rows[corpus.bases[i] + row] = 1;
    });
  });
  return rows;
}
