// Writes terms with their posting lists: the dictionary of a segment, in sorted order.

import { ByteWriter } from "../../disk/byte_writer.ts";
import { blockTerms } from "./segment_format.ts";

const encoder = new TextEncoder();

export class DictionaryWriter {
  readonly postings = new ByteWriter();
  readonly dictionary = new ByteWriter();
  readonly blocks: { offset: number; first: Uint8Array }[] = [];
  terms = 0;
  /** The last term and the one at hand, as bytes; nothing is allocated for each. */
  #previous = { bytes: new Uint8Array(256), size: 0 };
  #current = { bytes: new Uint8Array(256), size: 0 };

  /** Adds a term greater than the last one; its list was appended to `postings` from `start` on. */
  add(term: string, list: { start: number; count: number }): void {
    const current = this.#current;
    encodeInto(term, current);
    let shared = sharedPrefix(this.#previous, current);
    if (this.terms % blockTerms === 0) {
      const first = current.bytes.slice(0, current.size);
      this.blocks.push({ offset: this.dictionary.size, first });
      this.dictionary.varint(list.start);
      shared = 0;
    }
    this.dictionary.varint(shared);
    this.dictionary.varint(current.size - shared);
    this.dictionary.append(current.bytes, shared, current.size);
    this.dictionary.varint(list.count);
    this.dictionary.varint(this.postings.size - list.start);
    this.#current = this.#previous;
    this.#previous = current;
    this.terms++;
  }
}

interface EncodedTerm {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
}

/** UTF-8; most terms are short and ASCII, and then the encoder's call is what takes the time. */
function encodeInto(term: string, target: EncodedTerm): void {
  if (term.length * 3 > target.bytes.length) target.bytes = new Uint8Array(term.length * 3);
  target.size = term.length;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    target.bytes[i] = unit;
    if (unit > 127) {
      target.size = encoder.encodeInto(term, target.bytes).written;
      return;
    }
  }
}

function sharedPrefix(a: EncodedTerm, b: EncodedTerm): number {
  const most = Math.min(a.size, b.size);
  let shared = 0;
  while (shared < most && a.bytes[shared] === b.bytes[shared]) shared++;
  return shared;
}
