// The vectors of rows that are not sealed yet, in memory. They answer as a sealed segment's would, so
// that nothing depends on which rows are sealed.

import { groupBytes, groupRows, SketchBuilder, type SketchQuery } from "./sketch.ts";
import { dotOf } from "./vector_column.ts";
import { cosine, quantize, type Quantized, strideOf } from "./vector_format.ts";
import { blockBytes, blockEstimates, groupsAtOnce } from "./vector_kernel.ts";

/** Vectors by row number. */
export class TailVectors {
  readonly #rows: Quantized[];
  readonly #stride: number;
  /** Made when a search asks for estimates. */
  #sketches?: Uint8Array;

  constructor(vectors: readonly Float32Array[], dimensions: number) {
    this.#rows = vectors.map(quantize);
    this.#stride = strideOf(dimensions);
  }

  /** Writes the cosine of every row with a query into `out`, from `base` on. */
  compare(query: Quantized, out: Float32Array, base: number): void {
    this.#rows.forEach((own, row) => {
      out[base + row] = cosine(dotOf(query, own), query.norm, own.norm);
    });
  }

  /** The cosines of some rows, in their order. */
  compareRows(query: Quantized, rows: Uint32Array): Float32Array {
    return Float32Array.from(rows, (row) => {
      const own = this.#rows[row];
      return cosine(dotOf(query, own), query.norm, own.norm);
    });
  }

  /** Writes an estimate of the cosine of every row with a query into `out`, from `base` on. */
  estimate(query: SketchQuery, out: Float32Array, base: number): void {
    const size = groupBytes(this.#stride);
    const bytes = this.#sketches ??= this.#sketch();
    const most = groupsAtOnce(this.#stride);
    for (let from = 0; from < bytes.length; from += most * size) {
      const part = bytes.subarray(from, from + most * size);
      blockBytes(part.length).set(part);
      const found = blockEstimates(query, { from: 0, groups: part.length / size });
      const row = from / size * groupRows;
      out.set(found.subarray(0, this.#rows.length - row), base + row);
    }
  }

  #sketch(): Uint8Array {
    const builder = new SketchBuilder(this.#rows.length, this.#stride);
    for (const { values } of this.#rows) builder.add(values);
    return builder.bytes;
  }
}
