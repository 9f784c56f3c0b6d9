// Whether two lines say the same in the same words. Pure.

import { checkDeadline } from "../core/deadline.ts";

/** The words of a line, each once. */
export function wordsOfLine(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** Whether two lines share nine of ten words. */
export function isSameLine(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const least = 0.9 * Math.max(a.size, b.size);
  return Math.min(a.size, b.size) >= least && countShared(a, b) >= least;
}

/** Whether one line has nine of ten words of the other, and is at most twice as long. */
export function isContained(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [least, most] = [Math.min(a.size, b.size), Math.max(a.size, b.size)];
  return most <= 2 * least && countShared(a, b) >= 0.9 * least;
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared;
}

/** The lines that were said, to be asked whether another one says the same. */
export class SaidLines {
  readonly #byKey = new Map<string, ReadonlySet<string>[]>();

  /** Notes a line; false when one that was noted says the same. */
  add(text: string): boolean {
    checkDeadline();
    const words = wordsOfLine(text);
    const keys = keysOf(words);
    for (const key of keys) {
      if (this.#byKey.get(key)?.some((other) => isSameLine(words, other))) return false;
    }
    for (const key of keys) {
      const lines = this.#byKey.get(key);
      if (lines) lines.push(words);
      else this.#byKey.set(key, [words]);
    }
    return true;
  }
}

/**
 * Of two lines that share nine of ten words, both have a shared one among the first tenth of their
 * own, in any order of all words: only lines with such a word are compared. Long words first, which
 * few lines have.
 */
function keysOf(words: ReadonlySet<string>): string[] {
  if (words.size === 0) return [""];
  const ordered = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return ordered.slice(0, words.size - Math.ceil(0.9 * words.size) + 1);
}
