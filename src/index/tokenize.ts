// The analyzer: text to index terms, the same for entries and queries. Words are folded and
// stemmed; identifiers and paths give their parts and, once more, the whole; scripts without
// spaces give single characters and pairs. Never matches by prefix.

import { fold, normalize } from "./fold.ts";
import { stem } from "./stem.ts";
import { stopWords } from "./stop_words.ts";

/** A plain word, an identifier or path kept whole, or one character of a longer unspaced run. */
export type TermKind = "word" | "whole" | "character";

/** Receives the terms of a text in order. */
export type TermSink = (term: string, kind: TermKind) => void;

/** Terms are cut to this many characters, so that a pasted blob cannot fill the dictionary. */
export const maxTermChars = 64;

const unspaced =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
const asciiRun = /[A-Za-z0-9_]+(?:[-.\/\\:@'+#][A-Za-z0-9_]+)*/g;
const unicodeRun = new RegExp(
  `[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+(?:[-.\\/\\\\:@'’+#](?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+)*`,
  "gu",
);
const unspacedStart = new RegExp(`^[${unspaced}]`, "u");
const nonAscii = /[\u0080-\uffff]/;
const plain = /^[a-z0-9]+$|^[A-Z]?[a-z]+$/;
const camelBorder = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const nonWord = /[^\p{L}\p{N}\p{M}]+/u;
const digitsOnly = /^\d+$/;

/** Gives the terms of a text to a sink and returns its length: the words, stop words left out. */
export function tokenize(text: string, sink: TermSink): number {
  const ascii = !nonAscii.test(text);
  const clean = ascii ? text : normalize(text);
  let length = 0;
  for (const [run] of clean.matchAll(ascii ? asciiRun : unicodeRun)) {
    if (plain.test(run)) length += emitWord(run.toLowerCase(), sink);
    else if (!ascii && unspacedStart.test(run)) length += emitUnspaced(run, sink);
    else length += emitCompound(run, sink);
  }
  return length;
}

function emitWord(word: string, sink: TermSink): number {
  if (stopWords.has(word)) return 0;
  sink(stem(word.length > maxTermChars ? word.slice(0, maxTermChars) : word), "word");
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
    for (const identifier of component.split(/[^\p{L}\p{N}\p{M}_]+/u)) {
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
  return text.split(nonWord).flatMap((piece) => piece.split(camelBorder)).filter(Boolean).map(fold);
}

/** Spellings of one name agree: getUserName, get_user_name, get-user-name. Numbers keep their dots. */
function join(parts: string[]): string {
  const separator = parts.every((part) => digitsOnly.test(part)) ? "." : "";
  return parts.join(separator).slice(0, maxTermChars);
}
