// A query as a trace may keep it. In a store that has forgotten something, a word that no entry has may
// be the secret that went: "[…]" stands for it. Not loaded for queries whose words are all known.

import { tokenize } from "../index/text/tokenize.ts";
import { hasForgotten } from "../store/logs/act_place.ts";
import type { Store } from "../store/store.ts";

/** What a search knows of the words of its query. */
export interface QueryWords {
  /** Terms and words that no entry has. */
  unknown: readonly string[];
  /** Whether every word that no entry has is in `unknown`; if not, only words that were found are known. */
  isWhole: boolean;
  /** The texts that were found: a name made of several words is known where one of them has it. */
  found: readonly string[];
}

/** Makes what a trace keeps of a text that was asked. */
export function makeKeptText(
  store: Store,
  { unknown, isWhole, found }: QueryWords,
): (text: string) => string {
  if (!hasForgotten(store)) return (text) => text;
  const missing = new Set(unknown);
  const texts = found.join("\n").toLowerCase();
  const terms = new Set<string>();
  if (!isWhole) tokenize(found.join("\n"), (term) => terms.add(term));
  const isKnown = (word: string): boolean => {
    let known = !missing.has(word);
    tokenize(word, (term, kind) => {
      known &&= kind === "whole"
        ? texts.includes(word.toLowerCase())
        : !missing.has(term) && (isWhole || terms.has(term));
    });
    return known;
  };
  // A sign at the end of a word is part of the sentence.
  return (text) =>
    text.replace(/[^\s"'()]*[^\s"'().,;:?!]/g, (word) => isKnown(word) ? word : "[…]");
}
