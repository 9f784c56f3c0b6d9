// AES-256-GCM for the rows of an encrypted space. What a row says of itself outside is bound to what
// it says inside: a sealed text opens only at its own place.

import { createCipheriv, createDecipheriv } from "node:crypto";
import { concat } from "../../core/utf8.ts";
import { packFields } from "./signed_fields.ts";

/** The place of a row, to which its sealed text is bound. */
export interface RowPlace {
  space: string;
  writer: string;
  seq: number;
  id: string;
}

/** What a text is sealed with; never twice with the same key and iv. */
export interface SealKey {
  key: Uint8Array;
  iv: Uint8Array;
}

const cipher = "aes-256-gcm";
const tagBytes = 16;

/** The sealed text, its tag behind it. */
export function sealText(text: Uint8Array, place: RowPlace, { key, iv }: SealKey): Uint8Array {
  const sealing = createCipheriv(cipher, key, iv);
  sealing.setAAD(bindingOf(place));
  return concat([sealing.update(text), sealing.final(), sealing.getAuthTag()]);
}

/** The text again; undefined when key or place is another, or a byte was changed. */
export function openText(
  sealed: Uint8Array,
  place: RowPlace,
  { key, iv }: SealKey,
): Uint8Array | undefined {
  if (sealed.length < tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, iv);
  opening.setAAD(bindingOf(place));
  opening.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()]);
  } catch {
    return undefined;
  }
}

function bindingOf({ space, writer, seq, id }: RowPlace): Uint8Array {
  return packFields("", [space, writer, String(seq), id]);
}
