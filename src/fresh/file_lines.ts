// A file of today as grounds are compared with it: how often each line is there, the whole text for
// lines that a formatter broke or joined, and the lines that resemble one. Pure; each part is made when
// it is asked for.

import { normalLine, normalText } from "./normal_line.ts";

/** Two lines that have this much of their words in common are one that was changed. */
const alike = 0.5;
const maxCandidates = 200;

/** The lines of a file. */
export class FileLines {
  readonly #text: string;
  readonly #counts = new Map<string, number>();
  #whole?: string;
  #words?: Map<string, string[]>;

  constructor(text: string) {
    this.#text = text;
    for (const line of text.split("\n")) {
      const normal = normalLine(line);
      if (normal !== undefined) this.#counts.set(normal, (this.#counts.get(normal) ?? 0) + 1);
    }
  }

  /** The lines that say something, each once. */
  lines(): Iterable<string> {
    return this.#counts.keys();
  }

  get chars(): number {
    return this.#text.length;
  }

  /** How often a line is there by itself. */
  countWhole(line: string): number {
    return this.#counts.get(line) ?? 0;
  }

  /**
   * The same, also where it is a part of a line, broken into several or joined with others: formatters
   * do that, and an edit may be of a part of a line.
   */
  count(line: string): number {
    const found = this.#counts.get(line);
    if (found !== undefined) return found;
    this.#whole ??= normalText(this.#text);
    return this.#whole.includes(line) ? 1 : 0;
  }

  /** A line that is there and has most of the words of another; a word of many lines counts little. */
  findLike(line: string): string | undefined {
    const words = wordsOf(line);
    if (words.size < 2) return undefined;
    const index = this.#words ??= this.#indexWords();
    const weigh = (word: string): number => 1 / Math.max(1, index.get(word)?.length ?? 0);
    const sum = (some: Iterable<string>): number => [...some].reduce((all, w) => all + weigh(w), 0);
    const shared = new Map<string, number>();
    for (const word of words) {
      const lines = index.get(word) ?? [];
      if (lines.length > maxCandidates) continue;
      for (const other of lines) shared.set(other, (shared.get(other) ?? 0) + weigh(word));
    }
    const own = sum(words);
    let best: string | undefined;
    let most = alike;
    for (const [other, weight] of shared) {
      // No line is more alike than one with no words of its own.
      if (2 * weight / (own + weight) < most) continue;
      const likeness = 2 * weight / (own + sum(wordsOf(other)));
      if (likeness >= most) [best, most] = [other, likeness];
    }
    return best;
  }

  #indexWords(): Map<string, string[]> {
    const lines = new Map<string, string[]>();
    for (const line of this.#counts.keys()) {
      for (const word of wordsOf(line)) {
        const list = lines.get(word);
        if (list) list.push(line);
        else lines.set(word, [line]);
      }
    }
    return lines;
  }
}

/** Words of a line without blanks are told apart by what is no letter. */
function wordsOf(line: string): Set<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+/gu) ?? []);
}
