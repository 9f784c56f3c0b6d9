// What is signed or bound to a key: a purpose, and fields that no shift of a border can confuse.

import { concat } from "../../core/utf8.ts";

const encoder = new TextEncoder();

/** The purpose, then each field with its length before it (uint32, big end first). */
export function packFields(purpose: string, fields: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [encoder.encode(purpose)];
  for (const field of fields) {
    const bytes = typeof field === "string" ? encoder.encode(field) : field;
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, bytes.length);
    parts.push(size, bytes);
  }
  return concat(parts);
}
