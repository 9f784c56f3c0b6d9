// A lossy cache of values by number: numbers share slots, and the last one wins. For what is looked up
// millions of times and can be worked out again.

const mostNumbers = 1 << 17;

/** Values of at least -1 by numbers of at least 0. */
export class NumberCache {
  #pairs = new Int32Array(1 << 11).fill(-1);
  #kept = 0;

  /** The value kept for a number, or -2. */
  find(number: number): number {
    const at = (number * 2) & (this.#pairs.length - 1);
    return this.#pairs[at] === number ? this.#pairs[at + 1] : -2;
  }

  keep(number: number, value: number): void {
    if (++this.#kept * 2 > this.#pairs.length && this.#pairs.length < mostNumbers * 2) {
      this.#pairs = new Int32Array(this.#pairs.length * 4).fill(-1);
      this.#kept = 1;
    }
    const at = (number * 2) & (this.#pairs.length - 1);
    this.#pairs[at] = number;
    this.#pairs[at + 1] = value;
  }

  clear(): void {
    this.#pairs.fill(-1);
    this.#kept = 0;
  }
}
