// Reads entries from the logs by the places that segments keep. A place that no longer holds the
// row it should means that the log was rewritten: then the index is stale, and says so.

import type { Entry, Pool } from "../core/entry.ts";
import type { FileReader } from "../store/files.ts";
import { parseLine } from "../store/row.ts";
import type { Store } from "../store/store.ts";
import { IndexDamage } from "./byte_source.ts";
import type { Segment } from "./segment.ts";
import { idHashOf } from "./id_hash.ts";

/** Positioned reads of rows. The files stay open until it is disposed of. */
export class LogReader implements Disposable {
  readonly #store: Store;
  readonly #readers = new Map<Pool, FileReader>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The entry of a row; throws IndexDamage when the log has something else there. */
  read(segment: Segment, row: number): Entry {
    const { pool, offset, length } = segment.place(row);
    const bytes = new Uint8Array(length);
    const count = this.#reader(pool)?.readAt(offset, bytes) ?? 0;
    const hash = segment.idHash(row);
    const entry = count < length
      ? undefined
      : parseLine(bytes).entries.find((candidate) => idHashOf(candidate.id) === hash);
    if (entry === undefined) throw new IndexDamage(`the ${pool} log changed under the index`);
    return entry;
  }

  /** Some bytes of a log; fewer when it is shorter. */
  readBytes(pool: Pool, offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, this.#reader(pool)?.readAt(offset, bytes) ?? 0);
  }

  /** The size of a log when it was opened; 0 when there is none. */
  sizeOf(pool: Pool): number {
    return this.#reader(pool)?.size ?? 0;
  }

  /** Closes the files, so that the next read sees the logs as they are then. */
  reopen(): void {
    for (const reader of this.#readers.values()) reader.close();
    this.#readers.clear();
  }

  [Symbol.dispose](): void {
    this.reopen();
  }

  #reader(pool: Pool): FileReader | undefined {
    let reader = this.#readers.get(pool);
    if (reader === undefined) {
      reader = this.#store.files.openReader(this.#store.layout.history[pool]);
      if (reader) this.#readers.set(pool, reader);
    }
    return reader;
  }
}
