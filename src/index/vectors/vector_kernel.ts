// The memory in which vectors are compared: pages are read straight into it, checked there, and
// multiplied. One for the process; nothing in it outlives a call.

import { pageBytes } from "../../disk/byte_source.ts";
import { type Kernel, makeKernel } from "../../disk/kernel.ts";
import { groupBytes, groupRows, type SketchQuery } from "./sketch.ts";
import { makeSketchKernel, type SketchKernel } from "./sketch_kernel.ts";
import type { Quantized } from "./vector_format.ts";

/** Pages that are read at once. */
export const blockPages = 256;
const queryAt = 0;
/** Queries with more dimensions have no room for their tables. */
export const mostSketched = 16_384;
const sumsAt = 65_536;
const blockRows = blockPages * pageBytes / 16;
const dotsAt = sumsAt + blockPages * 4;
const normsAt = dotsAt + blockRows * 4 + 16;
const cosinesAt = normsAt + blockRows * 4;
const blockAt = cosinesAt + blockRows * 4;

let shared: Kernel | undefined;
let sketches: SketchKernel | undefined;

function useKernel(): Kernel {
  return shared ??= makeKernel(blockAt + (blockPages + 4) * pageBytes);
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

/** The cosines of the rows in the block, whose lengths are in their place; until the next call. */
export function blockCosines(query: Quantized, rows: number): Float32Array {
  const { memory, dot, cosines } = useKernel();
  const stride = query.values.length;
  new Int16Array(memory.buffer, queryAt, stride).set(query.values);
  dot(queryAt, blockAt, stride, rows, dotsAt);
  cosines(dotsAt, normsAt, rows, query.norm, cosinesAt);
  return new Float32Array(memory.buffer, cosinesAt, rows);
}

/** Puts rows that are somewhere in the block, in ascending order, at its beginning. */
export function gatherRows(from: Uint32Array, stride: number): void {
  new Uint32Array(useKernel().memory.buffer, sumsAt, from.length).set(from);
  useSketches().gather(blockAt, sumsAt, stride, from.length);
}

/** Works out the lengths of the rows in the block. */
export function measureBlock(stride: number, rows: number): void {
  useSketches().lengths(blockAt, stride, rows, normsAt);
}

/** How many groups of sketches are looked at together. */
export function groupsAtOnce(stride: number): number {
  const bytes = (blockPages - 1) * pageBytes;
  return Math.min(Math.floor(bytes / groupBytes(stride)), blockRows / groupRows);
}

/** The estimates of groups of rows whose sketches are in the block, from a byte on. */
export function blockEstimates(
  query: SketchQuery,
  block: { from: number; groups: number },
): Float32Array {
  const { memory } = useKernel();
  const { tables, step, offset } = query;
  new Uint8Array(memory.buffer, queryAt, tables.length).set(tables);
  const columns = tables.length / 32;
  useSketches()
    .estimate(blockAt + block.from, columns, block.groups, queryAt, step, offset, cosinesAt);
  return new Float32Array(memory.buffer, cosinesAt, block.groups * groupRows);
}

function useSketches(): SketchKernel {
  return sketches ??= makeSketchKernel(useKernel().memory);
}
