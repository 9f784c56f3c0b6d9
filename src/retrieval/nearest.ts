// "Did you mean": words of the store that are near to a word it does not have.

import { editDistance } from "../core/text.ts";
import type { Entry } from "../core/entry.ts";
import { searchFields } from "../index/search_fields.ts";
import type { Corpus } from "../index/corpus.ts";
import { forEachRow } from "../index/postings.ts";
import { tokenize } from "../index/tokenize.ts";

const maxSuggestions = 3;
const maxUnknown = 4;

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
    for (const segment of corpus.segments) {
      for (const known of segment.terms(term[0])) {
        if (Math.abs(known.length - term.length) > 2 || near.has(known)) continue;
        const distance = editDistance(term, known);
        if (distance <= (term.length < 5 ? 1 : 2)) near.set(known, distance);
      }
    }
    const ranked = [...near].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
    const words = new Set<string>();
    for (const [known] of ranked) {
      const word = findSpelling(corpus, known, readEntry);
      // Terms that only forgotten entries have are in an index, but not in a scan.
      if (word !== undefined) words.add(word);
      if (words.size === maxSuggestions) break;
    }
    if (words.size > 0) nearest[term] = [...words];
  }
  return nearest;
}

/** A term as the first live entry that has it spells it. */
function findSpelling(
  corpus: Corpus,
  term: string,
  readEntry: (global: number) => Entry,
): string | undefined {
  for (let i = 0; i < corpus.segments.length; i++) {
    let first: number | undefined;
    const list = corpus.segments[i].findPostings(term);
    if (list) {
      forEachRow(list.bytes, (row) => {
        if (!corpus.liveness.dead[i]?.has(row)) first ??= row;
      });
    }
    if (first !== undefined) return spellingIn(readEntry(corpus.bases[i] + first), term);
  }
  return undefined;
}

function spellingIn(entry: Entry, term: string): string | undefined {
  for (const field of searchFields) {
    const value = entry[field];
    const text = Array.isArray(value) ? value.join(" ") : value;
    if (typeof text !== "string") continue;
    for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
      let found = false;
      tokenize(word, (own) => found ||= own === term);
      if (found) return word.toLowerCase();
    }
  }
  return undefined;
}
