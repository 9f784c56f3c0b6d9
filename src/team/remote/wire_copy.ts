// Rows of the wire as columns of a binary COPY.

import type { WireRow } from "../trust/wire_row.ts";
import { broken, type CopyType, type CopyValue } from "./copy_binary.ts";
import { findWireTime } from "./wire_time.ts";

/** The columns, in their order. */
export const wireColumns = [
  "writer",
  "seq",
  "id",
  "kind",
  "visibility",
  "ts",
  "body",
  "sig",
] as const;

/** Their types. */
export const wireTypes: readonly CopyType[] = [
  "uuid",
  "int8",
  "text",
  "text",
  "text",
  "timestamptz",
  "bytea",
  "bytea",
];

/** A row to send. Its time must be whole milliseconds in UTC: the signature binds the very text. */
export function toCopyRow(row: WireRow): CopyValue[] {
  const ms = findWireTime(row.ts);
  if (ms === undefined) {
    throw new RangeError(`row ${row.seq} has a time that would not come back the same: ${row.ts}`);
  }
  return [row.writer, row.seq, row.id, row.kind, row.visibility, ms, row.body, row.sig];
}

/** A row that came. */
export function toWireRow(values: readonly CopyValue[]): WireRow {
  const [writer, seq, id, kind, visibility, ts, body, sig] = values;
  if ([writer, seq, id, kind, visibility, ts, sig].includes(null)) {
    throw broken("a value is missing");
  }
  return {
    writer: writer as string,
    seq: seq as number,
    id: id as string,
    kind: kind as string,
    visibility: visibility as string,
    ts: new Date(ts as number).toISOString(),
    body: body as Uint8Array | null,
    sig: sig as Uint8Array,
  };
}
