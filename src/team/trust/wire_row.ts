// A row as it lies on the server: what members push and pull. Its body is in row_body.ts, its chain
// and signature in chain.ts.

/** The most bytes that a body may have: whoever pulls holds it in memory. */
export const maxBodyBytes: number = 64 << 20;

/** One row of a writer's log. */
export interface WireRow {
  /** The uuid of the store that wrote it. */
  writer: string;
  /** Its place in the log of its writer, from 1, without gaps. */
  seq: number;
  /** The id of the entry, or of the tombstone, that it carries. */
  id: string;
  /** `entry`, `tombstone`, `erase` or `void`; `sealed` where the space is encrypted. */
  kind: string;
  visibility: string;
  /** ISO 8601, UTC, milliseconds. */
  ts: string;
  /** Missing once it was erased. */
  body: Uint8Array | null;
  /** The digest of the body; at the end of a batch the writer's signature as well. */
  sig: Uint8Array;
}

/** A row that was not signed yet. */
export type UnsignedRow = Omit<WireRow, "sig" | "body"> & { body: Uint8Array };
