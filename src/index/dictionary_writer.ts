// Writes terms with their posting lists: the dictionary of a segment, in sorted order.

import { ByteWriter } from "./byte_writer.ts";
import { blockTerms } from "./segment_format.ts";

const encoder = new TextEncoder();

/** Collects sorted terms and their lists. */
export class DictionaryWriter {
  readonly postings = new ByteWriter(1 << 16);
  readonly dictionary = new ByteWriter(1 << 16);
  readonly blocks: { offset: number; first: Uint8Array }[] = [];
  terms = 0;
  #previous = new Uint8Array(0);

  /** Adds a term greater than the last one; its list was appended to `postings` from `start` on. */
  add(term: string, list: { start: number; count: number }): void {
    const bytes = encode(term);
    if (this.terms % blockTerms === 0) {
      this.blocks.push({ offset: this.dictionary.size, first: bytes });
      this.dictionary.varint(list.start);
      this.#previous = new Uint8Array(0);
    }
    const shared = sharedPrefix(this.#previous, bytes);
    this.dictionary.varint(shared);
    this.dictionary.varint(bytes.length - shared);
    this.dictionary.append(bytes.subarray(shared));
    this.dictionary.varint(list.count);
    this.dictionary.varint(this.postings.size - list.start);
    this.#previous = bytes;
    this.terms++;
  }
}

/** UTF-8; most terms are short and ASCII, and then the encoder's call is what takes the time. */
function encode(term: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(term.length);
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    if (unit > 127) return encoder.encode(term);
    bytes[i] = unit;
  }
  return bytes;
}

function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}
