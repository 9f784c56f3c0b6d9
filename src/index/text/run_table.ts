// Cuts ASCII text into runs (words, and words joined to paths and identifiers) and remembers what was
// made of each: runs repeat, and taking one apart is slow. Works on bytes and in flat arrays, because
// indexing calls it for every word: nothing is allocated for a run that was met before.

import { withRoom } from "../../disk/byte_writer.ts";

/** What was made of a run: some items of a list that the maker keeps, and one more number. */
export interface RunItems {
  first: number;
  count: number;
  length: number;
}

/** Receives what was made of a run, and its number, which is 0 for one that is not remembered; false means: no more. */
export type RunVisitor = (
  first: number,
  count: number,
  length: number,
  number: number,
) => boolean | void;

/** Takes runs apart. */
export interface RunMaker {
  make(run: string): RunItems;
  /** Called when everything that was made is forgotten. */
  clear(): void;
}

/** The most runs that are remembered; then it starts anew. */
const keptRuns = 100_000;
/** Longer runs are seldom words, and not remembered. */
const keptRunBytes = 64;
/** Texts up to this many bytes are encoded into one buffer that stays. */
const keptTextBytes = 1 << 16;

const inWord = 1;
const joinsWords = 2;
/** What each byte is: part of a word, or, between two of those, part of a run. */
const classes = new Uint8Array(256);
classes.fill(inWord, 48, 58).fill(inWord, 65, 91).fill(inWord, 97, 123)[95] = inWord;
for (const character of "-./\\:@'+#") classes[character.charCodeAt(0)] = joinsWords;

/** For each run: where its bytes start, how many they are, its items, its hash; two are unused. */
const recordSize = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What was made of runs, by run. */
export class RunTable {
  readonly #maker: RunMaker;
  /** A hash table with open addressing: pairs of a hash and a run's number, which is 0 for none. */
  #slots = new Int32Array(1 << 9);
  #records = new Int32Array(recordSize << 7);
  #runs = 0;
  #made = 0;
  #bytes = new Uint8Array(1 << 10);
  #used = 0;
  #buffer = new Uint8Array(1 << 12);

  constructor(maker: RunMaker) {
    this.#maker = maker;
  }

  /**
   * Visits the runs of a text, in order; does nothing and returns false unless it is ASCII. The
   * visitor must not come back here.
   */
  forEach(text: string, visit: RunVisitor): boolean {
    const size = text.length;
    const bytes = this.#bufferFor(size);
    const { read, written } = encoder.encodeInto(text, bytes);
    if (read !== size || written !== size) return false;
    bytes[size] = 0;
    bytes[size + 1] = 0;
    for (let at = 0; at < size;) {
      if (classes[bytes[at]] !== inWord) {
        at++;
        continue;
      }
      const start = at;
      let hash = seed;
      let kind = inWord;
      // Two zeros follow the text, so looking one byte ahead needs no check.
      while (kind === inWord || (kind === joinsWords && classes[bytes[at + 1]] === inWord)) {
        hash = mix(hash, bytes[at++]);
        kind = classes[bytes[at]];
      }
      if (this.#visit(bytes, start, at, hash, visit) === false) break;
    }
    return true;
  }

  /** Visits one run, of any letters, that the caller has cut out. */
  visitRun(run: string, visit: RunVisitor): void {
    const bytes = this.#bufferFor(run.length * 3);
    const { written } = encoder.encodeInto(run, bytes);
    let hash = seed;
    for (let at = 0; at < written; at++) hash = mix(hash, bytes[at]);
    this.#visit(bytes, 0, written, hash, visit);
  }

  /** The run with a number that a visitor got. */
  textOf(number: number): string {
    const at = (number - 1) * recordSize;
    const start = this.#records[at];
    return decoder.decode(this.#bytes.subarray(start, start + this.#records[at + 1]));
  }

  /** Room for some bytes and two more. */
  #bufferFor(size: number): Uint8Array {
    if (size + 2 <= this.#buffer.length) return this.#buffer;
    if (size + 2 > keptTextBytes) return new Uint8Array(size + 2);
    return this.#buffer = new Uint8Array(keptTextBytes);
  }

  #visit(
    bytes: Uint8Array,
    from: number,
    to: number,
    hash: number,
    visit: RunVisitor,
  ): boolean | void {
    const slots = this.#slots;
    const kept = this.#bytes;
    const size = to - from;
    const mask = slots.length - 1;
    let slot = placeOf(hash) & mask;
    for (let number = slots[slot + 1]; number !== 0; number = slots[slot + 1]) {
      if (slots[slot] === hash) {
        const records = this.#records;
        const at = (number - 1) * recordSize;
        const start = records[at];
        let i = records[at + 1] === size ? 0 : size + 1;
        while (i < size && kept[start + i] === bytes[from + i]) i++;
        if (i === size) return visit(records[at + 2], records[at + 3], records[at + 4], number);
      }
      slot = (slot + 2) & mask;
    }
    return this.#make(bytes.subarray(from, to), hash, visit);
  }

  #make(run: Uint8Array, hash: number, visit: RunVisitor): boolean | void {
    if (this.#made++ >= keptRuns) this.#clear();
    const { first, count, length } = this.#maker.make(decoder.decode(run));
    let number = 0;
    if (run.length <= keptRunBytes) {
      const record = [this.#used, run.length, first, count, length, hash];
      this.#records = withRoom(this.#records, (this.#runs + 1) * recordSize);
      this.#records.set(record, this.#runs++ * recordSize);
      this.#bytes = withRoom(this.#bytes, this.#used + run.length);
      this.#bytes.set(run, this.#used);
      this.#used += run.length;
      number = this.#runs;
      this.#place(number, hash);
    }
    return visit(first, count, length, number);
  }

  #place(number: number, hash: number): void {
    if (number * 4 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2);
      for (let old = 1; old < number; old++) {
        this.#place(old, this.#records[(old - 1) * recordSize + 5]);
      }
    }
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = number;
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#runs = 0;
    this.#made = 1;
    this.#used = 0;
    this.#maker.clear();
  }
}

const seed = 0x811c9dc5 | 0;

/** Where to look for a hash first: an even number. */
function placeOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}

function mix(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}
