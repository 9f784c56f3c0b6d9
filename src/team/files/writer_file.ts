// One file of a writer: what it says of the space and the rows that it pushed, in one batch. The first
// line is signed and names the file before it, so that none can be changed, swapped or left out; rows
// are signed as they are everywhere. Only a body may go later, and its line says by whose word.

import * as z from "zod/mini";
import { encodeLines, findUtf8 } from "../../core/utf8.ts";
import { findJson } from "../../core/json.ts";
import { findBase64Url, toBase64Url } from "../trust/base64url.ts";
import { digestOf } from "../trust/chain.ts";
import { isSignedBy, signBytes, type SignKey } from "../trust/keys.ts";
import { packFields } from "../trust/signed_fields.ts";
import type { WireRow } from "../trust/wire_row.ts";
import { count, uuid } from "../remote/server_answer.ts";
import { spaceEvent } from "./space_event.ts";

const header = z.object({
  /** The form of the file. */
  format: z.literal(1),
  space: z.string(),
  writer: uuid,
  /** Its place among the writer's files, from 1. */
  number: count,
  /** The digest of the header before; empty in the first. */
  previous: z.string(),
  ts: z.iso.datetime(),
  /** The seq of the last row before this file. */
  after: count,
  /** How many rows follow. */
  rows: count,
  events: z.array(spaceEvent),
});

/** What a writer signs of a file. */
export type FileHeader = z.infer<typeof header>;

/** Whose word took a body away: a writer, and the file in which it says so. */
const gone = z.tuple([uuid, count]);

const line = z.object({
  seq: count,
  id: z.string(),
  kind: z.string(),
  visibility: z.string(),
  ts: z.string(),
  sig: z.string(),
  body: z.optional(z.string()),
  gone: z.optional(gone),
});

/** A row of a file. */
export interface FileRow extends WireRow {
  /** Of a row that lost its body: the writer that asked for it, and the number of its file. */
  gone?: readonly [writer: string, number: number];
}

/** A file as it was read; nothing of it is checked but its form. */
export interface WriterFile {
  header: FileHeader;
  /** The digest of the header, which the next file names. */
  digest: string;
  headerBytes: Uint8Array;
  signature: Uint8Array;
  rows: FileRow[];
}

/** The name of a file; nothing else in a writer's folder counts. */
export function fileName(number: number): string {
  return `${String(number).padStart(8, "0")}.ndjson`;
}

/** The number of a file by its name, which may be that of a copy that a carrier made of it. */
export function findNumber(name: string): number | undefined {
  const found = /^(\d{8})\D.*\.ndjson$|^(\d{8})\.ndjson$/.exec(name);
  return found === null ? undefined : Number(found[1] ?? found[2]);
}

/** Signs a file. */
export function encodeFile(
  said: FileHeader,
  { rows, key }: { rows: readonly FileRow[]; key: SignKey },
): { bytes: Uint8Array; digest: string } {
  const text = JSON.stringify(said);
  const headerBytes = new TextEncoder().encode(text);
  const signature = toBase64Url(signBytes(key, claimOf(headerBytes)));
  const bytes = encodeLines([text, JSON.stringify({ signature }), ...rows.map(toLine)]);
  return { bytes, digest: toBase64Url(digestOf(headerBytes)) };
}

/** The same file with other rows, of which only bodies may differ. */
export function encodeAgain(
  { headerBytes, signature }: WriterFile,
  rows: readonly FileRow[],
): Uint8Array {
  const text = new TextDecoder().decode(headerBytes);
  const signed = JSON.stringify({ signature: toBase64Url(signature) });
  return encodeLines([text, signed, ...rows.map(toLine)]);
}

/**
 * Reads a file. One that ends too soon is `short`: it may still be on its way. What is of another form
 * is no file of ours.
 */
export function parseFile(bytes: Uint8Array): WriterFile | "short" | undefined {
  const text = findUtf8(bytes);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  const end = lines.pop();
  const said = z.safeParse(header, findJson(lines[0] ?? ""));
  if (!said.success) return lines.length === 0 ? "short" : undefined;
  const { rows, after } = said.data;
  if (lines.length < rows + 2) return "short";
  if (lines.length > rows + 2 || end !== "") return undefined;
  const signature = findBase64Url(
    z.safeParse(z.object({ signature: z.string() }), findJson(lines[1])).data?.signature,
  );
  const found = lines.slice(2).map((item) => toRow(said.data.writer, findJson(item)));
  const isWhole = signature !== undefined &&
    found.every((row, i) => row?.seq === after + 1 + i && isNamedBy(row));
  if (!isWhole) return undefined;
  const headerBytes = new TextEncoder().encode(lines[0]);
  return {
    header: said.data,
    digest: toBase64Url(digestOf(headerBytes)),
    headerBytes,
    signature,
    rows: found.filter((row) => row !== undefined),
  };
}

/** Ids that others could foresee name their writer (`../sync/reserved_id.ts`). */
function isNamedBy({ id, writer }: FileRow): boolean {
  return !id.startsWith("~") || id.startsWith(`~${writer}~`);
}

/** Whether a writer signed the header. */
export function isSignedFile(
  { headerBytes, signature }: WriterFile,
  publicKey: Uint8Array,
): boolean {
  return isSignedBy(publicKey, { bytes: claimOf(headerBytes), signature });
}

function claimOf(headerBytes: Uint8Array): Uint8Array {
  return packFields("ctx-file-1", [headerBytes]);
}

function toLine({ seq, id, kind, visibility, ts, sig, body, gone }: FileRow): string {
  return JSON.stringify({
    ...{ seq, id, kind, visibility, ts },
    sig: sig.toBase64(),
    ...(body === null ? {} : { body: body.toBase64() }),
    ...(gone === undefined ? {} : { gone }),
  });
}

function toRow(writer: string, value: unknown): FileRow | undefined {
  const { data } = z.safeParse(line, value);
  if (data === undefined) return undefined;
  try {
    const { body, sig, gone, ...rest } = data;
    return {
      writer,
      ...rest,
      body: body === undefined ? null : Uint8Array.fromBase64(body),
      sig: Uint8Array.fromBase64(sig),
      ...(gone === undefined ? {} : { gone }),
    };
  } catch {
    return undefined;
  }
}
