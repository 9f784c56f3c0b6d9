// One column of numbers, read a page or more at a time as rows are asked for: a search asks for rows all
// over a column.

import { type ByteSource, IndexDamage } from "./byte_source.ts";

const usualBytes = 4096;

export class PagedColumn {
  readonly #source: ByteSource;
  readonly #start: number;
  readonly #width: 1 | 2 | 4 | 8;
  readonly #values: number;
  readonly #chunkValues: number;
  /** A row is in the chunk of its upper bits, at the place of its lower ones. */
  readonly #shift: number;
  readonly #chunks: (Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined)[] = [];

  constructor(
    source: ByteSource,
    options: {
      start: number;
      width: 1 | 2 | 4 | 8;
      values: number;
      /** A power of two. */
      bytesPerRead?: number;
    },
  ) {
    this.#source = source;
    this.#start = options.start;
    this.#width = options.width;
    this.#values = options.values;
    this.#chunkValues = (options.bytesPerRead ?? usualBytes) / options.width;
    this.#shift = Math.log2(this.#chunkValues);
  }

  at(row: number): number {
    const chunk = row >>> this.#shift;
    const values = this.#chunks[chunk] ?? this.#read(chunk);
    return values[row & (this.#chunkValues - 1)];
  }

  #read(chunk: number): Uint8Array | Uint16Array | Uint32Array | Float64Array {
    const first = chunk * this.#chunkValues;
    const count = Math.min(this.#chunkValues, this.#values - first);
    if (!(count > 0)) throw new IndexDamage("a column is shorter than its segment");
    const width = this.#width;
    const bytes = aligned(this.#source.read(this.#start + first * width, count * width), width);
    const { buffer, byteOffset } = bytes;
    const values = width === 1
      ? bytes
      : width === 2
      ? new Uint16Array(buffer, byteOffset, count)
      : width === 4
      ? new Uint32Array(buffer, byteOffset, count)
      : new Float64Array(buffer, byteOffset, count);
    this.#chunks[chunk] = values;
    return values;
  }
}

/** The same bytes, copied if numbers of a width could not lie where they are. */
export function aligned(bytes: Uint8Array, width: number): Uint8Array {
  return bytes.byteOffset % width === 0 ? bytes : bytes.slice();
}
