// The spelling of a query against the words of a store. Loads what it takes only when there is something
// to correct.

import type { SearchIndex } from "../index/search_index.ts";
import { CorpusView } from "./corpus_view.ts";
import type { Query } from "./query.ts";
import type { UnknownWords } from "./request.ts";
import type { Corrected } from "./spelling/correct_words.ts";

/** A query's text with words that occur in place of those that do not; undefined when none is near. */
export async function spellQuery(
  index: SearchIndex,
  { text, phrases, required }: Query,
  { terms, vainWords = Infinity }: UnknownWords,
): Promise<Corrected | undefined> {
  const { findVocabulary } = await import("../index/vectors/embedder_local.ts");
  const vocabulary = findVocabulary();
  // Without a list of words every rare one would be taken for an error.
  if (vocabulary === undefined) return undefined;
  const isWord = (word: string): boolean => vocabulary.has(word);
  const { findMisspelled } = await import("./spelling/misspelled.ts");
  const find = (isVain: boolean) =>
    findMisspelled(text, {
      isUnknown: (term) => terms.includes(term),
      isWord,
      quoted: [...phrases, ...required],
      isVain,
    });
  // Of a long question, one unknown word is not why nothing was found; a known word is reason enough.
  const unknown = new Set(find(true).map(({ term }) => term));
  const isVain = terms.length * 3 >= vainWords && unknown.size === terms.length;
  const misspelled = find(isVain);
  if (misspelled.length === 0) return undefined;
  const letters = new Set(misspelled.map(({ folded }) => folded[0]));
  const view = new CorpusView(index, { keeps: (term) => letters.has(term[0]) });
  const { correctWords } = await import("./spelling/correct_words.ts");
  return correctWords(text, misspelled, {
    corpus: view.corpus,
    readEntry: (global) => view.readEntry(global),
    isWord,
    isVain,
  });
}
