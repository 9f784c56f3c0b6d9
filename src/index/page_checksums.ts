// Checksums of many pages at once: with the SIMD kernel, which is fast from its first call on, where
// plain code would still be interpreted in a command that runs for a few milliseconds.

import { checksum, foldLanes, foldRest } from "./checksum.ts";
import { type Kernel, makeKernel } from "./kernel.ts";

const lanesAt = 0;
const maxPages = 64;
const blockAt = maxPages * 16;
const blockBytes = maxPages * 4096;
let shared: Kernel | undefined;

/** The checksum of each page of some bytes. */
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

/** The number of the first page whose checksum is not the one in the table, or undefined. */
export function findBadPage(
  bytes: Uint8Array,
  pageBytes: number,
  table: Uint32Array,
): number | undefined {
  const perBlock = maxPages * pageBytes;
  for (let from = 0, page = 0; from < bytes.length; from += perBlock, page += maxPages) {
    const part = bytes.subarray(from, from + perBlock);
    const kernel = load(part);
    const count = part.length / pageBytes;
    const expected = table.subarray(page, page + count);
    new Uint32Array(kernel.memory.buffer, lanesAt, count).set(expected);
    const sound = kernel.check(blockAt, pageBytes, count, lanesAt);
    if (sound < count) return page + sound;
  }
  return undefined;
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

function load(bytes: Uint8Array): Kernel {
  const kernel = shared ??= makeKernel(blockAt + blockBytes);
  new Uint8Array(kernel.memory.buffer).set(bytes, blockAt);
  return kernel;
}
