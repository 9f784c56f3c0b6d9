// A fingerprint of a log at an offset: the hash of the few bytes before it. A log only grows, so a
// different one there means that the log was rewritten since, even when it has grown past it again.

import { hashHex } from "../../core/hash.ts";
import type { FileReader, Files } from "./files.ts";

const spanBytes = 96;

/** The fingerprint of the bytes before an offset; undefined when the file is shorter than that. */
export function findFingerprint(files: Files, path: string, offset: number): string | undefined {
  if (offset === 0) return "";
  using reader = files.openReader(path);
  return reader && fingerprintOf(reader, offset);
}

/** The same of an open file. */
export function fingerprintOf(reader: FileReader, offset: number): string | undefined {
  if (offset === 0) return "";
  const from = Math.max(0, offset - spanBytes);
  const bytes = new Uint8Array(offset - from);
  if (reader.readAt(from, bytes) < bytes.length) return undefined;
  return hashHex(String.fromCharCode(...bytes));
}
