// The part of a text that shows why it was found: about 300 characters around the best matches.

import { alignToCharacter, toLine } from "../core/text.ts";
import { termsOf } from "./rank/terms_of.ts";

/** How long a snippet is, about. */
export const snippetChars = 300;
const partChars = 100_000;
/** Parts overlap by as much as a word that is taken apart may have. */
const maxWordChars = 1000;
const lookedAtChars = 2_000_000;
const asciiWord = /\w+(?:[-.\/\\:@'+#]\w+)*/g;

/** Cuts the window whose matched terms weigh most; the start of the text when nothing matches. */
export function snippetOf(
  text: string,
  termWeights: ReadonlyMap<string, number>,
  chars = snippetChars,
): string {
  if (text.length <= chars) return toLine(text, chars + 1);
  const matches = findFirstMatches(text, termWeights);
  const start = matches.length > 0
    ? bestStart(text, matches, chars)
    : Math.max(0, text.search(/\S/));
  const from = alignToCharacter(text, Math.max(0, Math.min(start, text.length - chars)));
  const to = alignToCharacter(text, Math.min(text.length, from + chars));
  const line = text.slice(from, to).replace(/\s+/g, " ").trim();
  return (from > 0 ? "…" : "") + line + (to < text.length ? "…" : "");
}

/** Made when a text needs it: the classes of Unicode take more than a millisecond. */
function unicodeWord(): RegExp {
  return /[\p{L}\p{N}\p{M}_]+(?:[-.\/\\:@'’+#][\p{L}\p{N}\p{M}_]+)*/gu;
}

interface WordMatch {
  terms: string[];
  weight: number;
}

interface Match extends WordMatch {
  at: number;
}

/** So many distinct words are remembered for an answer. */
const keptWords = 10_000;

/** What words have of some terms: the same ones come in row after row. */
const knownWords = new WeakMap<ReadonlyMap<string, number>, Map<string, WordMatch>>();

function matchOf(word: string, termWeights: ReadonlyMap<string, number>): WordMatch {
  let known = knownWords.get(termWeights);
  if (known === undefined) knownWords.set(termWeights, known = new Map());
  let match = known.get(word);
  if (match === undefined) {
    const terms = termsOf(word).map(({ term }) => term).filter((term) => termWeights.has(term));
    const weight = terms.reduce((sum, term) => sum + (termWeights.get(term) ?? 0), 0);
    match = { terms, weight };
    if (known.size < keptWords) known.set(word, match);
  }
  return match;
}

/** The matches of the first part of the text that has any. */
function findFirstMatches(text: string, termWeights: ReadonlyMap<string, number>): Match[] {
  const matches = findMatches(text.slice(0, partChars), termWeights);
  if (matches.length > 0) return matches;
  const beginnings = [...termWeights.keys()].map(beginningOf);
  const end = Math.min(text.length, lookedAtChars);
  for (let from = partChars - maxWordChars; from + maxWordChars < end; from += partChars) {
    const part = text.slice(from, from + partChars + maxWordChars);
    const folded = part.toLowerCase();
    // To save time, later parts that hold the beginning of no term are passed over.
    if (!beginnings.some((beginning) => folded.includes(beginning))) continue;
    const found = findMatches(part, termWeights);
    if (found.length > 0) return found.map((match) => ({ ...match, at: from + match.at }));
  }
  return [];
}

function findMatches(text: string, termWeights: ReadonlyMap<string, number>): Match[] {
  const matches: Match[] = [];
  for (const [at, word] of wordsWorthALook(text, termWeights)) {
    // The parts of a pasted blob are no words, and nobody would see them in it.
    if (word.length > maxWordChars) continue;
    const match = matchOf(word, termWeights);
    if (match.terms.length > 0) matches.push({ at, ...match });
  }
  return matches;
}

/**
 * The words that may hold a term, in order. Taking every word apart would cost more than the search,
 * so only the words around what looks like a term are cut out, and words with letters beyond ASCII;
 * unless a term was written with separators in it (`get_user` for `getuser`).
 */
function wordsWorthALook(
  text: string,
  termWeights: ReadonlyMap<string, number>,
): Iterable<[number, string]> {
  const folded = text.toLowerCase();
  if (folded.length !== text.length) return wordsOf(text);
  const places = [...text.matchAll(foreignLetters)].map((found) => found.index);
  let squeezed: string | undefined;
  for (const term of termWeights.keys()) {
    const beginning = beginningOf(term);
    let at = folded.indexOf(beginning);
    if (at < 0) {
      squeezed ??= squeeze(folded);
      const letters = squeeze(beginning);
      if (letters !== "" && squeezed.includes(letters)) return wordsOf(text);
    }
    for (; at >= 0; at = folded.indexOf(beginning, at + 1)) {
      if (mayBeginTerm(text, at)) places.push(at);
    }
  }
  return wordsAround(text, places.sort((a, b) => a - b));
}

/** A term is a word, or begins a part of a name: inside of a part, letters and digits are not capitals. */
function mayBeginTerm(text: string, at: number): boolean {
  if (at === 0) return true;
  const [before, own] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return !isSmall(own) || !(isSmall(before) || (before >= 65 && before <= 90));
}

/** A small ASCII letter or a digit. */
function isSmall(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** Runs of what may be letters; dashes and quotes, which all writers use, are not. */
const foreignLetters = /[\u00aa-\u1fff\u2c00-\uffff]+/g;

/** A word begins as its stem does, all but the last letter; identifiers hold their parts. */
function beginningOf(term: string): string {
  return term.slice(0, Math.max(2, term.length - 1));
}

function squeeze(text: string): string {
  return text.replace(/[^a-z0-9]+/g, "");
}

function* wordsAround(text: string, places: number[]): Generator<[number, string]> {
  let done = 0;
  for (const place of places) {
    if (place < done) continue;
    let from = place;
    while (from > done && text.charCodeAt(from - 1) > space) from--;
    let to = place;
    while (to < text.length && text.charCodeAt(to) > space) to++;
    for (const [at, word] of wordsOf(text.slice(from, to))) yield [from + at, word];
    done = to;
  }
}

const space = 32;

function* wordsOf(text: string): Generator<[number, string]> {
  const pattern = /[\u0080-\uffff]/.test(text) ? unicodeWord() : asciiWord;
  // By hand: `matchAll` makes a copy of the pattern for every few words.
  for (let at = 0;;) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return;
    at = found.index + found[0].length;
    yield [found.index, found[0]];
  }
}

/** Where the best window starts: at a sentence if that and all its matches fit, else a little before them. */
function bestStart(text: string, matches: Match[], chars: number): number {
  const room = Math.floor(chars / 7);
  let best = { first: 0, last: 0, weight: -1 };
  for (let i = 0; i < matches.length; i++) {
    const seen = new Set<string>();
    const first = matches[i].at;
    let [last, weight] = [first, 0];
    for (let j = i; j < matches.length && matches[j].at - first < chars - room; j++) {
      const fresh = matches[j].terms.some((term) => !seen.has(term));
      weight += fresh ? matches[j].weight : matches[j].weight / 10;
      for (const term of matches[j].terms) seen.add(term);
      last = matches[j].at;
    }
    if (weight > best.weight) best = { first, last, weight };
  }
  const earliest = Math.max(0, best.last + room - chars);
  const before = text.slice(earliest, best.first);
  const sentence = [...before.matchAll(sentenceEnd)].at(-1);
  if (sentence !== undefined) return earliest + sentence.index + sentence[0].length;
  return earliest === 0 ? 0 : Math.max(0, best.first - room);
}

const sentenceEnd = /[.!?]\s+|\n\s*/g;
