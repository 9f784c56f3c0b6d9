// A checked file as one run of bytes, for tables that are small enough to be whole in memory.

import { pageBytes } from "./byte_source.ts";
import { pageChecksums, wholeChecksum } from "./page_checksums.ts";

/**
 * Joins parts, pads them to whole pages and adds the table of their checksums; `checksum` is the
 * table's. `room` is left at the end for the caller: such files are large, and copied once only.
 */
export function toPagedFile(
  parts: Uint8Array[],
  room = 0,
): { bytes: Uint8Array; checksum: number } {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const pages = Math.ceil(size / pageBytes);
  const bytes = new Uint8Array(pages * (pageBytes + 4) + room);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const end = pages * pageBytes;
  const sums = pageChecksums(bytes.subarray(0, end), pageBytes);
  new Uint32Array(bytes.buffer, end, pages).set(sums);
  return { bytes, checksum: wholeChecksum(bytes.subarray(end, end + pages * 4)) };
}
