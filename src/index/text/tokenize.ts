// The analyzer: text to index terms, the same for entries and queries. Words are folded and
// stemmed; identifiers and paths give their parts and, once more, the whole; scripts without
// spaces give single characters and pairs. Never matches by prefix.

import { alignToCharacter } from "../../core/text.ts";
import { fold, normalize, toPlain } from "./fold.ts";
import { RunTable } from "./run_table.ts";
import { stem } from "./stem.ts";

/** A plain word, an identifier or path kept whole, or one character of a longer unspaced run. */
export type TermKind = "word" | "whole" | "character";

/** Receives the terms of a text in order. */
export type TermSink = (term: string, kind: TermKind) => void;

/** Terms are cut to this many characters, so that a pasted blob cannot fill the dictionary. */
export const maxTermChars = 64;

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
/** Made when a text needs them: they take milliseconds, and most queries are ASCII. */
let patterns: ReturnType<typeof makePatterns> | undefined;

function unicodePatterns(): ReturnType<typeof makePatterns> {
  return patterns ??= makePatterns();
}

function makePatterns(): { run: RegExp; unspacedStart: RegExp; borders: typeof asciiBorders } {
  const letter = `(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_]`;
  return {
    run: new RegExp(`[${unspaced}]+|(?:${letter})+(?:[-.\\/\\\\:@'’+#](?:${letter})+)*`, "gu"),
    unspacedStart: new RegExp(`^[${unspaced}]`, "u"),
    borders: {
      nonWord: /[^\p{L}\p{N}\p{M}]+/u,
      camel: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
      nonIdentifier: /[^\p{L}\p{N}\p{M}_]+/u,
    },
  };
}

function bordersOf(text: string): typeof asciiBorders {
  return nonAscii.test(text) ? unicodePatterns().borders : asciiBorders;
}

const nonAscii = /[\u0080-\uffff]/;
const plain = /^[a-z0-9]+$|^[A-Z]?[a-z]+$/;
/** Splits words, camelCase and identifiers; the classes of Unicode take milliseconds to compile. */
const asciiBorders = {
  nonWord: /[^A-Za-z0-9]+/,
  camel: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/,
  nonIdentifier: /[^A-Za-z0-9_]+/,
};
const digitsOnly = /^\d+$/;

/** Gives the terms of a text to a sink and returns its length: the words, stop words left out. */
export function tokenize(text: string, sink: TermSink): number {
  return tokenizeToNumbers(text, (number) => {
    sink(list.terms[number - list.start], list.kinds[number - list.start]);
  });
}

/**
 * The same with a number for each term, which `termOf` knows until the next text. Different terms
 * never have the same number, and a word that is met again mostly has the one it had before: so
 * indexing keeps what it knows of a term by its number.
 */
export function tokenizeToNumbers(text: string, sink: (number: number) => void): number {
  let total = 0;
  const visit = (first: number, count: number, length: number): void => {
    for (let number = first; number < first + count; number++) sink(number);
    total += length;
  };
  if (runs.forEach(text, visit)) return total;
  const normal = normalize(text);
  if (runs.forEach(toPlain(normal), visit)) return total;
  for (const [run] of normal.matchAll(unicodePatterns().run)) runs.visitRun(run, visit);
  return total;
}

/** The term of a number that the last text gave. */
export function termOf(number: number): string {
  return list.terms[number - list.start];
}

/** The terms of all runs in the table; those of one run have successive numbers. */
const list = { start: 0, terms: [] as string[], kinds: [] as TermKind[] };

const runs = new RunTable({
  make(run) {
    const first = list.start + list.terms.length;
    const length = analyzeRun(run, (term, kind) => {
      list.terms.push(term);
      list.kinds.push(kind);
    });
    return { first, count: list.start + list.terms.length - first, length };
  },
  clear() {
    list.start = (list.start + list.terms.length) % 2 ** 29;
    list.terms = [];
    list.kinds = [];
  },
});

function analyzeRun(run: string, sink: TermSink): number {
  if (plain.test(run)) return emitWord(run.toLowerCase(), sink);
  const isUnspaced = nonAscii.test(run) && unicodePatterns().unspacedStart.test(run);
  return isUnspaced ? emitUnspaced(run, sink) : emitCompound(run, sink);
}

function emitWord(word: string, sink: TermSink): number {
  if (stopWords.has(word)) return 0;
  sink(stem(cut(word)), "word");
  return 1;
}

/** Bigrams find words in running text; single characters let one-character queries match. */
function emitUnspaced(run: string, sink: TermSink): number {
  const characters = [...fold(run)];
  const kind = characters.length > 1 ? "character" : "word";
  for (const character of characters) sink(character, kind);
  for (let i = 1; i < characters.length; i++) sink(characters[i - 1] + characters[i], "word");
  return Math.max(1, characters.length - 1);
}

/** `src/userStore.ts` gives src, user, store, ts, and whole: userstore, userstorets, srcuserstorets. */
function emitCompound(run: string, sink: TermSink): number {
  const text = run.replace(/['’](?:s|S|t|T|re|ve|ll|d|m|RE|VE|LL|D|M)$/, "");
  const wholes = new Set<string>();
  let length = 0;
  for (const component of text.split(/[\/\\]/)) {
    for (const identifier of component.split(bordersOf(component).nonIdentifier)) {
      const parts = partsOf(identifier);
      for (const part of parts) length += emitWord(part, sink);
      if (parts.length > 1) wholes.add(join(parts));
    }
    const parts = partsOf(component);
    if (parts.length > 1) wholes.add(join(parts));
  }
  const parts = partsOf(text);
  if (parts.length > 1) wholes.add(join(parts));
  for (const whole of wholes) sink(whole, "whole");
  return length;
}

function partsOf(text: string): string[] {
  const { nonWord, camel } = bordersOf(text);
  return text.split(nonWord).flatMap((piece) => piece.split(camel)).filter(Boolean).map(fold);
}

/** Spellings of one name agree: getUserName, get_user_name, get-user-name. Numbers keep their dots. */
function join(parts: string[]): string {
  const separator = parts.every((part) => digitsOnly.test(part)) ? "." : "";
  return cut(parts.join(separator));
}

/** Never in the middle of a surrogate pair. */
function cut(term: string): string {
  return term.length > maxTermChars ? term.slice(0, alignToCharacter(term, maxTermChars)) : term;
}

/**
 * English words that carry no topic: neither indexed nor searched for. Chat questions are full of
 * them: 180 instead of 33 moved nDCG@10 on LoCoMo-dev from .42 to .47. Compared folded, unstemmed.
 */
export const stopWords: ReadonlySet<string> = new Set(
  ("a about above after again against all am an and any are aren as at be because been before being " +
    "below between both but by can cannot could couldn did didn do does doesn doing don done down " +
    "during each few for from further had hadn has hasn have haven having he her here hers " +
    "herself him himself his how i if in into is isn it its itself just let like ll m ma may me might " +
    "mightn more most mustn must my myself needn no nor not now o of off on once only or other our ours " +
    "ourselves out over own re really s same shall shan she should shouldn so some such t than that the " +
    "their theirs them themselves then there these they this those through to too under until up us ve " +
    "very was wasn we were weren what when where which while who whom whose why will with won would " +
    "wouldn y yes you your yours yourself yourselves also always any anyone anything else ever every " +
    "everything however im ive dont didnt isnt thats theyre whats id youre upon via per etc").split(
      " ",
    ),
);
