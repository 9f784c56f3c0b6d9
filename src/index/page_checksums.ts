// Checksums of many pages at once: with the SIMD kernel, which is fast from its first call on, where
// plain code would still be interpreted in a command that runs for a few milliseconds.

import { foldLanes } from "./checksum.ts";
import { type Kernel, makeKernel } from "./kernel.ts";

const blockPages = 64;
const lanesAt = 0;
const blockAt = 4096;
let shared: Kernel | undefined;

/** The checksum of each page of some bytes. */
export function pageChecksums(bytes: Uint8Array, pageBytes: number): number[] {
  const kernel = shared ??= makeKernel(blockAt + blockPages * pageBytes);
  const memory = new Uint8Array(kernel.memory.buffer);
  const sums: number[] = [];
  for (let from = 0; from < bytes.length; from += blockPages * pageBytes) {
    const part = bytes.subarray(from, from + blockPages * pageBytes);
    const count = part.length / pageBytes;
    memory.set(part, blockAt);
    kernel.lanes(blockAt, pageBytes, count, lanesAt);
    const lanes = new Int32Array(kernel.memory.buffer, lanesAt, count * 4);
    for (let i = 0; i < count * 4; i += 4) {
      sums.push(foldLanes(lanes[i], lanes[i + 1], lanes[i + 2], lanes[i + 3], pageBytes));
    }
  }
  return sums;
}
