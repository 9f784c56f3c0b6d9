// Lines by their words: which line resembles another, and how much a line tells. A word of many lines
// tells little, one that no other line has tells most. Pure.

import { wordsOf } from "./normal_line.ts";

/** Two lines that have more than this of their words in common are one that was changed. */
export const alike = 0.5;
/** No more lines have as much in common: else it is what any line of the kind has. */
const maxEqual = 2;
const maxCandidates = 200;

export interface LikeLine {
  line: string;
  /** Of 1. */
  likeness: number;
  /** What the words in common tell. */
  tells: number;
}

export class LineWords {
  readonly #lines = new Map<string, string[]>();

  constructor(lines: Iterable<string>) {
    for (const line of lines) {
      for (const word of wordsOf(line)) {
        const list = this.#lines.get(word);
        if (list) list.push(line);
        else this.#lines.set(word, [line]);
      }
    }
  }

  weigh(line: string): number {
    return this.#sum(wordsOf(line));
  }

  /** The line that resembles another most, if one does. */
  findLike(line: string): LikeLine | undefined {
    const words = wordsOf(line);
    if (words.size === 0) return undefined;
    const shared = this.#share(words);
    const own = this.#sum(words);
    let best: LikeLine | undefined;
    for (const [other, tells] of shared) {
      const most = best?.likeness ?? alike;
      // No line is more alike than one with no words of its own.
      if (2 * tells / (own + tells) < most) continue;
      const likeness = 2 * tells / (own + this.weigh(other));
      if (likeness >= most && likenessOf(words, wordsOf(other)) > alike) {
        best = { line: other, likeness, tells };
      }
    }
    if (best === undefined) return undefined;
    let equal = 0;
    for (const tells of shared.values()) {
      if (tells >= best.tells - 1e-9 && ++equal > maxEqual) return undefined;
    }
    return best;
  }

  /** The lines that have words in common with others, and what those tell. */
  #share(words: ReadonlySet<string>): Map<string, number> {
    const shared = new Map<string, number>();
    for (const word of words) {
      const lines = this.#lines.get(word) ?? [];
      if (lines.length > maxCandidates) continue;
      const weight = this.#weighWord(word);
      for (const other of lines) shared.set(other, (shared.get(other) ?? 0) + weight);
    }
    return shared;
  }

  #sum(words: Iterable<string>): number {
    let sum = 0;
    for (const word of words) sum += this.#weighWord(word);
    return sum;
  }

  #weighWord(word: string): number {
    return 1 / Math.max(1, this.#lines.get(word)?.length ?? 0);
  }
}

/** How many words two lines have in common, of 1. */
export function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return 2 * one.intersection(other).size / Math.max(1, one.size + other.size);
}
