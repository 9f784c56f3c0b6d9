// A checked file as one run of bytes, for tables that are small enough to be whole in memory.

import type { FileReader } from "./files.ts";
import { IndexDamage, pageBytes, PagedSource } from "./byte_source.ts";
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

/** At the end of a sealed file: the checksum of its page table, and what kind of file it is. */
const sealBytes = 8;

/** A checked file that says by itself what it is: a word at its end, which also stands in its head. */
export function toSealedFile(parts: Uint8Array[], magic: number): Uint8Array {
  const { bytes, checksum } = toPagedFile(parts, sealBytes);
  const seal = Uint32Array.of(checksum, magic);
  bytes.set(new Uint8Array(seal.buffer), bytes.length - sealBytes);
  return bytes;
}

/** Opens a sealed file; throws IndexDamage when it is not whole, or of another kind. */
export function openSealedFile(
  reader: FileReader,
  { label, magic }: { label: string; magic: number },
): PagedSource {
  const bytes = reader.size - sealBytes;
  if (bytes <= 0 || readWord(reader, bytes + 4) !== magic) {
    throw new IndexDamage(`${label} has no proper end`);
  }
  const pages: FileReader = {
    size: bytes,
    isCurrent: () => reader.isCurrent(),
    readAt: (offset, buffer) => reader.readAt(offset, buffer),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
  return new PagedSource(pages, { label, bytes, checksum: readWord(reader, bytes) });
}

/** Four bytes of a file as a number. */
export function readWord(reader: FileReader, offset: number): number {
  const bytes = new Uint8Array(4);
  reader.readAt(offset, bytes);
  return new DataView(bytes.buffer).getUint32(0, true);
}
