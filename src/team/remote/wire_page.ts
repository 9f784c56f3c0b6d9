// Rows of the wire as JSON to push, and as pages of a SELECT to pull: a page is bounded in rows and
// bytes, whatever the rows are.

import * as z from "zod/mini";
import type { WireRow } from "../trust/wire_row.ts";
import type { AnswerRow } from "./connect.ts";
import { count, readAnswer, uuid } from "./server_answer.ts";

/** The columns of a row. */
export const wireColumns: readonly string[] = [
  ...["writer", "seq", "id", "kind", "visibility", "ts", "body", "sig"],
];

/** A page ends behind the row with which it has this much. */
const pageRows = 2000;
const pageBytes = 4 << 20;

/** Rows to send. Their times must be what Date writes: the signature binds the very text. */
export function toPushed(rows: readonly WireRow[]): string {
  return JSON.stringify(rows.map((row) => {
    if (new Date(row.ts).toISOString() !== row.ts) {
      throw new RangeError(
        `row ${row.seq} has a time that would not come back the same: ${row.ts}`,
      );
    }
    return { ...row, body: row.body?.toBase64(), sig: row.sig.toBase64() };
  }));
}

/** The rows that were sent as the parameter of a statement, as `p`. */
export const batchRows = `(
  select writer, seq, id, kind, visibility, ts,
    decode(body, 'base64') as body, decode(sig, 'base64') as sig
  from json_to_recordset($1::text::json) as pushed (writer uuid, seq bigint, id text, kind text,
    visibility text, ts timestamptz, body text, sig text)
) p`;

/** The statement for the first page of a source `l` of rows, which are read in its order. */
export function pageOf(source: string): string {
  return `select writer::text, seq::float8, id, kind, visibility,
      (extract(epoch from ts) * 1000)::float8 as ts, body, sig
    from (
      select *, sum(coalesce(length(body), 0)) over (rows unbounded preceding)
        - coalesce(length(body), 0) as bytes_before
      from (select l.* from ${source} limit ${pageRows}) read
    ) page where bytes_before < ${pageBytes}`;
}

/** The client library gives Buffers, which are cut otherwise than other bytes. */
const bytes = z.pipe(
  z.instanceof(Uint8Array),
  z.transform((buffer): Uint8Array => new Uint8Array(buffer)),
);

/** Times that a Date can hold. */
const time = z.pipe(
  z.number().check(z.gte(-8.64e15), z.lte(8.64e15)),
  z.transform((ms): string => new Date(ms).toISOString()),
);

const wireRows: z.ZodMiniType<WireRow[]> = z.array(z.object({
  writer: uuid,
  seq: count,
  id: z.string(),
  kind: z.string(),
  visibility: z.string(),
  ts: time,
  body: z.nullable(bytes),
  sig: bytes,
}));

/** The rows of a page, and whether there are none behind it. */
export function readPage(answer: AnswerRow[]): { rows: WireRow[]; isLast: boolean } {
  const rows = readAnswer(wireRows, answer);
  const size = rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return { rows, isLast: rows.length === 0 || rows.length < pageRows && size < pageBytes };
}
