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

function makePatterns(): Record<
  "run" | "unspacedStart" | "nonWord" | "camel" | "nonIdentifier",
  RegExp
> {
  const letter = `(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_]`;
  return {
    run: new RegExp(`[${unspaced}]+|(?:${letter})+(?:[-.\\/\\\\:@'’+#](?:${letter})+)*`, "gu"),
    unspacedStart: new RegExp(`^[${unspaced}]`, "u"),
    nonWord: /[^\p{L}\p{N}\p{M}]+/u,
    camel: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u,
    nonIdentifier: /[^\p{L}\p{N}\p{M}_]+/u,
  };
}

const nonAscii = /[\u0080-\uffff]/;
const plain = /^[a-z0-9]+$|^[A-Z]?[a-z]+$/;
const digitsOnly = /^\d+$/;
const contraction = /['’](?:s|S|t|T|re|ve|ll|d|m|RE|VE|LL|D|M)$/;

/** Gives the terms of a text to a sink and returns its length: the words, stop words left out. */
export function tokenize(text: string, sink: TermSink): number {
  met.open();
  met.read(text);
  let total = 0;
  for (let i = 0; i < met.count; i++) {
    const { first, count, length } = runs.itemsOf(runs.numbers[i]);
    for (let at = first; at < first + count; at++) sink(terms[at], kinds[at]);
    total += length;
  }
  return total;
}

/** The terms of all runs in the table, and their kinds; those of one run stand together. */
let terms: string[] = [];
let kinds: TermKind[] = [];

const runs = new RunTable({
  make(run) {
    const first = terms.length;
    const length = analyzeRun(run, (term, kind) => {
      terms.push(term);
      kinds.push(kind);
    });
    return { first, count: terms.length - first, length };
  },
  clear() {
    terms = [];
    kinds = [];
  },
});

/**
 * The runs of some texts, for all who read their words: each text is walked over once, and what
 * somebody knows of a run is kept by its number, until numbers are forgotten.
 */
export class MetRuns {
  /** Whether another reader would cut the texts into the same runs. */
  isPlain = true;
  /** Whether the last of them is ASCII: its runs stand where they were cut. */
  isAscii = true;
  /** Characters of the texts, and how many runs they have; those after `close` count for neither. */
  chars = 0;
  closedAt = 0;
  #isOpen = true;

  /** Starts anew. No reader may do so while another one is at the runs. */
  open(): void {
    this.#isOpen = this.isPlain = this.isAscii = true;
    this.chars = this.closedAt = 0;
    runs.start();
  }

  /** Says that the texts from now on are not for a second reader. */
  close(): void {
    this.#isOpen = false;
    this.closedAt = runs.count;
  }

  read(text: string): void {
    const isAscii = runs.read(text);
    const normal = isAscii ? text : normalize(text);
    const isPlain = isAscii || runs.read(toPlain(normal));
    if (!isPlain) { for (const [run] of normal.matchAll(unicodePatterns().run)) runs.readRun(run); }
    if (!this.#isOpen) return;
    this.chars += text.length;
    this.isAscii = isAscii;
    if (!isPlain || normal !== text) this.isPlain = false;
  }

  get count(): number {
    return runs.count;
  }

  get numbers(): Int32Array {
    return runs.numbers;
  }

  /** Where runs start and end in the last text, if it is ASCII. */
  get starts(): Int32Array {
    return runs.starts;
  }

  get ends(): Int32Array {
    return runs.ends;
  }

  /** Grows when all numbers were forgotten. */
  get generation(): number {
    return runs.generation;
  }

  textOf(number: number): string {
    return runs.textOf(number);
  }

  /** Words in a run, without stop words. */
  lengthOf(number: number): number {
    return runs.itemsOf(number).length;
  }

  termsOf(number: number): string[] {
    const { first, count } = runs.itemsOf(number);
    return terms.slice(first, first + count);
  }
}

/** The runs of the texts that were read last. */
export const met = new MetRuns();

function analyzeRun(run: string, sink: TermSink): number {
  if (plain.test(run)) return emitWord(run.toLowerCase(), sink);
  if (!nonAscii.test(run)) return emitAscii(run, sink);
  return unicodePatterns().unspacedStart.test(run)
    ? emitUnspaced(run, sink)
    : emitCompound(run, sink);
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
  const text = run.replace(contraction, "");
  const wholes = new Set<string>();
  let length = 0;
  for (const component of text.split(/[\/\\]/)) {
    for (const identifier of component.split(unicodePatterns().nonIdentifier)) {
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

/** The same of ASCII, in one walk without expressions: indexing meets many such runs only once. */
function emitAscii(run: string, sink: TermSink): number {
  const text = run.includes("'") ? run.replace(contraction, "") : run;
  const lower = text.toLowerCase();
  const wholes = new Set<string>();
  // What follows a slash, what follows another sign, and where the part at hand begins.
  const all: string[] = [];
  let [component, identifier, start, length] = [0, 0, -1, 0];
  const endAt = (from: number): void => {
    if (all.length - from > 1) wholes.add(join(all.slice(from)));
  };
  for (let at = 0; at <= text.length; at++) {
    const kind = kindAt(text, at);
    if (start >= 0 && (kind >= underscore || (kind === capital && isCamel(text, at)))) {
      const part = lower.slice(start, at);
      start = -1;
      all.push(part);
      length += emitWord(part, sink);
    }
    if (kind < underscore) {
      if (start < 0) start = at;
    } else if (kind > underscore) {
      endAt(identifier);
      identifier = all.length;
      if (kind === slash) {
        endAt(component);
        component = all.length;
      }
    }
  }
  endAt(0);
  for (const whole of wholes) sink(whole, "whole");
  return length;
}

/** What an ASCII character is to a name; beyond the end is as after a slash. */
const [small, capital, underscore, sign, slash] = [0, 1, 2, 3, 4];
const characterKinds = new Uint8Array(128).fill(sign);
characterKinds.fill(small, 97, 123).fill(small, 48, 58).fill(capital, 65, 91);
characterKinds[95] = underscore;
characterKinds[47] = characterKinds[92] = slash;

function kindAt(text: string, at: number): number {
  return at < text.length ? characterKinds[text.charCodeAt(at)] : slash;
}

/** Whether a capital begins a part inside a name: after a small letter, or before one. */
function isCamel(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return kindAt(text, at - 1) === small || (next >= 97 && next <= 122);
}

function partsOf(text: string): string[] {
  const { nonWord, camel } = unicodePatterns();
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
