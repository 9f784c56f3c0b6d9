// Where the words of a query stand in a text, in any form: the one definition for those who mark them.

import { termsOf } from "../rank/terms_of.ts";

/** A place: its first character, and the one after its last. */
export type Mark = [start: number, end: number];

/** What is looked at of a text. */
const maxChars = 100_000;

export function termsToMark(query: string, corrected: Record<string, string> = {}): Set<string> {
  // Filters are no words to look for.
  const words = query.replace(/\b[a-z]+:("[^"]*"|\S+)/g, " ").replace(/\bNOT\s+\S+/g, " ");
  const made = [words, ...Object.values(corrected)].flatMap((text) => termsOf(text));
  return new Set(made.map(({ term }) => term).filter((term) => !tooCommon.has(term)));
}

/** Marked everywhere, these would hide the words that matter. */
const tooCommon = new Set(
  "a an the of to in on for and or is are was were be we i it this that do does did how what when why who where with at by from as"
    .split(" "),
);

/** The places, in order and apart. */
export function findMarks(text: string, terms: ReadonlySet<string>): Mark[] {
  if (terms.size === 0) return [];
  return [...text.slice(0, maxChars).matchAll(word)]
    .filter(([found]) => termsOf(found).some(({ term }) => terms.has(term)))
    .map(({ index, 0: found }) => [index, index + found.length]);
}

const word = /[\p{L}\p{N}\p{M}_]+/gu;
