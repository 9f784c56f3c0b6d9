// The bytes at both ends of a range of a log, as one number. A log only grows, so other edges mean
// that it was rewritten since, even when it has grown past the range again.

import { checksum } from "../core/checksum.ts";
import type { Pool } from "../core/entry.ts";

const edgeBytes = 512;

/** A part of a log, by its bytes. */
export interface LogRange {
  pool: Pool;
  from: number;
  to: number;
}

/** The checksum of the log's bytes at both ends of a range. */
export function edgesOf(
  log: { readBytes(pool: Pool, offset: number, length: number): Uint8Array },
  { pool, from, to }: LogRange,
): number {
  if (to <= from) return 0;
  const length = Math.min(edgeBytes, to - from);
  const first = checksum(log.readBytes(pool, from, length));
  const last = checksum(log.readBytes(pool, to - length, length));
  return (first ^ Math.imul(last, 0x9e3779b1)) >>> 0;
}
