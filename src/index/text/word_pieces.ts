// WordPiece: greedy longest match of a word's beginning, `##` on what continues it. A word with no
// match gives nothing.

import type { FindPiece } from "./piece_lines.ts";
import { toPlain } from "./fold.ts";
import { RunTable } from "./run_table.ts";
import type { MetRuns } from "./tokenize.ts";
import { withRoom } from "../../disk/byte_writer.ts";

const maxWordChars = 40;
const han = /([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])/g;
const keptWords = 50_000;
/** Longer texts cannot matter: 512 pieces are fewer characters of anything sensible. */
const lookedAtChars = 20_000;

export class WordPieces {
  readonly #findId: FindPiece;
  readonly #known = new Map<string, number[]>();
  /** The pieces of all runs in the table. No word goes beyond a run. */
  #list: number[] = [];
  readonly #runs = new RunTable({
    make: (run) => {
      const first = this.#list.length;
      for (const word of asciiWords(run)) this.#list.push(...this.#piecesOf(word));
      return { first, count: this.#list.length - first, length: 0 };
    },
    clear: () => this.#list = [],
  });

  /** For each run of another table, as first and count + 1: what it has in `#met`. */
  #ofMet = new Int32Array(1 << 10);
  #met = new Uint16Array(1 << 10);
  #metCount = 0;
  #generation = -1;

  constructor(findId: FindPiece) {
    this.#findId = findId;
  }

  /** Calls back with the ids of a text's pieces, in order, until that returns false. */
  forEachId(text: string, visit: (id: number) => boolean | void): void {
    const start = text.length > lookedAtChars ? text.slice(0, lookedAtChars) : text;
    this.#runs.start();
    if (this.#runs.read(start) || this.#runs.read(toPlain(start))) {
      for (let i = 0; i < this.#runs.count; i++) {
        const { first, count } = this.#runs.itemsOf(this.#runs.numbers[i]);
        for (let at = first; at < first + count; at++) if (visit(this.#list[at]) === false) return;
      }
      return;
    }
    for (const word of wordsOf(start)) {
      for (const id of this.#piecesOf(word)) if (visit(id) === false) return;
    }
  }

  /**
   * Counts the pieces of texts that were read already, up to as many as there is room for ids; returns
   * how many different ones there are, which are put into `ids`. Undefined, and nothing is counted,
   * where the texts may have other pieces than their runs.
   */
  countMet(
    runs: MetRuns,
    { counts, ids }: { counts: Uint16Array; ids: Uint16Array },
  ): number | undefined {
    if (!runs.isPlain || runs.chars > lookedAtChars) return undefined;
    if (this.#generation !== runs.generation) {
      this.#generation = runs.generation;
      this.#ofMet.fill(0);
      this.#met = new Uint16Array(1 << 10);
      this.#metCount = 0;
    }
    const { numbers, closedAt } = runs;
    let left = ids.length;
    let distinct = 0;
    for (let i = 0; i < closedAt && left > 0; i++) {
      const number = numbers[i];
      // Beyond its end there is nothing, and nothing is no number either.
      if (!(this.#ofMet[number * 2 + 1] > 0)) this.#takeMet(number, runs.textOf(number));
      const met = this.#met;
      const first = this.#ofMet[number * 2];
      const end = Math.min(first + this.#ofMet[number * 2 + 1] - 1, first + left);
      for (let at = first; at < end; at++) {
        const id = met[at];
        if (counts[id]++ === 0) ids[distinct++] = id;
      }
      left -= end - first;
    }
    return distinct;
  }

  #takeMet(number: number, run: string): void {
    this.#ofMet = withRoom(this.#ofMet, number * 2 + 2);
    this.#ofMet[number * 2] = this.#metCount;
    for (const word of asciiWords(run)) {
      const pieces = this.#piecesOf(word);
      this.#met = withRoom(this.#met, this.#metCount + pieces.length);
      this.#met.set(pieces, this.#metCount);
      this.#metCount += pieces.length;
    }
    this.#ofMet[number * 2 + 1] = this.#metCount - this.#ofMet[number * 2] + 1;
  }

  #piecesOf(word: string): number[] {
    const known = this.#known.get(word);
    if (known) return known;
    const ids = this.#split(word);
    if (this.#known.size >= keptWords) this.#known.clear();
    this.#known.set(word, ids);
    return ids;
  }

  #split(word: string): number[] {
    if (word.length > maxWordChars && [...word].length > maxWordChars) return [];
    const ids: number[] = [];
    for (let start = 0; start < word.length;) {
      const end = this.#addLongest(word, start, ids);
      if (end === undefined) return [];
      start = end;
    }
    return ids;
  }

  /** Adds the id of the longest piece at a place and says where it ends, if there is one. */
  #addLongest(word: string, start: number, ids: number[]): number | undefined {
    const ends = this.#findId.filter?.endsFrom(word, start);
    // Half a surrogate pair is in no vocabulary, so ends may be tried unit by unit.
    for (let i = ends?.length ?? word.length - start; i > 0; i--) {
      const end = ends ? ends[i - 1] : start + i;
      const piece = word.slice(start, end);
      const id = this.#findId(start > 0 ? `##${piece}` : piece);
      if (id === undefined) continue;
      ids.push(id);
      return end;
    }
    return undefined;
  }
}

/** Words in lower case: runs of letters and digits, with camelCase and HTTPServer taken apart. */
function* wordsOf(text: string): Generator<string> {
  const lower = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2").toLowerCase();
  const plain = lower.normalize("NFD").replace(/\p{Mn}/gu, "").replace(han, " $1 ");
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) yield word;
}

/** The same without regular expressions: most text is ASCII, and indexing reads all of it. */
function* asciiWords(text: string): Generator<string> {
  const lower = text.toLowerCase();
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    const kind = kindAt(text, at);
    const before = kindAt(text, at - 1);
    const splits = kind === 2 &&
      (before === 1 || (before === 2 && isLowerLetter(text.charCodeAt(at + 1))));
    if (start >= 0 && (kind === 0 || splits)) {
      yield lower.slice(start, at);
      start = -1;
    }
    if (start < 0 && kind !== 0) start = at;
  }
}

/** 0 is no part of a word, 1 a small letter or digit, 2 a capital. */
function kindAt(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at);
  if (isLowerLetter(code) || (code >= 48 && code <= 57)) return 1;
  return code >= 65 && code <= 90 ? 2 : 0;
}

function isLowerLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
