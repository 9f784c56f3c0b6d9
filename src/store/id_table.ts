// A set of ids for stores of any size: 64-bit hashes and one number each in typed arrays, 16 bytes
// a slot, where a Set of a million strings takes a hundred megabytes. A hit may be another id with
// the same hash: the number says where to look, and the caller compares.

import { hash64 } from "../core/hash.ts";

const firstSlots = 1 << 10;
const fullShare = 0.6;

/** Ids with a number each, such as a byte offset. */
export class IdTable {
  #hashes = new Uint32Array(firstSlots * 2);
  #values = new Float64Array(firstSlots);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  /** The number of an id that may be there, or undefined when the id is certainly not there. */
  find(id: string): number | undefined {
    const [high, low] = keyOf(id);
    const slot = this.#slotOf(high, low);
    return this.#isFree(slot) ? undefined : this.#values[slot];
  }

  /** Puts an id in; returns the number it had before, if any, and leaves that in place. */
  add(id: string, value: number): number | undefined {
    const [high, low] = keyOf(id);
    const slot = this.#slotOf(high, low);
    if (!this.#isFree(slot)) return this.#values[slot];
    this.#hashes[slot * 2] = high;
    this.#hashes[slot * 2 + 1] = low;
    this.#values[slot] = value;
    if (++this.#count > this.#values.length * fullShare) this.#grow();
    return undefined;
  }

  #isFree(slot: number): boolean {
    return this.#hashes[slot * 2] === 0 && this.#hashes[slot * 2 + 1] === 0;
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#values.length - 1;
    let slot = low & mask;
    while (
      !this.#isFree(slot) &&
      (this.#hashes[slot * 2] !== high || this.#hashes[slot * 2 + 1] !== low)
    ) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const values = this.#values;
    this.#hashes = new Uint32Array(hashes.length * 2);
    this.#values = new Float64Array(values.length * 2);
    for (let i = 0; i < values.length; i++) {
      const high = hashes[i * 2];
      const low = hashes[i * 2 + 1];
      if (high === 0 && low === 0) continue;
      const slot = this.#slotOf(high, low);
      this.#hashes[slot * 2] = high;
      this.#hashes[slot * 2 + 1] = low;
      this.#values[slot] = values[i];
    }
  }
}

/** The hash of an id; never zero, because zero marks a free slot. */
function keyOf(id: string): [number, number] {
  const [high, low] = hash64(id);
  return high === 0 && low === 0 ? [0, 1] : [high, low];
}
