// Checksums of many pages at once: with the SIMD kernel, which is fast from its first call on, where
// plain code would still be interpreted in a command that runs for a few milliseconds.

import { checksum, foldLanes, foldRest } from "../core/checksum.ts";
import { type Kernel, makeKernel } from "./kernel.ts";

const lanesAt = 0;
/** Pages that are checked at once. */
export const maxPages = 64;
const blockAt = maxPages * 16;
const blockBytes = maxPages * 4096;
let shared: Kernel | undefined;

export function pageChecksums(bytes: Uint8Array, pageBytes: number): number[] {
  const sums: number[] = [];
  const perBlock = maxPages * pageBytes;
  for (let from = 0; from < bytes.length; from += perBlock) {
    const part = bytes.subarray(from, from + perBlock);
    const lanes = lanesOf(part, pageBytes);
    for (let i = 0; i < lanes.length; i += 4) {
      sums.push(foldLanes(lanes[i], lanes[i + 1], lanes[i + 2], lanes[i + 3], pageBytes));
    }
  }
  return sums;
}

/** Some pages in the kernel's memory, until the next call of anything here. */
export interface CheckedBlock {
  bytes: Uint8Array;
  /** How many are what the table says, up to the first that is not. */
  sound: number;
}

/** Lets up to `maxPages` pages be read straight into the kernel's memory, and checks them there. */
export function checkBlock(
  pageBytes: number,
  table: Uint32Array,
  fill: (target: Uint8Array) => void,
): CheckedBlock {
  const { memory, check } = useKernel();
  const bytes = new Uint8Array(memory.buffer, blockAt, table.length * pageBytes);
  fill(bytes);
  new Uint32Array(memory.buffer, lanesAt, table.length).set(table);
  return { bytes, sound: check(blockAt, pageBytes, table.length, lanesAt) };
}

/** `checksum` of bytes that are no pages. */
export function wholeChecksum(bytes: Uint8Array): number {
  const whole = bytes.length & ~15;
  if (whole === 0 || whole > blockBytes) return checksum(bytes);
  const [a, b, c, d] = lanesOf(bytes.subarray(0, whole), whole);
  return foldLanes(foldRest(a, bytes, whole), b, c, d, bytes.length);
}

/** Four lanes for each page of one block. */
function lanesOf(bytes: Uint8Array, pageBytes: number): Int32Array {
  const kernel = load(bytes);
  const count = bytes.length / pageBytes;
  kernel.lanes(blockAt, pageBytes, count, lanesAt);
  return new Int32Array(kernel.memory.buffer, lanesAt, count * 4);
}

function useKernel(): Kernel {
  return shared ??= makeKernel(blockAt + blockBytes);
}

function load(bytes: Uint8Array): Kernel {
  const kernel = useKernel();
  new Uint8Array(kernel.memory.buffer).set(bytes, blockAt);
  return kernel;
}
