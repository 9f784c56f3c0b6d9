// The best rows so far, in the product's order: score desc, time desc, id asc; of one id as in the log.

import type { RankedRow } from "./rank.ts";

/** Keeps the best `limit` rows of any number. */
export class TopRows {
  readonly #limit: number;
  readonly #idOf: (global: number) => string;
  readonly #rows: RankedRow[] = [];

  /** Ids are read only when score and time are equal. */
  constructor(limit: number, idOf: (global: number) => string) {
    this.#limit = limit;
    this.#idOf = idOf;
  }

  /** Whether a row with this score could still be among the best. */
  accepts(final: number): boolean {
    const rows = this.#rows;
    return this.#limit > 0 &&
      (rows.length < this.#limit || final >= rows[rows.length - 1].final);
  }

  /** The least score that is still among the best; below every score while there is room. */
  least(): number {
    const rows = this.#rows;
    return rows.length < this.#limit ? -Infinity : rows[rows.length - 1]?.final ?? Infinity;
  }

  /** Adds a row at its place; the worst one falls off and is returned. */
  add(row: RankedRow): RankedRow | undefined {
    const rows = this.#rows;
    if (this.#limit === Infinity) {
      rows.push(row);
      return undefined;
    }
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(rows[middle], row)) low = middle + 1;
      else high = middle;
    }
    rows.splice(low, 0, row);
    return rows.length > this.#limit ? rows.pop() : undefined;
  }

  /** The rows, best first. */
  rows(): RankedRow[] {
    const rows = [...this.#rows];
    return this.#limit === Infinity ? rows.sort((a, b) => this.#isBefore(a, b) ? -1 : 1) : rows;
  }

  /** Whether a row comes before another one. */
  #isBefore(a: RankedRow, b: RankedRow): boolean {
    if (a.final !== b.final) return a.final > b.final;
    if (a.timeMs !== b.timeMs) return a.timeMs > b.timeMs;
    const [first, second] = [this.#idOf(a.global), this.#idOf(b.global)];
    return first === second ? a.global < b.global : first < second;
  }
}
