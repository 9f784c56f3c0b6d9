// What stands behind the records of the table of words: the texts of its names and terms, and counts
// that a posting has no room for. Only a build reads it, to take over files that did not change.

import type { KeyTexts } from "./posting_run.ts";
import type { ManyTimes } from "./word_reader.ts";

/** The tail of a table of words. */
export interface WordTail {
  texts: KeyTexts;
  many: ManyTimes[];
}

/** Encodes a tail: the counts, the length of each text, the texts. */
export function encodeTail({ texts, many }: WordTail): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(many));
  const most = 4 + json.length + texts.ends.length * 5 + texts.bytes.length;
  const bytes = new Uint8Array(most);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, 4);
  let at = 4 + json.length;
  let before = 0;
  for (const end of texts.ends) {
    let length = end - before;
    before = end;
    for (; length > 127; length >>>= 7) bytes[at++] = length & 127 | 128;
    bytes[at++] = length;
  }
  bytes.set(texts.bytes, at);
  return bytes.subarray(0, at + texts.bytes.length);
}

/** Decodes the tail of a table with so many keys. */
export function decodeTail(bytes: Uint8Array, keys: number): WordTail {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const body = 4 + view.getUint32(0, true);
  const many: ManyTimes[] = JSON.parse(new TextDecoder().decode(bytes.subarray(4, body)));
  const ends = new Uint32Array(keys);
  let at = body;
  let end = 0;
  for (let key = 0; key < keys; key++) {
    let shift = 0;
    for (; bytes[at] > 127; shift += 7) end += (bytes[at++] & 127) << shift;
    end += bytes[at++] << shift;
    ends[key] = end;
  }
  return { texts: { bytes: bytes.subarray(at), ends }, many };
}
