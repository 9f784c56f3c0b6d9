// "Did you mean": words of the store that are near to a word it does not have.

import { editDistance } from "../core/text.ts";
import { tokenize } from "../index/tokenize.ts";
import type { Store } from "../store/store.ts";

const maxSuggestions = 3;

/** For each unknown term, up to three words of the store within two edits, nearest first. */
export function nearestTerms(store: Store, unknown: string[]): Record<string, string[]> {
  const wanted = unknown.filter((term) => term.length >= 3).slice(0, 8);
  const found = new Map(wanted.map((term) => [term, new Map<string, number>()]));
  const seen = new Set<string>();
  if (wanted.length === 0) return {};
  for (const { entry } of store.entries()) {
    for (const text of [entry.title, entry.summary, entry.text]) {
      if (text === undefined) continue;
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{3,24}/gu)) {
        if (seen.has(word)) continue;
        seen.add(word);
        tokenize(word, (term) => consider(found, term, word));
      }
    }
  }
  const result: Record<string, string[]> = {};
  for (const [term, words] of found) {
    const ranked = [...words].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
    if (ranked.length > 0) result[term] = ranked.slice(0, maxSuggestions).map(([word]) => word);
  }
  return result;
}

function consider(found: Map<string, Map<string, number>>, term: string, word: string): void {
  for (const [wanted, words] of found) {
    if (Math.abs(wanted.length - term.length) > 2) continue;
    const distance = editDistance(wanted, term);
    if (distance <= (wanted.length < 5 ? 1 : 2)) words.set(word, distance);
  }
}
