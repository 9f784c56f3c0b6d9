// Positioned reads from bytes in memory, for views of a store that are not files.

import type { FileReader } from "./files.ts";

/** Reads bytes as if they were an open file. */
export class MemoryReader implements FileReader {
  readonly #bytes: Uint8Array;
  readonly size: number;
  readonly isCurrent: () => boolean;

  constructor(bytes: Uint8Array, isCurrent: () => boolean = () => true) {
    this.#bytes = bytes;
    this.size = bytes.length;
    this.isCurrent = isCurrent;
  }

  readAt(offset: number, buffer: Uint8Array): number {
    const part = this.#bytes.subarray(offset, offset + buffer.length);
    buffer.set(part);
    return part.length;
  }

  [Symbol.dispose](): void {}
}
