// Collects keys with the records that have them. Keys are known by their hash: millions of them take
// a few numbers each, and hold on to no text that they were found in.

import { hashInto } from "../../../core/hash.ts";
import { withRoom } from "../../../disk/byte_writer.ts";
import { radixOrder } from "../../../disk/radix_order.ts";

/** The words of a key: both halves of its hash, its first posting and how many there are. */
export const entryWords = 4;

const none = 0xffffffff;

/** Keys with the numbers of their records. */
export class KeyStore {
  #count = 0;
  #high = new Uint32Array(1024);
  #low = new Uint32Array(1024);
  /** The last record of each key, so that none is there twice. */
  #lasts = new Uint32Array(1024).fill(none);
  /** The number of a key plus one, at a place that its hash gives; zero where none is. */
  #slots = new Uint32Array(4096);
  #keyOf = new Uint32Array(4096);
  #records = new Uint32Array(4096);
  #used = 0;
  readonly #hash = new Uint32Array(2);

  /** A record has a key; the records of a key come in rising order. Saying it twice is once. */
  post(text: string, record: number): void {
    const key = this.#add(text);
    if (this.#lasts[key] === record) return;
    this.#lasts[key] = record;
    if (this.#used === this.#keyOf.length) {
      this.#keyOf = withRoom(this.#keyOf, this.#used + 1);
      this.#records = withRoom(this.#records, this.#used + 1);
    }
    this.#keyOf[this.#used] = key;
    this.#records[this.#used++] = record;
  }

  /** The keys in order of their hash, and their records. */
  toSorted(): { keys: Uint32Array; postings: Uint32Array } {
    const counts = new Uint32Array(this.#count);
    for (let i = 0; i < this.#used; i++) counts[this.#keyOf[i]]++;
    const keys = new Uint32Array(this.#count * entryWords);
    const next = new Uint32Array(this.#count);
    let [at, first] = [0, 0];
    for (const key of radixOrder(this.#high, this.#low, this.#count)) {
      keys.set([this.#high[key], this.#low[key], first, counts[key]], at);
      next[key] = first;
      first += counts[key];
      at += entryWords;
    }
    const postings = new Uint32Array(first);
    for (let i = 0; i < this.#used; i++) postings[next[this.#keyOf[i]]++] = this.#records[i];
    return { keys, postings };
  }

  #add(text: string): number {
    hashInto(text, this.#hash);
    const [high, low] = [this.#hash[0], this.#hash[1]];
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let key = this.#slots[slot]; key !== 0; key = this.#slots[slot]) {
      if (this.#high[key - 1] === high && this.#low[key - 1] === low) return key - 1;
      slot = (slot + 1) & mask;
    }
    if (this.#count === this.#high.length) this.#growKeys();
    this.#high[this.#count] = high;
    this.#low[this.#count] = low;
    this.#slots[slot] = ++this.#count;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return this.#count - 1;
  }

  #growKeys(): void {
    this.#high = withRoom(this.#high, this.#count + 1);
    this.#low = withRoom(this.#low, this.#count + 1);
    this.#lasts = withRoom(this.#lasts, this.#count + 1).fill(none, this.#count);
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let key = 0; key < this.#count; key++) {
      let slot = this.#low[key] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = key + 1;
    }
    this.#slots = slots;
  }
}
