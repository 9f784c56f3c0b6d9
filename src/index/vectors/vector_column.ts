// The vectors of one sealed segment, open for scanning. Blocks of pages are read straight into the
// kernel's memory, checked there, and multiplied.

import { IndexDamage, pageBytes, type PagedSource } from "../../disk/byte_source.ts";
import { decodeShape, type Quantized, vectorOffsets, type VectorShape } from "./vector_format.ts";
import { blockPages, mostDimensions, useKernel, VectorKernel } from "./vector_kernel.ts";

/** So much of all files stays in memory where a process compares again and again, as a server does. */
const mostKeptBytes = 32 << 20;
let keptBytes = 0;

/** Vectors by row number. */
export class VectorColumn implements Disposable {
  readonly shape: VectorShape;
  readonly #source: PagedSource;
  #norms?: Float32Array;
  /** Checked once: the file never changes, and a server compares many queries. */
  #isChecked = false;
  /** The pages of the rows, from the second query on, where there is room for them. */
  #kept?: VectorKernel;

  constructor(source: PagedSource, rows: number) {
    this.#source = source;
    this.shape = decodeShape(source.read(0, 16));
    if (this.shape.rows !== rows) throw new IndexDamage("a vector file has other rows");
  }

  /** Writes the cosine of every row with a query into `out`, from `base` on. */
  compare(query: Quantized, out: Float32Array, base: number): void {
    const { rows, stride } = this.shape;
    if (query.values.length !== stride || stride > mostDimensions) {
      throw new IndexDamage("a vector file has other dimensions");
    }
    const norms = this.#readNorms();
    if (this.#isChecked) this.#keep();
    const kernel = this.#kept ?? useKernel();
    const start = vectorOffsets(this.shape).rows;
    // Rows that do not fill whole pages begin within one.
    const most = Math.floor((blockPages - 1) * pageBytes / stride);
    for (let row = 0; row < rows; row += most) {
      const count = Math.min(most, rows - row);
      const from = start + row * stride;
      const first = this.#kept ? 0 : Math.floor(from / pageBytes);
      if (!this.#kept) this.#load(first, Math.ceil((from + count * stride) / pageBytes) - first);
      kernel.norms(count).set(norms.subarray(row, row + count));
      const block = { from: from - first * pageBytes, rows: count };
      out.set(kernel.cosines(query, block), base + row);
    }
    this.#isChecked = true;
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
    if (this.#kept) keptBytes -= this.#bytes;
    this.#kept = undefined;
    this.#source[Symbol.dispose]();
  }

  get #bytes(): number {
    return vectorOffsets(this.shape).norms;
  }

  /** Keeps the pages that were checked, up to the lengths, if there is room for them. */
  #keep(): void {
    if (this.#kept || keptBytes + this.#bytes > mostKeptBytes) return;
    const pages = Math.ceil(this.#bytes / pageBytes);
    const kept = new VectorKernel(pages);
    this.#source.readPages(0, kept.pages(pages * pageBytes));
    keptBytes += this.#bytes;
    this.#kept = kept;
  }

  /** Reads pages into the kernel and checks them there. */
  #load(first: number, count: number): void {
    const kernel = useKernel();
    this.#source.readPages(first, kernel.pages(count * pageBytes));
    if (this.#isChecked) return;
    const sound = kernel.countSound(this.#source.sums(first, count));
    if (sound < count) this.#source.rejectPage(first + sound);
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

export function dotOf(a: Quantized, b: Quantized): number {
  let sum = 0;
  for (let i = 0; i < a.values.length; i++) sum += a.values[i] * b.values[i];
  return sum;
}
