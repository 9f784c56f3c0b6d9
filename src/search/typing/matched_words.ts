// Which words of some texts a query matches, in any form: for those who show them.

import { parseQuery } from "../query.ts";
import { termsOf } from "../rank/terms_of.ts";

/** What is looked at of each text, and how many words are told. */
const maxChars = 100_000;
const maxWords = 200;

/** The words that match, in small letters, each once; of scripts without spaces those of the query. */
export function matchedWords(query: string, texts: readonly string[]): string[] {
  const { text, phrases, required } = parseQuery(query);
  const wanted = new Set(
    [text, ...phrases, ...required].flatMap((part) => termsOf(part).map(({ term }) => term)),
  );
  const known = new Map<string, boolean>();
  for (const word of query.match(unspaced) ?? []) known.set(word.toLowerCase(), true);
  for (const part of texts) {
    for (const [found] of part.slice(0, maxChars).matchAll(/[\p{L}\p{N}\p{M}_]+/gu)) {
      const word = found.toLowerCase();
      if (known.has(word)) continue;
      // The whole as it stands: camelCase is taken apart by its capitals.
      known.set(word, found.length <= 64 && termsOf(found).some(({ term }) => wanted.has(term)));
    }
  }
  return [...known].filter(([, matches]) => matches).map(([word]) => word).slice(0, maxWords);
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
