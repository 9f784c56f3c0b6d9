// The vectors of one sealed segment, open for scanning. Blocks of pages are read straight into the
// kernel's memory, checked there, and multiplied.

import { IndexDamage, pageBytes, type PagedSource } from "../../disk/byte_source.ts";
import { cosine, decodeShape, type Quantized, vectorOffsets } from "./vector_format.ts";
import type { VectorShape } from "./vector_format.ts";
import { blockBytes, blockCosines, blockNorms, blockPages, countSound } from "./vector_kernel.ts";

/** Vectors by row number. */
export class VectorColumn implements Disposable {
  readonly shape: VectorShape;
  readonly #source: PagedSource;
  #norms?: Float32Array;
  /** Checked once: the file never changes, and a server compares many queries. */
  #isChecked = false;

  constructor(source: PagedSource, rows: number) {
    this.#source = source;
    this.shape = decodeShape(source.read(0, 16));
    if (this.shape.rows !== rows) throw new IndexDamage("a vector file has other rows");
  }

  /** Writes the cosine of every row with a query into `out`, from `base` on. */
  compare(query: Quantized, out: Float32Array, base: number): void {
    const { rows, stride } = this.shape;
    if (query.values.length !== stride) throw new IndexDamage("a vector file has other dimensions");
    if (pageBytes % stride !== 0) return this.#compareSlowly(query, out, base);
    const norms = this.#readNorms();
    const perPage = pageBytes / stride;
    const pages = Math.ceil(rows / perPage);
    const check = !this.#isChecked;
    for (let page = 0; page < pages; page += blockPages) {
      const count = Math.min(blockPages, pages - page);
      this.#load({ first: 1 + page, count, check });
      const first = page * perPage;
      const here = Math.min(count * perPage, rows - first);
      blockNorms(here).set(norms.subarray(first, first + here));
      out.set(blockCosines(query, here), base + first);
    }
    this.#isChecked = true;
  }

  row(number: number): Quantized {
    const { stride } = this.shape;
    const { rows } = vectorOffsets(this.shape);
    const bytes = this.#source.read(rows + number * stride, stride);
    return { values: new Int8Array(bytes.buffer), norm: this.#readNorms()[number] };
  }

  /** All vectors in blocks of about a megabyte, for merging. */
  *blocks(): Generator<Int8Array> {
    const { rows, stride } = this.shape;
    const start = vectorOffsets(this.shape).rows;
    const size = Math.max(1, Math.floor(blockPages * pageBytes / stride));
    for (let first = 0; first < rows; first += size) {
      const count = Math.min(size, rows - first);
      const bytes = this.#source.read(start + first * stride, count * stride);
      yield new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    }
  }

  get norms(): Float32Array {
    return this.#readNorms();
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  /** Reads pages into the kernel and checks them there. */
  #load(block: { first: number; count: number; check: boolean }): void {
    const { first, count } = block;
    this.#source.readPages(first, blockBytes(count * pageBytes));
    if (!block.check) return;
    const sound = countSound(this.#source.sums(first, count));
    if (sound < count) this.#source.rejectPage(first + sound);
  }

  /** For dimensions that do not divide a page. */
  #compareSlowly(query: Quantized, out: Float32Array, base: number): void {
    for (let number = 0; number < this.shape.rows; number++) {
      const row = this.row(number);
      out[base + number] = cosine(dotOf(query, row), query.norm, row.norm);
    }
  }

  #readNorms(): Float32Array {
    if (this.#norms === undefined) {
      const { norms } = vectorOffsets(this.shape);
      // Its own bytes from the first on, so that they need not be copied.
      this.#norms = new Float32Array(this.#source.read(norms, this.shape.rows * 4).buffer);
    }
    return this.#norms;
  }
}

/** The dot product of two quantized vectors. */
export function dotOf(a: Quantized, b: Quantized): number {
  let sum = 0;
  for (let i = 0; i < a.values.length; i++) sum += a.values[i] * b.values[i];
  return sum;
}
