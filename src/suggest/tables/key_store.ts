// Collects keys with the records that have them. Keys are known by their hash: millions of them take
// a few numbers each, and hold on to no text that they were found in.

import { hashPart, type HashStart } from "../../core/hash.ts";
import { withRoom } from "../../pages/grow.ts";
import { entryWords, type PostingRun } from "./posting_run.ts";

const none = 0xffffffff;
const decoder = new TextDecoder();

/** Keys, numbered as they come. */
export class KeyStore {
  /** How many keys there are. */
  count = 0;
  #high = new Uint32Array(1024);
  #low = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  /** The last posting of each key, so that none is there twice. */
  #lasts = new Uint32Array(1024).fill(none);
  #texts = new Uint8Array(4096);
  /** The number of a key plus one, at a place that its hash gives; zero where none is. */
  #slots = new Uint32Array(4096);
  #keyOf = new Uint32Array(4096);
  #postings = new Uint32Array(4096);
  #used = 0;
  readonly #hash = new Uint32Array(2);

  /** How many pairs of a key and a record there are. */
  get postings(): number {
    return this.#used;
  }

  /** The number of the key that a part of a text is; the count rises when it is new. */
  add(start: HashStart, text: string, from = 0, to = text.length): number {
    hashPart(start, { text, from, to }, this.#hash);
    const [high, low] = [this.#hash[0], this.#hash[1]];
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let key = this.#slots[slot]; key !== 0; key = this.#slots[slot]) {
      if (this.#high[key - 1] === high && this.#low[key - 1] === low) return key - 1;
      slot = (slot + 1) & mask;
    }
    if (this.count === this.#high.length) this.#growKeys();
    this.#high[this.count] = high;
    this.#low[this.count] = low;
    this.#ends[this.count] = this.count === 0 ? 0 : this.#ends[this.count - 1];
    this.#slots[slot] = ++this.count;
    if (this.count * 2 > this.#slots.length) this.#growSlots();
    return this.count - 1;
  }

  /** Gives the newest key a text to be found by later: ASCII, as names and terms are. */
  label(text: string): void {
    let at = this.#ends[this.count - 1];
    const end = at + text.length;
    this.#texts = withRoom(this.#texts, end);
    for (let i = 0; i < text.length; i++) this.#texts[at++] = text.charCodeAt(i);
    this.#ends[this.count - 1] = end;
  }

  /** The text that a key was given. */
  labelOf(key: number): string {
    return decoder.decode(this.#texts.subarray(this.#startOf(key), this.#ends[key]));
  }

  /** A record has a key; the records of a key come in rising order. Saying it twice is once. */
  post(key: number, posting: number): void {
    if (this.#lasts[key] === posting) return;
    this.#lasts[key] = posting;
    if (this.#used === this.#keyOf.length) {
      this.#keyOf = withRoom(this.#keyOf, this.#used + 1);
      this.#postings = withRoom(this.#postings, this.#used + 1);
    }
    this.#keyOf[this.#used] = key;
    this.#postings[this.#used++] = posting;
  }

  /** The keys that records have, in order of their hash. */
  toRun(): PostingRun {
    const starts = new Uint32Array(this.count + 1);
    for (let i = 0; i < this.#used; i++) starts[this.#keyOf[i] + 1]++;
    const order = this.#sortKeys(starts);
    const keys = new Uint32Array(order.length * entryWords);
    const ends = new Uint32Array(order.length);
    const next = new Uint32Array(this.count);
    let [first, bytes] = [0, 0];
    for (let i = 0; i < order.length; i++) {
      const key = order[i];
      keys[i * entryWords] = this.#high[key];
      keys[i * entryWords + 1] = this.#low[key];
      keys[i * entryWords + 2] = first;
      keys[i * entryWords + 3] = starts[key + 1];
      next[key] = first;
      first += starts[key + 1];
      bytes += this.#ends[key] - this.#startOf(key);
      ends[i] = bytes;
    }
    const postings = new Uint32Array(first);
    for (let i = 0; i < this.#used; i++) postings[next[this.#keyOf[i]]++] = this.#postings[i];
    const texts = new Uint8Array(bytes);
    let at = 0;
    for (const key of order) {
      for (let i = this.#startOf(key); i < this.#ends[key]; i++) texts[at++] = this.#texts[i];
    }
    return { keys, postings, texts: { bytes: texts, ends } };
  }

  /** The keys with records by hash: by 11 bits of its upper half at a time, then the few that tie. */
  #sortKeys(starts: Uint32Array): Uint32Array {
    let order = new Uint32Array(this.count);
    let size = 0;
    for (let key = 0; key < this.count; key++) if (starts[key + 1] > 0) order[size++] = key;
    order = order.slice(0, size);
    for (const shift of [0, 11, 22]) {
      const places = new Uint32Array(2049);
      for (const key of order) places[(this.#high[key] >>> shift & 2047) + 1]++;
      for (let i = 1; i < places.length; i++) places[i] += places[i - 1];
      const sorted = new Uint32Array(size);
      for (const key of order) sorted[places[this.#high[key] >>> shift & 2047]++] = key;
      order = sorted;
    }
    for (let i = 1; i < size; i++) {
      for (let j = i; j > 0 && this.#isBefore(order[j], order[j - 1]); j--) {
        [order[j], order[j - 1]] = [order[j - 1], order[j]];
      }
    }
    return order;
  }

  #isBefore(a: number, b: number): boolean {
    return this.#high[a] === this.#high[b] && this.#low[a] < this.#low[b];
  }

  #startOf(key: number): number {
    return key === 0 ? 0 : this.#ends[key - 1];
  }

  #growKeys(): void {
    const count = this.count + 1;
    this.#high = withRoom(this.#high, count);
    this.#low = withRoom(this.#low, count);
    this.#ends = withRoom(this.#ends, count);
    this.#lasts = withRoom(this.#lasts, count).fill(none, this.count);
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let key = 0; key < this.count; key++) {
      let slot = this.#low[key] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = key + 1;
    }
    this.#slots = slots;
  }
}
