// Cuts ASCII text into runs (words, and words joined to paths and identifiers) and remembers what was
// made of each: runs repeat, and taking one apart is slow. Works on bytes and in flat arrays, because
// indexing comes by here for every word: nothing is allocated for a run that was met before.

/** What was made of a run: some items of a list that the maker keeps, and one more number. */
export interface RunItems {
  first: number;
  count: number;
  length: number;
}

/** Receives what was made of a run. */
export type RunVisitor = (first: number, count: number, length: number) => void;

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
for (const character of "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  classes[character.charCodeAt(0)] = inWord;
}
for (const character of "-./\\:@'+#") classes[character.charCodeAt(0)] = joinsWords;

/** For each run: its hash, where its bytes start, how many they are; then its items; two unused. */
const recordSize = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What was made of runs, by run. */
export class RunTable {
  readonly #maker: RunMaker;
  /** A hash table with open addressing: zero, or one more than a run's number. */
  #slots = new Int32Array(1 << 8);
  #records = new Int32Array(recordSize << 7);
  #runs = 0;
  #made = 0;
  #bytes = new Uint8Array(1 << 10);
  #used = 0;
  /** The text at hand. */
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
      this.#visit(bytes, start, at, hash, visit);
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

  /** Room for some bytes and two more. */
  #bufferFor(size: number): Uint8Array {
    if (size + 2 <= this.#buffer.length) return this.#buffer;
    if (size + 2 > keptTextBytes) return new Uint8Array(size + 2);
    return this.#buffer = new Uint8Array(keptTextBytes);
  }

  #visit(bytes: Uint8Array, from: number, to: number, hash: number, visit: RunVisitor): void {
    const records = this.#records;
    const kept = this.#bytes;
    const size = to - from;
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = this.#slots[slot]; entry !== 0; entry = this.#slots[slot]) {
      const at = (entry - 1) * recordSize;
      if (records[at] === hash && records[at + 2] === size) {
        const start = records[at + 1];
        let i = 0;
        while (i < size && kept[start + i] === bytes[from + i]) i++;
        if (i === size) return visit(records[at + 3], records[at + 4], records[at + 5]);
      }
      slot = (slot + 1) & mask;
    }
    this.#make(bytes.subarray(from, to), hash, visit);
  }

  #make(run: Uint8Array, hash: number, visit: RunVisitor): void {
    if (this.#made++ >= keptRuns) this.#clear();
    const { first, count, length } = this.#maker.make(decoder.decode(run));
    if (run.length <= keptRunBytes) {
      this.#keep(run, [hash, this.#used, run.length, first, count, length]);
    }
    visit(first, count, length);
  }

  #keep(run: Uint8Array, record: number[]): void {
    this.#bytes = withRoom(this.#bytes, this.#used + run.length);
    this.#bytes.set(run, this.#used);
    this.#used += run.length;
    this.#records = withRoom(this.#records, (this.#runs + 1) * recordSize);
    this.#records.set(record, this.#runs++ * recordSize);
    if (this.#runs * 2 <= this.#slots.length) return this.#place(this.#runs);
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 1; number <= this.#runs; number++) this.#place(number);
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#records[(number - 1) * recordSize];
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number;
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

function mix(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** The same numbers with room for some more. */
function withRoom<T extends Uint8Array | Int32Array>(numbers: T, count: number): T {
  if (count <= numbers.length) return numbers;
  const larger = new (numbers.constructor as new (size: number) => T)(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
