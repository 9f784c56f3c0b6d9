// The scores of one search, in the memory of the scoring kernel: posting lists go in, the best rows
// come out. Fields are added in a fixed order, so that a row's sum is the same in any layout of
// segments. One memory serves all searches of a process, one after the other.

import {
  flagValues,
  looseFlags,
  searchFields,
  textField,
} from "../../index/segment/segment_format.ts";
import { IndexDamage } from "../../pages/byte_source.ts";
import type { Segment } from "../../index/segment/segment.ts";
import { fieldModel, looseLength, looseModel, weights } from "./ranking.ts";
import { makeScoreKernel, type ScoreKernel } from "./score_kernel.ts";

/** Up to this many terms, rows are counted by the set of terms they match. */
export const countedTerms = 12;

/** Rows and their keys, as addresses in the memory; with a flag, only the rows that have it. */
export interface Keyed {
  rows: number;
  count: number;
  key: number;
  flag?: number;
}

/** What a row's flags multiply its key by, and which of them count. */
export interface FlagFactors {
  counted: number;
  factorOf: (flags: number) => number;
}

/** What both legs found together. */
export interface Fused extends Keyed {
  /** For each set of terms, the rows without and with a near vector. */
  counts: Uint32Array;
  bestCosine: number;
}

/** With one posting for this many rows or fewer, nearly every page of the scores has one. */
const densePostings = 100;

const resumeAt = 0;
const modelAt = 64;
const bestAt = 48;
/** What lengths below this become is worked out once: most are. */
const shortLengths = 512;
const looseAt = 2560;
/** Rows of which the kernel knows the greatest key. */
const blockRows = 64;
const countsAt = 4096;
const passAt = countsAt + (8 << countedTerms);
const factorsAt = passAt + (1 << countedTerms);
const arraysAt = factorsAt + flagValues * 8;

let kernel: ScoreKernel | undefined;
let used = false;

/** The scores of all rows of a corpus, by global number; a row without a match has none. */
export class Scores {
  /** How many rows have a score. */
  count = 0;
  readonly #size: number;
  readonly #kernel: ScoreKernel;
  readonly #at: Record<ArrayName, number>;
  readonly #end: number;
  readonly #pivots: readonly number[];
  readonly #fieldBoosts?: readonly number[];
  #views: Views | undefined;
  /** Whether the kernel has the table of softened lengths. */
  #hasLoose = false;
  /** The address of the keys whose greatest are known; undefined when keys have changed since. */
  #known: number | undefined;

  /**
   * Takes the memory over from the search before. `widest` is the rows of the largest segment,
   * `postings` how many are to come. Memory that was never used is zero already; but when most of
   * its pages will be read and then written, writing them at once spares the system half the work.
   */
  constructor(
    corpus: {
      size: number;
      widest: number;
      postings: number;
      pivots: readonly number[];
      fieldBoosts?: readonly number[];
    },
  ) {
    this.#size = corpus.size;
    this.#pivots = corpus.pivots;
    this.#fieldBoosts = corpus.fieldBoosts;
    this.#kernel = kernel ??= makeScoreKernel();
    const { at, end } = placeArrays(corpus.size, corpus.widest);
    this.#at = at;
    this.#end = end;
    this.#reserve(0);
    const isDense = corpus.postings * densePostings > corpus.size;
    if (used || isDense) new Uint8Array(this.#kernel.memory.buffer, 0, at.touched).fill(0);
    used = true;
  }

  /** The scores and matches of all rows, for as long as nothing is added. */
  get views(): { readonly score: Float64Array; readonly matched: Uint32Array } {
    return this.#view();
  }

  /** The score of a row. */
  scoreOf(row: number): number {
    return this.#view().score[row];
  }

  /** A bit for each term of the query that a row matches. */
  matchedOf(row: number): number {
    return this.#view().matched[row];
  }

  /** Raises the score of a row. */
  raise(row: number, gain: number): void {
    this.#view().score[row] += gain;
    this.#known = undefined;
  }

  /** Makes ready for the lists of one segment. Dead rows will be passed over. */
  openSegment(
    segment: Segment,
    { base, dead }: { base: number; dead?: ReadonlySet<number> },
  ): (list: Uint8Array, term: { idf: number; bit: number }) => void {
    const at = this.#at;
    this.#known = undefined;
    this.#writeModel();
    this.#loadLengths(segment, textField);
    this.#loosen(segment, base);
    if (dead !== undefined) {
      const flags = new Uint8Array(this.#kernel.memory.buffer, at.dead, segment.rows).fill(0);
      for (const row of dead) flags[row] = 1;
    }
    return (list, term) => {
      this.#reserve(list.length);
      new Uint8Array(this.#kernel.memory.buffer).set(list, this.#end);
      const end = this.#end + list.length;
      let place = { list: this.#end, row: 0 };
      while (true) {
        const count = this.#call((kernel) =>
          kernel.accumulate(
            place.list,
            end,
            place.row,
            base,
            dead === undefined ? 0 : at.dead,
            term.bit,
            term.idf,
            modelAt,
            resumeAt,
            at.score,
            at.matched,
            at.touched,
            this.count,
          )
        );
        if (count >= 0) {
          this.count = count;
          return;
        }
        const [from, row, soFar] = new Uint32Array(this.#kernel.memory.buffer, resumeAt, 3);
        this.count = soFar;
        this.#loadLengths(segment, -1 - count);
        place = { list: from, row };
      }
    };
  }

  /** The rows that have a score, by it. */
  get scored(): Keyed {
    return { rows: this.#at.touched, count: this.count, key: this.#at.score };
  }

  /** How many rows match each set of terms; for up to `countedTerms` of them. */
  countSets(terms: number): Uint32Array {
    const counts = this.#counts(1 << terms);
    this.#call((kernel) => kernel.count(this.#at.touched, this.count, this.#at.matched, countsAt));
    return counts.slice();
  }

  /** The n-th greatest key, or -Infinity when there are fewer rows. */
  nth(keyed: Keyed, n: number): number {
    if (n > keyed.count) return -Infinity;
    this.#reserve(n * 8);
    const { rows, count, key, flag = 0 } = this.#summarize(keyed);
    const { maxima, flags } = this.#at;
    return this.#call((kernel) => kernel.nth(rows, count, key, maxima, flags, flag, n, this.#end));
  }

  /** The rows whose key is at least `bar`. */
  atLeast(keyed: Keyed, bar: number): Uint32Array {
    const { rows, count, key, flag = 0 } = this.#summarize(keyed);
    const { maxima, flags, chosen } = this.#at;
    const found = this.#call((kernel) =>
      kernel.collect(rows, count, key, maxima, flags, flag, bar, chosen)
    );
    return new Uint32Array(this.#kernel.memory.buffer, chosen, found).slice();
  }

  /** Finds the greatest key of each block of rows, unless it is known. */
  #summarize(keyed: Keyed): Keyed {
    const { rows, count, key } = keyed;
    if (this.#known === key) return keyed;
    this.#call((kernel) => kernel.maxima(rows, count, key, this.#at.maxima));
    this.#known = key;
    return keyed;
  }

  /** Takes the cosine of every row, for `nearOnly` and `fuse`. */
  takeCosines(cosines: Float32Array): void {
    new Float32Array(this.#kernel.memory.buffer, this.#at.cosines, this.#size).set(cosines);
  }

  /** The rows that match no term but are near the query, in order. */
  nearOnly(near: number): Uint32Array {
    const { matched, cosines: from, chosen } = this.#at;
    const found = this.#call((kernel) => kernel.near(matched, from, this.#size, near, chosen));
    return new Uint32Array(this.#kernel.memory.buffer, chosen, found).slice();
  }

  /** The rows that match, with keys that take into account what their flags say of them. */
  weigh(factors: FlagFactors): Keyed {
    const { touched, score, flags, key, maxima } = this.#at;
    this.#writeFactors(factors);
    this.#call((kernel) => kernel.weigh(touched, this.count, score, flags, factorsAt, key, maxima));
    this.#known = key;
    return { rows: touched, count: this.count, key };
  }

  #writeFactors(rules: FlagFactors): void {
    const factors = new Float64Array(this.#kernel.memory.buffer, factorsAt, flagValues);
    const { counted, factorOf } = rules;
    for (let flags = 0; flags < flagValues; flags++) {
      const own = flags & counted;
      factors[flags] = own === flags ? factorOf(flags) : factors[own];
    }
  }

  /** The rows that match and some others, with keys that take both legs and flags into account. */
  fuse(
    options: {
      others: { row: number; flags: number }[];
      factors: FlagFactors;
      near: number;
      worth: number;
      terms: number;
      passes: (set: number) => boolean;
    },
  ): Fused {
    const { near, worth, terms, others } = options;
    const at = this.#at;
    const { buffer } = this.#kernel.memory;
    this.#writeFactors(options.factors);
    const touched = new Uint32Array(buffer, at.touched + this.count * 4, others.length);
    const allFlags = new Uint16Array(buffer, at.flags, this.#size);
    others.forEach(({ row, flags }, i) => {
      touched[i] = row;
      allFlags[row] = flags;
    });
    const count = this.count + others.length;
    const counts = this.#counts(2 << terms);
    const pass = new Uint8Array(buffer, passAt, 1 << terms);
    for (let set = 0; set < pass.length; set++) pass[set] = options.passes(set) ? 1 : 0;
    this.#call((kernel) =>
      kernel.fuse(
        at.touched,
        count,
        at.matched,
        at.cosines,
        at.score,
        at.flags,
        factorsAt,
        near,
        worth,
        passAt,
        countsAt,
        bestAt,
        at.key,
        at.maxima,
      )
    );
    const [bestCosine] = new Float32Array(buffer, bestAt, 1);
    this.#known = at.key;
    return { rows: at.touched, count, key: at.key, counts: counts.slice(), bestCosine };
  }

  /** Gives some rows of `fuse` the keys of other cosines. */
  rekey(
    keyed: Keyed,
    options: { rows: Uint32Array; cosines: Float32Array; worth: number },
  ): void {
    const { rows, cosines, worth } = options;
    const { buffer } = this.#kernel.memory;
    const key = new Float64Array(buffer, keyed.key, this.#size);
    const own = new Float32Array(buffer, this.#at.cosines, this.#size);
    const flags = new Uint16Array(buffer, this.#at.flags, this.#size);
    const factors = new Float64Array(buffer, factorsAt, flagValues);
    for (const row of rows) {
      own[row] = cosines[row];
      const fused = this.scoreOf(row) + worth * Math.max(0, cosines[row]);
      key[row] = factors[flags[row]] * fused;
    }
    this.#known = undefined;
  }

  /** The rows with the greatest cosines, at least so many. The keys are others afterwards. */
  nearest({ rows, count, key }: Keyed, n: number): Uint32Array {
    this.#known = undefined;
    this.#call((kernel) => kernel.similar(rows, count, this.#at.cosines, key));
    const keyed = { rows, count, key };
    return this.atLeast(keyed, this.nth(keyed, n));
  }

  #counts(sets: number): Uint32Array {
    return new Uint32Array(this.#kernel.memory.buffer, countsAt, sets).fill(0);
  }

  #writeModel(): void {
    const model = new DataView(this.#kernel.memory.buffer, modelAt);
    model.setFloat64(0, weights.k1, true);
    model.setFloat64(8, weights.k1 + 1, true);
    searchFields.forEach((_, field) => {
      const { weight, flat, slope } = fieldModel(field, this.#pivots[field]);
      const at = 16 + field * 32;
      model.setUint32(at, 0, true);
      model.setFloat64(at + 8, weight * (this.#fieldBoosts?.[field] ?? 1), true);
      model.setFloat64(at + 16, flat, true);
      model.setFloat64(at + 24, slope, true);
    });
  }

  #loadLengths(segment: Segment, field: number): void {
    const at = this.#at.lengths + field * this.#lengthsStride;
    const lengths = new Uint16Array(this.#kernel.memory.buffer, at, segment.rows);
    segment.loadLengths(field, lengths);
    new DataView(this.#kernel.memory.buffer, modelAt).setUint32(16 + field * 32, at, true);
  }

  /** Puts the lengths of talk and tools as they count into the place of the true ones. */
  #loosen(segment: Segment, base: number): void {
    const { memory } = this.#kernel;
    const pivot = this.#pivots[textField];
    const flagsAt = this.#at.flags + base * 2;
    new Uint16Array(memory.buffer, flagsAt, segment.rows).set(segment.allFlags());
    const { raise, scale } = looseModel(pivot);
    if (!this.#hasLoose) {
      const table = new Uint16Array(memory.buffer, looseAt, shortLengths);
      for (let length = 0; length < shortLengths; length++) {
        table[length] = looseLength(length, { raise, scale });
      }
      this.#hasLoose = true;
    }
    const lengthsAt = this.#at.lengths + textField * this.#lengthsStride;
    this.#call((kernel) =>
      kernel.loosen(
        lengthsAt,
        flagsAt,
        segment.rows,
        looseFlags,
        looseAt,
        raise,
        scale,
        0,
      )
    );
  }

  get #lengthsStride(): number {
    return (this.#at.dead - this.#at.lengths) / searchFields.length;
  }

  /** A list that leads outside the memory was not what its checksum said. */
  #call<T>(run: (kernel: ScoreKernel) => T): T {
    try {
      return run(this.#kernel);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        throw new IndexDamage("a posting list leads outside its segment");
      }
      throw error;
    }
  }

  #view(): Views {
    const { buffer } = this.#kernel.memory;
    if (this.#views?.buffer === buffer) return this.#views;
    const score = new Float64Array(buffer, this.#at.score, this.#size);
    const matched = new Uint32Array(buffer, this.#at.matched, this.#size);
    return this.#views = { buffer, score, matched };
  }

  /** Makes sure that there is room behind the arrays. Room that is not used costs nothing. */
  #reserve(bytes: number): void {
    const { memory } = this.#kernel;
    const missing = this.#end + bytes + 8 - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536));
  }
}

/** The arrays as they are now; the memory moves when it grows. */
interface Views {
  buffer: ArrayBufferLike;
  score: Float64Array;
  matched: Uint32Array;
}

type ArrayName =
  | "score"
  | "matched"
  | "touched"
  | "chosen"
  | "key"
  | "cosines"
  | "flags"
  | "maxima"
  | "lengths"
  | "dead";

/** Where the arrays are: those that must be zero at first, then the others. */
function placeArrays(
  size: number,
  widest: number,
): { at: Record<ArrayName, number>; end: number } {
  let end = arraysAt;
  const place = (bytes: number): number => {
    const at = end;
    end += Math.ceil(bytes / 16) * 16;
    return at;
  };
  const at = {
    score: place(size * 8),
    matched: place(size * 4),
    touched: place(size * 4),
    chosen: place(size * 4),
    key: place(size * 8),
    cosines: place(size * 4),
    flags: place(size * 2),
    maxima: place((Math.floor(size / blockRows) + 1) * 8),
    lengths: place(Math.ceil(widest / 8) * 16 * searchFields.length),
    dead: place(widest),
  };
  return { at, end };
}
