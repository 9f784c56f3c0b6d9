// Which words of a query may be typing errors: plain words that occur nowhere. Names, identifiers,
// numbers, acronyms, paths and what stands in quotes or after NOT are as their author wants them.

import { fold, normalize } from "../../index/text/fold.ts";
import { termsOf } from "../rank/terms_of.ts";

/** A word that may be misspelled. */
export interface Misspelled {
  /** As it stands in the text, from `start` to `end`. */
  word: string;
  start: number;
  end: number;
  /** Folded, as it is compared. */
  folded: string;
  /** The term that it gives, which no entry has. */
  term: string;
}

/** Shorter words have too many neighbours; where nothing was found, only the shortest do. */
const minChars = 5;
const minCharsInVain = 3;
/** Longer ones are pasted blobs, with more neighbours than memory has room for. */
const maxChars = 40;
/** A text with more of these is in another language, or no text. */
const maxWords = 3;

/** What a query without its phrases still has in quotes, and what follows NOT. */
const kept = /(?<!\S)(?:(?:NOT )?(?:"[^"]*"|'[^']*'|`[^`]*`)(?!\w)|NOT \S+)/g;

/** The words of a text that may be misspelled; none when there are many. */
export function findMisspelled(
  text: string,
  { isUnknown, isWord, quoted, isVain }: {
    /** Whether no entry has a term. */
    isUnknown: (term: string) => boolean;
    /** Whether a word is one that people know: it then is what was meant. */
    isWord: (word: string) => boolean;
    quoted: readonly string[];
    /** Whether the words as written found nothing. */
    isVain: boolean;
  },
): Misspelled[] {
  const asWritten = new Set(quoted.flatMap((phrase) => phrase.split(/\s+/)));
  const found: Misspelled[] = [];
  const least = isVain ? minCharsInVain : minChars;
  const loose = text.replace(kept, (span) => " ".repeat(span.length));
  for (const { 0: chunk, index } of loose.matchAll(/\S+/g)) {
    if (chunk.length > maxChars) continue;
    const [, before, word] = /^(["'(]*)(.*?)["').,;:!?]*$/.exec(chunk) ?? [];
    if (word.length < least || asWritten.has(chunk) || !isPlain(word, index === 0)) continue;
    const terms = termsOf(word);
    if (terms.length !== 1 || !isUnknown(terms[0].term)) continue;
    const folded = fold(normalize(word));
    if (isInflected(folded, isWord)) continue;
    const start = index + before.length;
    found.push({ word, start, end: start + word.length, folded, term: terms[0].term });
  }
  return found.length > maxWords ? [] : found;
}

/** Whether a word has small letters only; the first of a text may begin with a capital. */
function isPlain(word: string, isFirst: boolean): boolean {
  // Building the tables of all letters takes longer than all the rest.
  if (/^[\x20-\x7e]*$/.test(word)) return (isFirst ? /^[A-Za-z][a-z]+$/ : /^[a-z]+$/).test(word);
  return (isFirst ? /^\p{L}\p{Ll}+$/u : /^\p{Ll}+$/u).test(word);
}

/** Whether a word, or what it was made from, is known: no list has every form. */
function isInflected(word: string, isWord: (word: string) => boolean): boolean {
  if (isWord(word)) return true;
  const [, base, end] = /^(.+?)(ings?|ed|e?s|er|ers|est|ly|able|ness|less)$/.exec(word) ?? [];
  if (end === undefined || base.length < 3) return false;
  const undoubled = base.replace(/(.)\1$/, "$1");
  return [base, `${base}e`, undoubled, base.replace(/i$/, "y")].some(isWord);
}
