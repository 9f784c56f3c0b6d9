// The cosine of every row of a corpus with a query: exact, or estimates that become exact when they
// are asked for. Reading a sketch of each row and some rows is faster than reading all of them.

/** Cosines by global number. */
export class Cosines {
  /** As known now; those that were not settled may be estimates. */
  readonly values: Float32Array;
  /** How far a cosine may reasonably be above its estimate; 0 where all are exact. */
  readonly margin: number;
  readonly #compareRows?: (rows: Uint32Array) => Float32Array;
  readonly #settled = new Set<number>();

  /** `estimates` say how far they may be off, and how to compare some rows, in ascending order. */
  constructor(
    values: Float32Array,
    estimates?: { margin: number; compareRows: (rows: Uint32Array) => Float32Array },
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

  /** The rows whose cosines were made exact. */
  get settled(): ReadonlySet<number> {
    return this.#settled;
  }

  /** Makes the cosines of some rows exact; returns those that were estimates, in order. */
  settle(rows: Iterable<number>): Uint32Array {
    const open = new Set<number>();
    if (this.#compareRows !== undefined) {
      for (const row of rows) if (!this.#settled.has(row)) open.add(row);
    }
    const sorted = Uint32Array.from(open).sort();
    if (this.#compareRows === undefined || sorted.length === 0) return sorted;
    const found = this.#compareRows(sorted);
    for (let i = 0; i < sorted.length; i++) {
      this.values[sorted[i]] = found[i];
      this.#settled.add(sorted[i]);
    }
    return sorted;
  }
}
