// The vectors of one sealed segment, open for scanning. Blocks of pages are read straight into the
// kernel's memory, checked there, and multiplied. Of what is read, only sketches that are asked for
// again are kept.

import { IndexDamage, pageBytes, type PagedSource } from "../../disk/byte_source.ts";
import { KeptSketches, mayKeep } from "./kept_sketches.ts";
import { groupBytes, groupRows, type SketchQuery } from "./sketch.ts";
import { cosine, decodeShape, type Quantized, vectorOffsets } from "./vector_format.ts";
import type { VectorShape } from "./vector_format.ts";
import {
  blockBytes,
  blockCosines,
  blockEstimates,
  blockNorms,
  blockPages,
  countSound,
  gatherRows,
  groupsAtOnce,
  measureBlock,
} from "./vector_kernel.ts";

/** With one row of so many asked for, all are read: a row alone takes that much longer. */
const manyRows = 12;

/** Vectors by row number. */
export class VectorColumn implements Disposable {
  readonly shape: VectorShape;
  readonly #source: PagedSource;
  #norms?: Float32Array;
  /** Checked once: the file never changes, and a server compares many queries. */
  #checked = { rows: false, sketches: false };
  #kept?: KeptSketches;

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
    const check = !this.#checked.rows;
    for (let page = 0; page < pages; page += blockPages) {
      const count = Math.min(blockPages, pages - page);
      this.#load({ first: 1 + page, count, check });
      const first = page * perPage;
      const here = Math.min(count * perPage, rows - first);
      blockNorms(here).set(norms.subarray(first, first + here));
      out.set(blockCosines(query, here), base + first);
    }
    this.#checked.rows = true;
  }

  /** Writes an estimate of the cosine of every row with a query into `out`, from `base` on. */
  estimate(query: SketchQuery, out: Float32Array, base: number): void {
    const { rows, stride } = this.shape;
    if (this.#kept) return this.#kept.estimate(query, out.subarray(base, base + rows));
    const { sketches } = vectorOffsets(this.shape);
    const size = groupBytes(stride);
    const groups = Math.ceil(rows / groupRows);
    const most = groupsAtOnce(stride);
    // A command asks once; who asks again will go on to.
    const isKept = this.#checked.sketches && mayKeep(groups * size);
    using made = new DisposableStack();
    const kept = isKept ? made.use(new KeptSketches(groups * size)) : undefined;
    const check = isKept || !this.#checked.sketches;
    for (let group = 0; group < groups; group += most) {
      const count = Math.min(most, groups - group);
      const start = sketches + group * size;
      const first = Math.floor(start / pageBytes);
      const end = Math.ceil((start + count * size) / pageBytes);
      this.#load({ first, count: end - first, check });
      const from = start - first * pageBytes;
      kept?.bytes.set(blockBytes(from + count * size).subarray(from), group * size);
      const found = blockEstimates(query, { from, groups: count });
      const row = group * groupRows;
      out.set(found.subarray(0, rows - row), base + row);
    }
    this.#checked.sketches = true;
    this.#kept = kept;
    made.move();
  }

  /** The cosines of some rows, which are in ascending order. */
  compareRows(query: Quantized, rows: Uint32Array): Float32Array {
    const { stride, rows: all } = this.shape;
    if (pageBytes % stride !== 0) {
      return Float32Array.from(rows, (number) => {
        const row = this.row(number);
        return cosine(dotOf(query, row), query.norm, row.norm);
      });
    }
    if (rows.length * manyRows > all) {
      const cosines = new Float32Array(all);
      this.compare(query, cosines, 0);
      return Float32Array.from(rows, (row) => cosines[row]);
    }
    const found = new Float32Array(rows.length);
    for (let from = 0; from < rows.length; from += blockPages) {
      const here = rows.subarray(from, from + blockPages);
      this.#loadRows(here);
      measureBlock(stride, here.length);
      found.set(blockCosines(query, here.length), from);
    }
    return found;
  }

  /** Reads the pages of some rows, checks them, and leaves the rows alone in the block. */
  #loadRows(rows: Uint32Array): void {
    const { stride } = this.shape;
    const perPage = pageBytes / stride;
    const block = blockBytes(rows.length * pageBytes);
    const places = new Uint32Array(rows.length);
    const sums = new Uint32Array(rows.length);
    const pages: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      const page = 1 + Math.floor(rows[i] / perPage);
      if (page !== pages[pages.length - 1]) {
        const at = pages.length * pageBytes;
        this.#source.readPages(page, block.subarray(at, at + pageBytes));
        sums[pages.length] = this.#source.sumOf(page);
        pages.push(page);
      }
      places[i] = (pages.length - 1) * pageBytes + rows[i] % perPage * stride;
    }
    const sound = countSound(sums.subarray(0, pages.length));
    if (sound < pages.length) this.#source.rejectPage(pages[sound]);
    gatherRows(places, stride);
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
    this.#kept?.[Symbol.dispose]();
    this.#kept = undefined;
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
