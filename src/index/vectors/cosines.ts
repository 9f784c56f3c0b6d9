// The cosine of every row of a corpus with a query: exact, or estimates that become exact when they
// are asked for. Reading a sketch of each row and some rows is faster than reading all of them.

/** Cosines by global number. */
export class Cosines {
  /** As known now; those that were not settled may be estimates. */
  readonly values: Float32Array;
  /** How far a cosine may reasonably be above its estimate; 0 where all are exact. */
  readonly margin: number;
  readonly #compareRows?: (rows: readonly number[]) => Float32Array;
  readonly #settled = new Set<number>();

  /** `estimates` say how far they may be off, and how to compare some rows, in ascending order. */
  constructor(
    values: Float32Array,
    estimates?: { margin: number; compareRows: (rows: readonly number[]) => Float32Array },
  ) {
    this.values = values;
    this.margin = estimates?.margin ?? 0;
    this.#compareRows = estimates?.compareRows;
  }

  /** The exact cosine of a row. */
  at(global: number): number {
    if (!this.isSettled(global)) this.settle([global]);
    return this.values[global];
  }

  /** The most that a row's cosine may reasonably be. */
  most(global: number): number {
    return this.isSettled(global) ? this.values[global] : this.values[global] + this.margin;
  }

  isSettled(global: number): boolean {
    return this.#compareRows === undefined || this.#settled.has(global);
  }

  /** Makes the cosines of some rows exact. */
  settle(rows: Iterable<number>): void {
    if (this.#compareRows === undefined) return;
    const open = [...rows].filter((row) => !this.#settled.has(row)).sort((a, b) => a - b);
    const found = this.#compareRows(open);
    open.forEach((row, i) => {
      this.values[row] = found[i];
      this.#settled.add(row);
    });
  }
}
