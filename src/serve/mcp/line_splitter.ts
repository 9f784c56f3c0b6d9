// Cuts a stream of bytes into lines, one JSON-RPC message each. A line beyond the limit is skipped;
// only its id is kept, to answer the request with an error.

import { findJson } from "../../core/json.ts";
import { concat } from "../../core/utf8.ts";

/** A line that was too long to keep. */
export class OverlongLine {
  /** The id of the request, where it could be read. */
  readonly id: string | number | null;

  constructor(id: string | number | null) {
    this.id = id;
  }
}

/** Of an overlong line so much is kept from each end, to find its id. */
const keptBytes = 4096;

export class LineSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The last bytes of a line that is over the limit, whose first bytes are the parts. */
  #end = new Uint8Array();

  constructor(limit: number) {
    this.#limit = limit;
  }

  *push(chunk: Uint8Array): Generator<Uint8Array | OverlongLine> {
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(10, start);
      this.#keep(chunk.subarray(start, newline < 0 ? chunk.length : newline));
      if (newline < 0) return;
      const kept = concat(this.#parts);
      yield this.#length <= this.#limit ? kept : new OverlongLine(findId(kept, this.#end));
      [this.#parts, this.#length, this.#end] = [[], 0, new Uint8Array()];
      start = newline + 1;
    }
  }

  #keep(part: Uint8Array): void {
    const wasLong = this.#length > this.#limit;
    this.#length += part.length;
    if (this.#length <= this.#limit) return void this.#parts.push(part);
    if (!wasLong) this.#parts = [concat([...this.#parts, part]).slice(0, keptBytes)];
    this.#end = concat([this.#end, part]).slice(-keptBytes);
  }
}

const id = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)`;
/** Before anything that has parts, or last of all: there every client writes it. */
const idPlaces = [
  new RegExp(String.raw`^\s*\{(?:[^"{}[\]]|"(?:[^"\\]|\\.)*")*?${id}`),
  new RegExp(String.raw`,\s*${id}\s*\}\s*$`),
];

/** The outermost `id` of a JSON object, from how it begins and ends. */
function findId(begin: Uint8Array, end: Uint8Array): string | number | null {
  const texts = [begin, end].map((bytes) => new TextDecoder().decode(bytes));
  const found = texts.flatMap((text, i) => idPlaces[i].exec(text)?.[1] ?? [])[0];
  const value = found === undefined ? undefined : findJson(found);
  return typeof value === "string" || typeof value === "number" ? value : null;
}
