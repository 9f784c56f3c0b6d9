// The fingerprint of a file's content, and whether it is text.

import { hashHex } from "../../core/hash.ts";

/** Whether bytes are no text: the same rule as git's. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** The name that git gives to the content of a file. */
export async function blobName(bytes: Uint8Array<ArrayBuffer>, oidBytes: number): Promise<string> {
  const whole = new Blob([`blob ${bytes.length}\0`, bytes]);
  const kind = oidBytes === 32 ? "SHA-256" : "SHA-1";
  const digest = await crypto.subtle.digest(kind, await whole.arrayBuffer());
  return new Uint8Array(digest).toHex();
}

/** The fingerprint of a file's content, by which a change is known. */
export function hashBytes(bytes: Uint8Array): string {
  return hashHex(new TextDecoder("latin1").decode(bytes));
}
