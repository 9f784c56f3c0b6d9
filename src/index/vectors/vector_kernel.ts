// The memory in which vectors are compared: pages are read straight into it, checked there, and
// multiplied. One for the process; nothing in it outlives a call.

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

let shared: Kernel | undefined;

function useKernel(): Kernel {
  return shared ??= makeKernel(blockAt + blockPages * pageBytes + 3 * mostDimensions);
}

/** The place for up to `blockPages` pages. */
export function blockBytes(length: number): Uint8Array {
  return new Uint8Array(useKernel().memory.buffer, blockAt, length);
}

/** The place for the lengths of some rows. */
export function blockNorms(rows: number): Float32Array {
  return new Float32Array(useKernel().memory.buffer, normsAt, rows);
}

/** How many pages of the block have their checksums, up to the first that has not. */
export function countSound(sums: Uint32Array): number {
  const { memory, check } = useKernel();
  new Uint32Array(memory.buffer, sumsAt, sums.length).set(sums);
  return check(blockAt, pageBytes, sums.length, sumsAt);
}

/** The cosines of rows from a byte of the block on, whose lengths are in their place; until the next call. */
export function blockCosines(
  query: Quantized,
  { from, rows }: { from: number; rows: number },
): Float32Array {
  const { memory, dot, cosines } = useKernel();
  const stride = query.values.length;
  new Int16Array(memory.buffer, queryAt, stride).set(query.values);
  // Four rows are multiplied together: behind the last there is room for three more.
  dot(queryAt, blockAt + from, stride, rows, dotsAt);
  cosines(dotsAt, normsAt, rows, query.norm, cosinesAt);
  return new Float32Array(memory.buffer, cosinesAt, rows);
}
