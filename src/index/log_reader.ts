// Reads entries from the logs by the places that segments keep. A place that no longer holds the
// row it should means that the log was rewritten: then the index is stale, and says so.

import { checksum } from "../core/checksum.ts";
import type { Entry, Pool } from "../core/entry.ts";
import { parseLine } from "../store/row.ts";
import type { Row, Snapshot } from "../store/snapshot.ts";
import type { Store } from "../store/store.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import type { Segment } from "./segment/segment.ts";
import { idHashOf } from "./segment/segment_format.ts";

/** A row is in its place and says something else than when it was indexed. */
export class RowAltered extends IndexDamage {
  override readonly name = "RowAltered";

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "RowAltered";
  }
}

/** Reads of rows in both logs as they were at one moment. They stay open until it is disposed of. */
export class LogReader implements Disposable {
  readonly #store: Store;
  #snapshot?: Snapshot;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The entry of a row; throws IndexDamage when the log has something else there, or the row was
   * altered in its place: then it was found by words that it may no longer have.
   */
  read(segment: Pick<Segment, "place" | "sum" | "idHash">, row: number): Entry {
    const { pool, offset, length } = segment.place(row);
    const bytes = this.readBytes(pool, offset, length);
    const entries = bytes.length < length ? [] : parseLine(bytes).entries;
    const sum = segment.sum(row);
    const isSame = sum === 0 || sum === checksum(bytes);
    // A line that is as it was indexed and holds one entry needs no look at another column.
    if (sum !== 0 && isSame && entries.length === 1) return entries[0];
    const hash = segment.idHash(row);
    const entry = entries.find((candidate) => idHashOf(candidate.id) === hash);
    if (entry === undefined) throw new IndexDamage(`the ${pool} log changed under the index`);
    if (!isSame) {
      throw new RowAltered(`${entry.id} was edited in the ${pool} log after it was indexed`);
    }
    return entry;
  }

  /** Some bytes of a log; fewer when it is shorter. */
  readBytes(pool: Pool, offset: number, length: number): Uint8Array {
    return this.#logs().readBytes(pool, offset, length);
  }

  /** The rows of a log in a range, as far as they may be seen. */
  rows(pool: Pool, range: { from: number; to: number }): Generator<Row> {
    const { from, to } = range;
    return this.#store.narrow(this.#logs())
      .rows({ pools: [pool], from: { [pool]: from }, to: { [pool]: to } });
  }

  /** As `Snapshot.writerOf`. */
  writerOf(place: { pool: Pool; offset: number }): string | undefined {
    return this.#logs().writerOf(place);
  }

  sizeOf(pool: Pool): number {
    return this.#logs().sizeOf(pool);
  }

  /** Closes the logs, so that the next read sees them as they are then. */
  reopen(): void {
    this.#snapshot?.[Symbol.dispose]();
    this.#snapshot = undefined;
  }

  [Symbol.dispose](): void {
    this.reopen();
  }

  #logs(): Snapshot {
    return this.#snapshot ??= this.#store.openWhole();
  }
}
