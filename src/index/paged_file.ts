// A checked file as one run of bytes, for tables that are small enough to be whole in memory.

import { pageBytes } from "./byte_source.ts";
import { pageChecksums, wholeChecksum } from "./page_checksums.ts";

/** Pads bytes to whole pages and adds the table of their checksums; `checksum` is the table's. */
export function toPagedFile(body: Uint8Array): { bytes: Uint8Array; checksum: number } {
  const pages = Math.ceil(body.length / pageBytes);
  const bytes = new Uint8Array(pages * (pageBytes + 4));
  bytes.set(body);
  const end = pages * pageBytes;
  const sums = pageChecksums(bytes.subarray(0, end), pageBytes);
  new Uint32Array(bytes.buffer, end, pages).set(sums);
  return { bytes, checksum: wholeChecksum(bytes.subarray(end)) };
}
