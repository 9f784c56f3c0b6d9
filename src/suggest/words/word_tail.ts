// What stands behind the records of the table of words: the texts of its names and terms, and counts
// that a posting has no room for. Only a build reads it, to take over files that did not change.

import { concat } from "../../core/utf8.ts";
import { ByteWriter } from "../../pages/byte_writer.ts";
import type { KeyTexts } from "../tables/posting_run.ts";
import type { ManyTimes } from "./word_reader.ts";

/** The tail of a table of words. */
export interface WordTail {
  texts: KeyTexts;
  many: ManyTimes[];
}

/** Encodes a tail: the counts, the length of each text, the texts. */
export function encodeTail({ texts, many }: WordTail): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(many));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, json.length, true);
  const lengths = new ByteWriter();
  let before = 0;
  for (const end of texts.ends) {
    lengths.varint(end - before);
    before = end;
  }
  return concat([size, json, ...lengths.parts(), texts.bytes]);
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
