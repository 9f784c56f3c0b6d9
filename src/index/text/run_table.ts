// Cuts ASCII text into runs (words, and words joined to paths and identifiers) and remembers what was
// made of each: runs repeat, and taking one apart is slow. Works on bytes and in flat arrays, because
// indexing reads every word with it: nothing is allocated for a run that was met before. A text is read
// in two loops, one that cuts and one that looks up, so that lookups need not wait for each other.

import { withRoom } from "../../disk/byte_writer.ts";

/** What was made of a run: some items of a list that the maker keeps, and one more number. */
export interface RunItems {
  first: number;
  count: number;
  length: number;
}

export interface RunMaker {
  make(run: string): RunItems;
  /** Called when everything that was made is forgotten. */
  clear(): void;
}

/** With more runs or bytes than this, it starts anew. */
const keptRuns = 100_000;
const keptBytes = 8 << 20;
/** Longer runs are seldom words, and not looked for again. */
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

/** What was made of runs, by run; and the runs of the texts that were read last. */
export class RunTable {
  /** The runs of the texts since `start`: their numbers, and from where to where each is in its text. */
  numbers = new Int32Array(1 << 8);
  starts = new Int32Array(1 << 8);
  ends = new Int32Array(1 << 8);
  count = 0;
  /** Grows when all numbers were forgotten. */
  generation = 0;
  readonly #maker: RunMaker;
  #hashes = new Int32Array(1 << 8);
  /** A hash table with open addressing: pairs of a hash and a run's number, which is 0 for none. */
  #slots = new Int32Array(1 << 9);
  #records = new Int32Array(recordSize << 7);
  #runs = 0;
  #bytes = new Uint8Array(1 << 10);
  #used = 0;
  #buffer = new Uint8Array(1 << 12);

  constructor(maker: RunMaker) {
    this.#maker = maker;
  }

  /** Begins anew with no text; only now are runs forgotten, when there are too many. */
  start(): void {
    this.count = 0;
    if (this.#runs >= keptRuns || this.#used >= keptBytes) this.#clear();
  }

  /** Adds the runs of a text, in order; does nothing and returns false unless it is ASCII. */
  read(text: string): boolean {
    const size = text.length;
    const bytes = this.#bufferFor(size);
    const { read, written } = encoder.encodeInto(text, bytes);
    if (read !== size || written !== size) return false;
    bytes[size] = 0;
    bytes[size + 1] = 0;
    const from = this.count;
    const to = this.#cut(bytes, size);
    for (let i = from; i < to; i++) this.numbers[i] = this.#numberOf(bytes, i);
    return true;
  }

  /** Adds one run, of any letters, that the caller has cut out. */
  readRun(run: string): void {
    const bytes = this.#bufferFor(run.length * 3);
    const { written } = encoder.encodeInto(run, bytes);
    let hash = seed;
    for (let at = 0; at < written; at++) hash = mix(hash, bytes[at]);
    const i = this.count++;
    if (i >= this.numbers.length) this.#grow();
    this.starts[i] = 0;
    this.ends[i] = written;
    this.#hashes[i] = hash;
    this.numbers[i] = this.#numberOf(bytes, i);
  }

  textOf(number: number): string {
    const at = (number - 1) * recordSize;
    const start = this.#records[at];
    return decoder.decode(this.#bytes.subarray(start, start + this.#records[at + 1]));
  }

  itemsOf(number: number): RunItems {
    const at = (number - 1) * recordSize;
    const records = this.#records;
    return { first: records[at + 2], count: records[at + 3], length: records[at + 4] };
  }

  /** Notes where runs start and end, and their hashes; returns how many there are now. */
  #cut(bytes: Uint8Array, size: number): number {
    let { starts, ends, count } = this;
    let hashes = this.#hashes;
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
      if (count === starts.length) {
        this.#grow();
        ({ starts, ends } = this);
        hashes = this.#hashes;
      }
      starts[count] = start;
      ends[count] = at;
      hashes[count++] = hash;
    }
    return this.count = count;
  }

  /** The number of a run that was cut out of some bytes. */
  #numberOf(bytes: Uint8Array, i: number): number {
    const slots = this.#slots;
    const records = this.#records;
    const kept = this.#bytes;
    const hash = this.#hashes[i];
    const from = this.starts[i];
    const size = this.ends[i] - from;
    const mask = slots.length - 1;
    let slot = placeOf(hash) & mask;
    for (let number = slots[slot + 1]; number !== 0; number = slots[slot + 1]) {
      if (slots[slot] === hash) {
        const at = (number - 1) * recordSize;
        const start = records[at];
        let same = records[at + 1] === size ? 0 : size + 1;
        while (same < size && kept[start + same] === bytes[from + same]) same++;
        if (same === size) return number;
      }
      slot = (slot + 2) & mask;
    }
    return this.#make(bytes.subarray(from, from + size), hash);
  }

  #make(run: Uint8Array, hash: number): number {
    const { first, count, length } = this.#maker.make(decoder.decode(run));
    const record = [this.#used, run.length, first, count, length, hash];
    this.#records = withRoom(this.#records, (this.#runs + 1) * recordSize);
    this.#records.set(record, this.#runs++ * recordSize);
    this.#bytes = withRoom(this.#bytes, this.#used + run.length);
    this.#bytes.set(run, this.#used);
    this.#used += run.length;
    if (run.length <= keptRunBytes) this.#place(this.#runs, hash);
    return this.#runs;
  }

  #place(number: number, hash: number): void {
    if (number * 4 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2);
      for (let old = 1; old < number; old++) {
        const at = (old - 1) * recordSize;
        if (this.#records[at + 1] <= keptRunBytes) this.#place(old, this.#records[at + 5]);
      }
    }
    const mask = this.#slots.length - 1;
    let slot = placeOf(hash) & mask;
    while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = number;
  }

  /** Room for some bytes and two more. */
  #bufferFor(size: number): Uint8Array {
    if (size + 2 <= this.#buffer.length) return this.#buffer;
    if (size + 2 > keptTextBytes) return new Uint8Array(size + 2);
    return this.#buffer = new Uint8Array(keptTextBytes);
  }

  #grow(): void {
    const room = this.numbers.length + 1;
    this.numbers = withRoom(this.numbers, room);
    this.starts = withRoom(this.starts, room);
    this.ends = withRoom(this.ends, room);
    this.#hashes = withRoom(this.#hashes, room);
  }

  #clear(): void {
    this.#slots.fill(0);
    this.#runs = 0;
    this.#used = 0;
    this.generation++;
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
