// Finds terms within a few edits of another term, directly in the blocks of the dictionary. The prefix
// that a term shares with the one before is not compared again, and most terms are given up after a few
// letters.

import { BlockReader } from "./dictionary_reader.ts";

const decoder = new TextDecoder();
/** From this byte on, letters have several. */
const firstLong = 0x80;

/** A walk over blocks that follow each other. */
export class NearTerms {
  readonly #term: string;
  readonly #most: number;
  /** For each number of bytes of the term at hand, the edits to each beginning of the other. */
  readonly #rows: Uint8Array[];
  #text = new Uint8Array(256);
  /** After so many bytes the term at hand was too far away, or a letter has several bytes. */
  #far = Infinity;
  #long = Infinity;

  constructor(term: string, most: number) {
    this.#term = term;
    this.#most = most;
    this.#rows = [Uint8Array.from({ length: term.length + 1 }, (_, i) => Math.min(i, 255))];
  }

  *find(bytes: Uint8Array, count: number): Generator<{ term: string; edits: number }> {
    const reader = new BlockReader(bytes);
    reader.varint();
    for (let i = 0; i < count; i++) {
      const shared = reader.varint();
      const size = shared + reader.varint();
      if (size > this.#text.length) this.#grow(size);
      for (let at = shared; at < size; at++) this.#text[at] = bytes[reader.at++];
      reader.varint();
      reader.varint();
      const edits = this.#editsTo(shared, size);
      if (edits <= this.#most) yield { term: this.#decode(size), edits };
    }
  }

  #editsTo(shared: number, size: number): number {
    if (this.#far <= shared) return Infinity;
    this.#far = Infinity;
    if (this.#long > shared) {
      this.#long = Infinity;
      for (let at = shared; at < size; at++) {
        if (this.#text[at] >= firstLong) {
          this.#long = at + 1;
          break;
        }
        if (this.#addRow(at) > this.#most) {
          this.#far = at + 1;
          return Infinity;
        }
      }
    }
    if (this.#long <= size) return editsBetween(this.#term, this.#decode(size));
    return this.#rows[size][this.#term.length];
  }

  /** Compares one more byte; gives the fewest edits to a beginning of the other term. */
  #addRow(at: number): number {
    const row = this.#rows[at];
    const next = this.#rows[at + 1] ??= new Uint8Array(row.length);
    return fillRow(this.#term, this.#text[at], { row, next });
  }

  #decode(size: number): string {
    return decoder.decode(this.#text.subarray(0, size));
  }

  #grow(size: number): void {
    const larger = new Uint8Array(size * 2);
    larger.set(this.#text);
    this.#text = larger;
  }
}

/** Fills the next row for a character from the one before it, and gives the least of it; edits beyond 254 are alike. */
function fillRow(
  term: string,
  char: number,
  { row, next }: { row: Uint8Array; next: Uint8Array },
): number {
  let left = Math.min(row[0] + 1, 255);
  let least = next[0] = left;
  for (let j = 1; j < row.length; j++) {
    let best = row[j - 1] + (term.charCodeAt(j - 1) === char ? 0 : 1);
    if (row[j] < best) best = row[j] + 1;
    if (left < best) best = left + 1;
    next[j] = left = Math.min(best, 255);
    if (left < least) least = left;
  }
  return least;
}

function editsBetween(term: string, other: string): number {
  let row = Uint8Array.from({ length: term.length + 1 }, (_, i) => Math.min(i, 255));
  let next = new Uint8Array(row.length);
  for (let i = 0; i < other.length; i++) {
    fillRow(term, other.charCodeAt(i), { row, next });
    [row, next] = [next, row];
  }
  return row[term.length];
}
