// "Did you mean": words of the store that are near to a word it does not have.

import type { Entry } from "../../core/entry.ts";
import { fieldText } from "../../index/segment/analyze.ts";
import { rowFlags, searchFields } from "../../index/segment/segment_format.ts";
import type { Corpus } from "../../index/segment/corpus.ts";
import { NearTerms } from "../../index/segment/near_terms.ts";
import { forEachRow } from "../../index/segment/postings.ts";
import { tokenize } from "../../index/text/tokenize.ts";
import type { QueryTerm } from "../rank/plan_terms.ts";

const maxSuggestions = 3;
const maxUnknown = 4;
/** How much is looked at for the spelling of near words: a guess must not cost more than the search. */
const maxEntries = 30;
const maxSpellingChars = 200_000;
/** Longer words are pasted blobs, whose parts are no words. */
const maxWordChars = 40;
/** What a word may have beyond its stem; `getOrPutCapacity` is no spelling of "capacity". */
const maxEnding = 5;

/** The terms that can have something near to them; a corpus for `nearestTerms` must know those. */
export function guessable(unknown: readonly string[]): string[] {
  return unknown.filter((term) => term.length >= 3 && /^\p{L}/u.test(term)).slice(0, maxUnknown);
}

/** For each unknown term, up to three words of the store with the same first letter. */
export function nearestTerms(
  corpus: Corpus,
  unknown: readonly string[],
  readEntry: (global: number) => Entry,
): Record<string, string[]> {
  const nearest: Record<string, string[]> = {};
  for (const term of guessable(unknown)) {
    const near = new Map<string, number>();
    const most = term.length < 5 ? 1 : 2;
    for (const segment of corpus.segments) {
      const walk = new NearTerms(term, most);
      for (const { block, count } of segment.blocks(term[0])) {
        for (const found of walk.find(block, count)) {
          if (found.term[0] === term[0]) near.set(found.term, found.edits);
        }
      }
    }
    const ranked = [...near].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
    const words = new Set<string>();
    const read = new Map<number, Map<string, string>>();
    for (const [known] of ranked) {
      const [global] = findRows(corpus, known, 1);
      // Terms that only forgotten entries have are in an index, but not in a scan.
      if (global === undefined) continue;
      let spellings = read.get(global);
      if (spellings === undefined) {
        if (read.size === maxEntries) break;
        spellings = spellingsIn(readEntry(global), near);
        read.set(global, spellings);
      }
      const word = spellings.get(known);
      if (word !== undefined) words.add(word);
      if (words.size === maxSuggestions) break;
    }
    if (words.size > 0) nearest[term] = [...words];
  }
  return nearest;
}

/** What a search finds only when asked to is no source of words either. */
const hidden = rowFlags.thinking | rowFlags.recall;

/** The first live rows that have a term and are found without asking for their kind. */
export function findRows(corpus: Corpus, term: string, most: number): number[] {
  const found: number[] = [];
  for (let i = 0; i < corpus.segments.length && found.length < most; i++) {
    const segment = corpus.segments[i];
    const list = segment.findPostings(term);
    if (!list) continue;
    forEachRow(list.bytes, (row) => {
      if (found.length === most || corpus.liveness.dead[i]?.has(row)) return;
      if ((segment.flags(row) & hidden) === 0) found.push(corpus.bases[i] + row);
    });
  }
  return found;
}

/** Of a query's terms, those that no row has which is found without asking for its kind. */
export function unseenTerms(corpus: Corpus, terms: readonly QueryTerm[]): string[] {
  return terms.filter(({ kind }) => kind !== "whole").map(({ term }) => term)
    .filter((term) => findRows(corpus, term, 1).length === 0);
}

/** Some terms as an entry first spells them; each word is taken apart once, however many terms. */
function spellingsIn(entry: Entry, terms: ReadonlyMap<string, unknown>): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const word of wordsIn(entry)) {
    tokenize(word, (term) => {
      const isWhole = word.length <= term.length + maxEnding;
      if (isWhole && terms.has(term) && !spellings.has(term)) {
        spellings.set(term, word.toLowerCase());
      }
    });
  }
  return spellings;
}

/** The words of an entry as it writes them, each once. */
export function wordsIn(entry: Entry): string[] {
  const words = searchFields.flatMap((field) =>
    fieldText(entry, field).slice(0, maxSpellingChars).match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []
  );
  return [...new Set(words)].filter((word) => word.length <= maxWordChars);
}
