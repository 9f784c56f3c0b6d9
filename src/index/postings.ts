// The coding of one posting list: document numbers as gaps, and how often the term is in each
// field. Most postings are "once, in the text" and take one or two bytes.
//   varint(gap << 2 | kind); kind 0: once in the text (or a keyword); 1: in the text only, then its
//   count as a varint; 2: a byte with a bit for each field, then one varint for each bit set.

import { textField } from "./analyze.ts";

/** Appends postings of one term in rising document order. */
export class PostingWriter {
  count = 0;
  #bytes = new Uint8Array(8);
  #size = 0;
  #last = 0;
  #open = -1;
  #counts = [0, 0, 0, 0, 0];

  /** Counts one occurrence; documents must come in rising order. */
  add(doc: number, field: number): void {
    if (doc !== this.#open) {
      this.#close();
      this.#open = doc;
    }
    this.#counts[field]++;
  }

  /** The bytes so far. */
  finish(): Uint8Array {
    this.#close();
    return this.#bytes.subarray(0, this.#size);
  }

  #close(): void {
    if (this.#open < 0) return;
    const counts = this.#counts;
    const gap = this.#open - this.#last;
    this.#last = this.#open;
    this.#open = -1;
    this.count++;
    if (this.#size + 32 > this.#bytes.length) this.#grow();
    let mask = 0;
    for (let field = 0; field < 5; field++) if (counts[field] > 0) mask |= 1 << field;
    const textOnly = mask === 1 << textField;
    if (textOnly && counts[textField] === 1) {
      this.#write(gap * 4);
    } else if (textOnly) {
      this.#write(gap * 4 + 1);
      this.#write(counts[textField]);
    } else {
      this.#write(gap * 4 + 2);
      this.#bytes[this.#size++] = mask;
      for (let field = 0; field < 5; field++) if (counts[field] > 0) this.#write(counts[field]);
    }
    counts.fill(0);
  }

  #write(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#size++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#size++] = rest;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2 + 32);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** Calls back with each document number of a list. */
export function forEachDoc(list: Uint8Array, visit: (doc: number) => void): void {
  let doc = 0;
  for (let at = 0; at < list.length;) {
    let byte = list[at++];
    let head = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = list[at++];
      head |= (byte & 127) << shift;
    }
    doc += head >>> 2;
    at = skipCounts(list, at, head & 3);
    visit(doc);
  }
}

/** The place after the counts that follow a posting's head. */
export function skipCounts(list: Uint8Array, at: number, kind: number): number {
  if (kind === 0) return at;
  let next = at;
  let left = 1;
  if (kind === 2) {
    left = 0;
    for (let mask = list[next++]; mask > 0; mask >>= 1) left += mask & 1;
  }
  while (left > 0) if ((list[next++] & 128) === 0) left--;
  return next;
}
