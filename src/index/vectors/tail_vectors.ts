// The vectors of rows that are not sealed yet, in memory. They answer as a sealed segment's would, so
// that nothing depends on which rows are sealed.

import { dotOf } from "./vector_column.ts";
import { cosine, quantize, type Quantized } from "./vector_format.ts";

/** Vectors by row number. */
export class TailVectors {
  readonly #rows: Quantized[];

  constructor(vectors: readonly Float32Array[]) {
    this.#rows = vectors.map(quantize);
  }

  /** Writes the cosine of every row with a query into `out`, from `base` on. */
  compare(query: Quantized, out: Float32Array, base: number): void {
    this.#rows.forEach((own, row) => {
      out[base + row] = cosine(dotOf(query, own), query.norm, own.norm);
    });
  }
}
