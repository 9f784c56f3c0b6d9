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

/** Cuts a stream of bytes into lines. */
export class LineSplitter {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #skipped: IdScanner | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that a chunk completes. */
  *push(chunk: Uint8Array): Generator<Uint8Array | OverlongLine> {
    let start = 0;
    while (start < chunk.length) {
      const newline = chunk.indexOf(10, start);
      const end = newline < 0 ? chunk.length : newline;
      this.#keep(chunk.subarray(start, end));
      if (newline < 0) return;
      yield this.#skipped ? new OverlongLine(this.#skipped.id) : concat(this.#parts);
      this.#parts = [];
      this.#length = 0;
      this.#skipped = undefined;
      start = newline + 1;
    }
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.#limit) return;
    this.#skipped ??= new IdScanner();
    for (const kept of this.#parts) this.#skipped.push(kept);
    this.#parts = [];
  }
}

const [quote, backslash, colon, comma] = [34, 92, 58, 44];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];
/** No client uses a longer id. */
const maxTokenBytes = 256;

/** Reads the outermost `id` of a JSON object, piece by piece, and keeps nothing else. */
class IdScanner {
  id: string | number | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The outermost key or value at hand, as it is written. */
  #token: number[] = [];
  #key = "";

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#depth === 1 && this.#token.length < maxTokenBytes) this.#token.push(byte);
      if (this.#inString) this.#stepInString(byte);
      else this.#step(byte);
    }
  }

  #stepInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #step(byte: number): void {
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === openBracket) {
      if (++this.#depth === 1) this.#token = [];
    } else if (byte === closeBrace || byte === closeBracket) {
      if (this.#depth === 1) this.#takeValue();
      this.#depth--;
    } else if (byte === comma && this.#depth === 1) this.#takeValue();
    else if (byte === colon && this.#depth === 1) this.#key = String(this.#takeToken());
  }

  #takeValue(): void {
    const value = this.#takeToken();
    const isId = typeof value === "string" || typeof value === "number";
    if (this.#key === "id" && isId) this.id = value;
    this.#key = "";
  }

  /** What was written up to this byte, which is not part of it. */
  #takeToken(): unknown {
    const text = new TextDecoder().decode(Uint8Array.from(this.#token.slice(0, -1)));
    this.#token = [];
    return findJson(text);
  }
}
