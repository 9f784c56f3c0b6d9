// The fingerprint of a file's content, and whether it is text.

import { hashHex } from "../../core/hash.ts";

/** Whether bytes are no text: the same rule as git's. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** The fingerprint of a file's content, by which a change is known. */
export function hashBytes(bytes: Uint8Array): string {
  return hashHex(new TextDecoder("latin1").decode(bytes));
}
