// The scores of one search, in the memory of the scoring kernel: posting lists go in, the best rows
// come out. Fields are added in a fixed order, so that a row's sum is the same in any layout of
// segments. One memory serves all searches of a process, one after the other.

import { flagValues, searchFields, textField } from "../../index/segment/segment_format.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Segment } from "../../index/segment/segment.ts";
import { fieldModel, looseModel, weights } from "./ranking.ts";
import type { RowMarks } from "./rank.ts";
import { makeScoreKernel, type ScoreKernel } from "./score_kernel.ts";

/** Up to this many terms, rows are counted by the set of terms they match. */
export const countedTerms = 12;

/** What a row's flags multiply its key by, and which of them count. */
export interface FlagFactors {
  counted: number;
  factorOf: (flags: number) => number;
}

/**
 * Rows by what counts: turns and prompts by the score of their words; rows that can be found by their key,
 * which is (score + worth × cosine) × the factor of their flags × the most that their part of the log can
 * gain, or by their cosine.
 */
export type ValueKind = "talk" | "prompt" | "key" | "cosine";

export interface ScoredCorpus {
  size: number;
  /** The rows of the largest segment, and how many postings are to come. */
  widest: number;
  postings: number;
  pivots: readonly number[];
  fieldBoosts?: readonly number[];
  /** The terms' idf, by their numbers. */
  idfs: readonly number[];
  factors: FlagFactors;
  filters: readonly RowMarks[];
  similar?: SimilarRows;
}

export interface SimilarRows {
  cosines: Float32Array;
  worth: number;
  /** From which cosine on a row is a hit without words. */
  near: number;
}

export interface TermList {
  bytes: Uint8Array;
  term: number;
}

/** With one posting for this many rows or fewer, nearly every page of the scores has one. */
const densePostings = 100;

const resumeAt = 0;
const modelAt = 64;
const factorsAt = 4096;
const roughFactorsAt = factorsAt + flagValues * 8;
const gainsAt = roughFactorsAt + flagValues * 4;
/** The table of what a term adds: one to four times in a text of less than 256 words, of two kinds. */
const gainBytes = 16_384;
const arraysAt = gainsAt + weights.maxTerms * gainBytes;
/** Rows of which the kernel knows the greatest values. */
const blockRows = 64;
/** So many rows are scored and weighed before the next: their parts of the arrays stay in the cache. */
const chunkRows = 16_384;
/** The flag, in the kernel's copy, of rows that count for nothing. */
const deadFlag = 0x8000;
/** No cosine is so great. */
const nowhere = 2;
/** What rounding to single precision may take away. */
const rounding = 1e-6;
const kinds: readonly ValueKind[] = ["talk", "prompt", "key", "cosine"];

let kernel: ScoreKernel | undefined;
let used = false;

/** The scores of all rows of a corpus, by global number; a row without a match has none. */
export class Scores {
  readonly #corpus: ScoredCorpus;
  readonly #kernel: ScoreKernel;
  readonly #at: Record<ArrayName, number>;
  readonly #end: number;
  readonly #isZero: boolean;
  #views: Views | undefined;
  /** Rows before this were weighed. */
  #weighed = 0;

  /**
   * Takes the memory over from the search before. Memory that was never used is zero already; but when
   * most of its pages will be read and then written, writing them at once spares the system half the
   * work.
   */
  constructor(corpus: ScoredCorpus) {
    const { size, similar, filters } = corpus;
    this.#corpus = corpus;
    this.#kernel = kernel ??= makeScoreKernel();
    const { at, end } = placeArrays(corpus, this.#sets);
    this.#at = at;
    this.#end = end;
    this.#reserve(0);
    const { buffer } = this.#kernel.memory;
    this.#isZero = !used && corpus.postings * densePostings <= size;
    used = true;
    this.#kernel.place(
      at.score,
      at.matched,
      similar === undefined ? 0 : at.cosines,
      at.flags,
      filters.length === 0 ? 0 : at.fails,
      factorsAt,
      roughFactorsAt,
      similar?.worth ?? 0,
      similar?.near ?? nowhere,
      at.gains,
      at.maxima,
      (at.chosen - at.maxima) / kinds.length,
    );
    if (similar) new Float32Array(buffer, at.cosines, size).set(similar.cosines);
    new Uint8Array(buffer, at.counts, at.score - at.counts).fill(0);
    new Float32Array(buffer, at.gains, blocksOf(size)).fill(0);
    if (filters.length > 0) new Uint8Array(buffer, at.fails, size + 16).fill(0);
    // Four rows are weighed together: those behind the last match nothing and cannot be found.
    new Uint32Array(buffer, at.matched + size * 4, 4).fill(0);
    new Uint16Array(buffer, at.flags + size * 2, 4).fill(deadFlag);
    this.#writeFactors();
    this.#writeModel();
    corpus.idfs.forEach((idf, term) => {
      this.#kernel.prepare(modelAt, idf, gainsAt + term * gainBytes);
    });
  }

  /** How many sets of terms are counted; 0 where there are too many. */
  get #sets(): number {
    const terms = this.#corpus.idfs.length;
    return terms > countedTerms ? 0 : 1 << terms;
  }

  /** The scores and matches of all rows, for as long as nothing is added or looked for. */
  get views(): { readonly score: Float64Array; readonly matched: Uint32Array } {
    return this.#view();
  }

  scoreOf(row: number): number {
    return this.#view().score[row];
  }

  /** A bit for each term of the query that a row matches. */
  matchedOf(row: number): number {
    return this.#view().matched[row];
  }

  raise(row: number, gain: number): void {
    this.#view().score[row] += gain;
    this.#refresh(row);
  }

  /** Adds the lists of the next segment, in log order; the last one has all rows before `size`. */
  add(
    segment: Segment,
    options: {
      number: number;
      base: number;
      dead?: ReadonlySet<number>;
      lists: TermList[];
      /** The most that the key of one of its rows can gain; 1 when not given. */
      gain?: number;
    },
  ): void {
    const { base, lists } = options;
    this.#raiseGains(base, segment.rows, options.gain ?? 1);
    if (lists.length > 0 || this.#corpus.similar) this.#loadFlags(segment, options);
    if (lists.length > 0) {
      this.#writeModel();
      this.#loadLengths(segment, textField);
    }
    const cursors = this.#loadLists(lists);
    const dead = [...options.dead ?? []].sort((a, b) => a - b);
    let forgotten = 0;
    for (let from = 0; from < segment.rows;) {
      const to = Math.min(segment.rows, from + chunkRows - (base + from) % chunkRows);
      this.#clear(base + from, base + to);
      for (const cursor of cursors) this.#accumulate(segment, { base, to, cursor });
      for (; forgotten < dead.length && dead[forgotten] < to; forgotten++) {
        const { score, matched } = this.#view();
        score[base + dead[forgotten]] = 0;
        matched[base + dead[forgotten]] = 0;
      }
      this.#weigh(base + to);
      from = to;
    }
    if (cursors.some(({ at, end }) => at < end)) throw leadsOutside();
  }

  /** What rows can gain; two segments may share a block. */
  #raiseGains(base: number, rows: number, gain: number): void {
    if (rows === 0) return;
    const gains = new Float32Array(this.#kernel.memory.buffer, this.#at.gains);
    const most = gain === 1 ? 1 : gain + rounding;
    const first = Math.floor(base / blockRows);
    gains[first] = Math.max(gains[first], most);
    gains.fill(most, first + 1, Math.floor((base + rows - 1) / blockRows) + 1);
  }

  /** Looks at the rows up to one, as far as their block is complete. */
  #weigh(to: number): void {
    const { size } = this.#corpus;
    const end = to === size ? size : to & -blockRows;
    const shift = this.#sets === 0 ? 0 : 1 + Math.log2(this.#sets);
    this.#weighRows(this.#weighed, end, shift);
    this.#weighed = end;
  }

  /** Finds the greatest values of a row's block anew. */
  #refresh(row: number): void {
    const from = row & -blockRows;
    const to = Math.min(this.#corpus.size, from + blockRows);
    this.#weighRows(from, to, 0);
  }

  #weighRows(from: number, to: number, shift: number): void {
    this.#kernel.weigh(from, to, this.#at.counts, shift);
  }

  #clear(from: number, to: number): void {
    if (this.#isZero) return;
    const { score, matched } = this.#view();
    score.fill(0, from, to);
    matched.fill(0, from, to);
  }

  #loadLists(lists: readonly TermList[]): Cursor[] {
    this.#reserve(lists.reduce((sum, { bytes }) => sum + bytes.length, 0));
    const memory = new Uint8Array(this.#kernel.memory.buffer);
    let at = this.#end;
    return lists.map(({ bytes, term }) => {
      memory.set(bytes, at);
      const cursor = { at, end: at + bytes.length, row: 0, term };
      at = cursor.end;
      return cursor;
    });
  }

  /** Adds the postings of a list before a row. */
  #accumulate(
    segment: Segment,
    { base, to, cursor }: { base: number; to: number; cursor: Cursor },
  ): void {
    const { term, end } = cursor;
    const idf = this.#corpus.idfs[term];
    const gains = gainsAt + term * gainBytes;
    while (true) {
      const { at, row } = cursor;
      const bit = 1 << term;
      const missing = this.#call((kernel) =>
        kernel.accumulate(at, end, row, to, base, bit, idf, modelAt, gains, resumeAt)
      );
      [cursor.at, cursor.row] = new Uint32Array(this.#kernel.memory.buffer, resumeAt, 2);
      if (missing === 0) return;
      this.#loadLengths(segment, -1 - missing);
    }
  }

  /**
   * For each set of up to `countedTerms` terms, the rows that match it without and with a near vector:
   * first of rows that fail no filter, then of those that fail the first, and so on.
   */
  counts(): Uint32Array[] {
    return Array.from({ length: this.#corpus.filters.length + 1 }, (_, number) => {
      const at = this.#at.counts + number * this.#sets * 8;
      return new Uint32Array(this.#kernel.memory.buffer, at, this.#sets * 2).slice();
    });
  }

  /** The n-th greatest value of the rows of a kind, or -Infinity when there are fewer. */
  nth(kind: ValueKind, n: number): number {
    const { size } = this.#corpus;
    if (n > size) return -Infinity;
    this.#reserve(n * 8);
    return this.#kernel.nth(kinds.indexOf(kind), size, n, this.#end);
  }

  valueOf(kind: ValueKind, row: number): number {
    return this.#kernel.value(kinds.indexOf(kind), row);
  }

  /** The rows of a kind whose value is at least `bar`, in order. */
  atLeast(kind: ValueKind, bar: number): Uint32Array {
    const { chosen } = this.#at;
    const found = this.#kernel.collect(kinds.indexOf(kind), this.#corpus.size, bar, chosen);
    return new Uint32Array(this.#kernel.memory.buffer, chosen, found).slice();
  }

  #writeFactors(): void {
    const { buffer } = this.#kernel.memory;
    const factors = new Float64Array(buffer, factorsAt, flagValues);
    const { counted, factorOf } = this.#corpus.factors;
    // Flags below the lowest that counts change nothing.
    const step = (counted & -counted) || flagValues;
    for (let flags = 0; flags < flagValues; flags += step) {
      factors.fill(factorOf(flags & counted), flags, flags + step);
    }
    new Float32Array(buffer, roughFactorsAt, flagValues).set(factors);
  }

  #writeModel(): void {
    const { pivots, fieldBoosts } = this.#corpus;
    const model = new DataView(this.#kernel.memory.buffer, modelAt);
    model.setFloat64(0, weights.k1, true);
    model.setFloat64(8, weights.k1 + 1, true);
    searchFields.forEach((_, field) => {
      const { weight, flat, slope } = fieldModel(field, pivots[field]);
      const at = 16 + field * 32;
      model.setUint32(at, 0, true);
      model.setFloat64(at + 8, weight * (fieldBoosts?.[field] ?? 1), true);
      model.setFloat64(at + 16, flat, true);
      model.setFloat64(at + 24, slope, true);
    });
    const { raise, scale } = looseModel(pivots[textField]);
    model.setFloat64(208, raise, true);
    model.setFloat64(216, scale, true);
  }

  #loadLengths(segment: Segment, field: number): void {
    const at = this.#lengthsAt(field);
    segment.loadLengths(field, new Uint16Array(this.#kernel.memory.buffer, at, segment.rows));
    this.#placeLengths(field);
  }

  #lengthsAt(field: number): number {
    return this.#at.lengths + field * this.#lengthsStride;
  }

  #placeLengths(field: number): void {
    const model = new DataView(this.#kernel.memory.buffer, modelAt);
    model.setUint32(16 + field * 32, this.#lengthsAt(field), true);
  }

  /** What the rows of a segment are, and which filters they fail. */
  #loadFlags(
    segment: Segment,
    { number, base, dead }: { number: number; base: number; dead?: ReadonlySet<number> },
  ): void {
    const { rows } = segment;
    const at = this.#at.flags + base * 2;
    const flags = new Uint16Array(this.#kernel.memory.buffer, at, rows);
    flags.set(segment.allFlags());
    for (const row of dead ?? []) flags[row] |= deadFlag;
    this.#corpus.filters.forEach((marks, i) => {
      if ("flag" in marks) {
        this.#kernel.fail_flags(base, rows, marks.flag, marks.wanted ? 1 : 0, i + 1);
        return;
      }
      this.#reserve(rows + 16);
      new Uint8Array(this.#kernel.memory.buffer, this.#end, rows).set(marks.rows(number));
      this.#kernel.fail_rows(base, rows, this.#end, marks.mark, i + 1);
    });
    // Sixteen rows are looked at together: those of the next segment are not decided yet.
    if (this.#corpus.filters.length > 0) {
      const end = base + rows;
      const behind = Math.min(16, this.#corpus.size - end);
      new Uint8Array(this.#kernel.memory.buffer, this.#at.fails + end, behind).fill(0);
    }
  }

  get #lengthsStride(): number {
    return (this.#at.end - this.#at.lengths) / searchFields.length;
  }

  /** A list that leads outside the memory was not what its checksum said. */
  #call<T>(run: (kernel: ScoreKernel) => T): T {
    try {
      return run(this.#kernel);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw leadsOutside();
      throw error;
    }
  }

  #view(): Views {
    const { buffer } = this.#kernel.memory;
    if (this.#views?.buffer === buffer) return this.#views;
    const score = new Float64Array(buffer, this.#at.score, this.#corpus.size);
    const matched = new Uint32Array(buffer, this.#at.matched, this.#corpus.size);
    return this.#views = { buffer, score, matched };
  }

  /** Makes sure that there is room behind the arrays. Room that is not used costs nothing. */
  #reserve(bytes: number): void {
    const { memory } = this.#kernel;
    const missing = this.#end + bytes + 64 - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536));
  }
}

function leadsOutside(): IndexDamage {
  return new IndexDamage("a posting list leads outside its segment");
}

/** How far a list in the memory was read: its next posting, and the row of the last one. */
interface Cursor {
  at: number;
  end: number;
  row: number;
  term: number;
}

/** The arrays as they are now; the memory moves when it grows. */
interface Views {
  buffer: ArrayBufferLike;
  score: Float64Array;
  matched: Uint32Array;
}

type ArrayName =
  | "counts"
  | "score"
  | "matched"
  | "cosines"
  | "flags"
  | "fails"
  | "gains"
  | "maxima"
  | "chosen"
  | "lengths"
  | "end";

function blocksOf(size: number): number {
  return Math.floor(size / blockRows) + 1;
}

/** Where the arrays are. Those that are not used cost nothing. */
function placeArrays(
  { size, widest, filters }: ScoredCorpus,
  sets: number,
): { at: Record<ArrayName, number>; end: number } {
  let end = arraysAt;
  const place = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const blocks = blocksOf(size);
  const at = {
    counts: place(sets * 8 * (filters.length + 1)),
    score: place(size * 8 + 24),
    matched: place(size * 4 + 16),
    cosines: place(size * 4 + 16),
    flags: place(size * 2 + 32),
    fails: place(size + 16),
    gains: place(blocks * 4),
    maxima: place(Math.ceil(blocks / 4) * 16 * kinds.length),
    chosen: place(size * 4 + 4),
    lengths: place(Math.ceil(widest / 8) * 16 * searchFields.length),
    end: place(0),
  };
  return { at, end };
}
