// Making and merging blocks of quantized vectors.

import type { MetRuns } from "../text/tokenize.ts";
import type { Embedder } from "./embedder.ts";
import { withRoom } from "../../disk/byte_writer.ts";
import type { VectorColumn } from "./vector_column.ts";
import { encodeVectors, quantizeInto, strideOf, type VectorBlock } from "./vector_format.ts";

const batchTexts = 256;

/** Embeds texts as they come, in batches where that is faster. An empty text gives zeros without asking. */
export class VectorCollector {
  readonly #embedder: Embedder;
  readonly #stride: number;
  #values = new Int8Array(1 << 12);
  #norms = new Float32Array(1 << 4);
  #rows = 0;
  readonly #vector: Float32Array;
  #waiting: { text: string; row: number }[] = [];

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#stride = strideOf(embedder.dimensions);
    this.#vector = new Float32Array(embedder.dimensions);
  }

  /** Takes the text of the next row; a batch may be due then. */
  add(text: string): void {
    const row = this.#addRow();
    if (text === "") return;
    if (this.#embedder.embedInto === undefined) this.#waiting.push({ text, row });
    else {
      this.#embedder.embedInto(text, this.#vector);
      this.#keep(row, this.#vector);
    }
  }

  /** The same of a row whose words were just read; false, and nothing is taken, where it needs its text. */
  addMet(runs: MetRuns): boolean {
    if (!this.#embedder.embedMet?.(runs, this.#vector)) return false;
    this.#keep(this.#addRow(), this.#vector);
    return true;
  }

  #addRow(): number {
    const row = this.#rows++;
    const end = this.#rows * this.#stride;
    this.#values = withRoom(this.#values, end).fill(0, row * this.#stride, end);
    this.#norms = withRoom(this.#norms, this.#rows).fill(0, row, this.#rows);
    return row;
  }

  get isDue(): boolean {
    return this.#waiting.length >= batchTexts;
  }

  async embed(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    const vectors = await this.#embedder.embed(waiting.map(({ text }) => text));
    waiting.forEach(({ row }, i) => this.#keep(row, vectors[i]));
  }

  #keep(row: number, vector: Float32Array): void {
    this.#norms[row] = quantizeInto(vector, this.#values, row * this.#stride);
  }

  /** The vectors of all rows so far; then it starts anew. */
  async finish(): Promise<VectorBlock> {
    await this.embed();
    const block = {
      dimensions: this.#embedder.dimensions,
      values: this.#values.subarray(0, this.#rows * this.#stride),
      norms: this.#norms.subarray(0, this.#rows),
    };
    this.#rows = 0;
    this.#values = new Int8Array(1 << 12);
    this.#norms = new Float32Array(1 << 4);
    return block;
  }
}

/** Vectors to merge, and where each went (-1: left out). */
export interface VectorInput {
  vectors: VectorBlock | VectorColumn;
  rows: Int32Array;
}

/** The file of merged vectors, in parts: a few megabytes are in memory at once. */
export function encodeMerged(inputs: readonly VectorInput[]): Iterable<Uint8Array> {
  const norms = new Float32Array(inputs.reduce((sum, { rows }) => sum + countKept(rows), 0));
  for (const { vectors, rows } of inputs) {
    const own = vectors.norms;
    for (let row = 0; row < rows.length; row++) if (rows[row] >= 0) norms[rows[row]] = own[row];
  }
  const { dimensions } = shapeOf(inputs[0].vectors);
  return encodeVectors({ dimensions, norms, values: keptValues(inputs, strideOf(dimensions)) });
}

function* keptValues(inputs: readonly VectorInput[], stride: number): Generator<Int8Array> {
  for (const { vectors, rows } of inputs) {
    let first = 0;
    for (const values of blocksOf(vectors)) {
      const map = rows.subarray(first, first + values.length / stride);
      for (const [from, to] of keptRanges(map)) yield values.subarray(from * stride, to * stride);
      first += map.length;
    }
  }
}

function shapeOf(vectors: VectorInput["vectors"]): { dimensions: number } {
  return "shape" in vectors ? vectors.shape : vectors;
}

function blocksOf(vectors: VectorInput["vectors"]): Iterable<Int8Array> {
  return "shape" in vectors ? vectors.blocks() : [vectors.values];
}

/** From and to of the rows that stay, where they follow each other. */
function* keptRanges(map: Int32Array): Generator<[number, number]> {
  let from = 0;
  for (let row = 0; row <= map.length; row++) {
    if (row < map.length && map[row] >= 0) continue;
    if (row > from) yield [from, row];
    from = row + 1;
  }
}

function countKept(rows: Int32Array): number {
  let count = 0;
  for (let row = 0; row < rows.length; row++) if (rows[row] >= 0) count++;
  return count;
}
