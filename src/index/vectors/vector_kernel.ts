// The memory in which vectors are compared: pages are read straight into it, checked there, and
// multiplied. One serves all files, block by block; a file that is compared again and again may have its own.

import { pageBytes } from "../../disk/byte_source.ts";
import { type Kernel, makeKernel } from "../../disk/kernel.ts";
import type { Quantized } from "./vector_format.ts";

/** Pages that are read at once. */
export const blockPages = 256;
const queryAt = 0;
/** What there is room for. */
export const mostDimensions = 32_768;
const sumsAt = mostDimensions * 2;
const blockRows = blockPages * pageBytes / 16;
const dotsAt = sumsAt + blockPages * 4;
const normsAt = dotsAt + blockRows * 4 + 16;
const cosinesAt = normsAt + blockRows * 4;
const blockAt = cosinesAt + blockRows * 4;

/** Both give the same sums; each is faster on its own kind of processor. */
const multipliesBytes = Deno.build.arch === "aarch64";

let shared: VectorKernel | undefined;

/** Room for a block of pages, which nothing in it outlives. */
export function useKernel(): VectorKernel {
  return shared ??= new VectorKernel(blockPages);
}

/** A memory with room for some pages. */
export class VectorKernel {
  readonly #kernel: Kernel;

  constructor(pages: number) {
    this.#kernel = makeKernel(blockAt + pages * pageBytes + 3 * mostDimensions);
  }

  /** The place for pages. */
  pages(length: number): Uint8Array {
    return new Uint8Array(this.#kernel.memory.buffer, blockAt, length);
  }

  /** The place for the lengths of some rows. */
  norms(rows: number): Float32Array {
    return new Float32Array(this.#kernel.memory.buffer, normsAt, rows);
  }

  /** How many of the first pages have their checksums, up to the first that has not. */
  countSound(sums: Uint32Array): number {
    const { memory, check } = this.#kernel;
    new Uint32Array(memory.buffer, sumsAt, sums.length).set(sums);
    return check(blockAt, pageBytes, sums.length, sumsAt);
  }

  /** The cosines of rows from a byte of the pages on, whose lengths are in their place; until the next call. */
  cosines(query: Quantized, { from, rows }: { from: number; rows: number }): Float32Array {
    const { memory, dot, dot_bytes, cosines } = this.#kernel;
    const stride = query.values.length;
    const values = multipliesBytes
      ? new Int8Array(memory.buffer, queryAt, stride)
      : new Int16Array(memory.buffer, queryAt, stride);
    values.set(query.values);
    const multiply = multipliesBytes ? dot_bytes : dot;
    // Four rows are multiplied together: behind the last there is room for three more.
    multiply(queryAt, blockAt + from, stride, rows, dotsAt);
    cosines(dotsAt, normsAt, rows, query.norm, cosinesAt);
    return new Float32Array(memory.buffer, cosinesAt, rows);
  }
}
