// The profiles of all files at once, from the keys of their terms: what `profileOf` says of each, for
// millions of terms. Sums go by the order of keys, so that they do not depend on how the keys came
// together. Pure.

import { countKeys, entryWords, idBits, idMask, type PostingRun } from "../tables/posting_run.ts";
import { maxTelling, rarityOfTerm, type TermProfile, termWeight } from "./term_weight.ts";
import { type ManyTimes, maxCount } from "./word_reader.ts";
import { termLabel } from "./word_table.ts";

const decoder = new TextDecoder();
/** The weight of a term is this times its rarity, by how often it stands in a file. */
const factors = Float64Array.from({ length: maxCount }, (_, count) => termWeight(count, 1));
const termByte = termLabel.charCodeAt(0);

/** The profile of each of so many files. */
export function profilesOf(
  run: PostingRun,
  { files, many }: { files: number; many: ManyTimes[] },
): TermProfile[] {
  const squares = new Float64Array(files);
  const best = new BestTerms(run, files);
  const manyOf = Map.groupBy(many, (item) => item.term);
  const { bytes, ends } = run.texts;
  for (let key = 0; key < countKeys(run); key++) {
    const from = key === 0 ? 0 : ends[key - 1];
    if (ends[key] === from || bytes[from] !== termByte) continue;
    const [first, holders] = [run.keys[key * entryWords + 2], run.keys[key * entryWords + 3]];
    const rarity = rarityOfTerm(holders, files);
    const often = manyOf.size === 0
      ? undefined
      : manyOf.get(decoder.decode(bytes.subarray(from + 1, ends[key])));
    for (let i = first; i < first + holders; i++) {
      const id = run.postings[i] & idMask;
      let count = run.postings[i] >>> idBits;
      if (count === maxCount) count = often?.find((item) => item.id === id)?.count ?? count;
      const weight = count < maxCount ? factors[count] * rarity : termWeight(count, rarity);
      squares[id] += weight * weight;
      if (holders > 1 && weight >= best.leastOf(id)) best.offer({ id, key, weight, count });
    }
  }
  return Array.from(squares, (square, id) => ({
    norm: Math.round(Math.sqrt(square) * 1000) / 1000,
    telling: best.tellingOf(id),
  }));
}

interface Offer {
  id: number;
  key: number;
  weight: number;
  count: number;
}

/** The most telling terms of each file so far, the best first. */
class BestTerms {
  readonly #run: PostingRun;
  readonly #sizes: Uint8Array;
  readonly #keys: Uint32Array;
  readonly #weights: Float64Array;
  readonly #counts: Uint32Array;
  readonly #terms = new Map<number, string>();

  constructor(run: PostingRun, files: number) {
    this.#run = run;
    this.#sizes = new Uint8Array(files);
    this.#keys = new Uint32Array(files * maxTelling);
    this.#weights = new Float64Array(files * maxTelling);
    this.#counts = new Uint32Array(files * maxTelling);
  }

  /** A term of less weight than this is not among the most telling ones of a file. */
  leastOf(id: number): number {
    return this.#sizes[id] < maxTelling ? -Infinity : this.#weights[(id + 1) * maxTelling - 1];
  }

  offer({ id, key, weight, count }: Offer): void {
    const start = id * maxTelling;
    const size = this.#sizes[id];
    if (size === maxTelling && !this.#isBefore(key, weight, start + size - 1)) return;
    let at = start + Math.min(size, maxTelling - 1);
    for (; at > start && this.#isBefore(key, weight, at - 1); at--) {
      this.#keys[at] = this.#keys[at - 1];
      this.#weights[at] = this.#weights[at - 1];
      this.#counts[at] = this.#counts[at - 1];
    }
    this.#keys[at] = key;
    this.#weights[at] = weight;
    this.#counts[at] = count;
    if (size < maxTelling) this.#sizes[id]++;
  }

  tellingOf(id: number): Record<string, number> {
    const start = id * maxTelling;
    return Object.fromEntries(Array.from({ length: this.#sizes[id] }, (_, i) => {
      return [this.#termOf(this.#keys[start + i]), this.#counts[start + i]];
    }));
  }

  /** The same terms are telling in many files. */
  #termOf(key: number): string {
    let term = this.#terms.get(key);
    if (term === undefined) {
      const [from, to] = this.#spanOf(key);
      term = decoder.decode(this.#run.texts.bytes.subarray(from + 1, to));
      this.#terms.set(key, term);
    }
    return term;
  }

  #isBefore(key: number, weight: number, place: number): boolean {
    const difference = weight - this.#weights[place];
    return difference > 0 || difference === 0 && this.#isLess(key, this.#keys[place]);
  }

  /** Terms are ASCII: their bytes are in the order of their characters. */
  #isLess(a: number, b: number): boolean {
    const { bytes } = this.#run.texts;
    const [fromA, toA] = this.#spanOf(a);
    const [fromB, toB] = this.#spanOf(b);
    const length = Math.min(toA - fromA, toB - fromB);
    for (let i = 0; i < length; i++) {
      const difference = bytes[fromA + i] - bytes[fromB + i];
      if (difference !== 0) return difference < 0;
    }
    return toA - fromA < toB - fromB;
  }

  #spanOf(key: number): [from: number, to: number] {
    const { ends } = this.#run.texts;
    return [key === 0 ? 0 : ends[key - 1], ends[key]];
  }
}
