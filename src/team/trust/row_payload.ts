// What a row carries: an entry, as one line of JSON with `author` and `seq`, which lies in the logs of
// its readers byte for byte. Nothing is taken that could be read in two ways.

import { type Entry, toEntry, tombstoneType } from "../../core/entry.ts";
import { findUtf8 } from "../../core/utf8.ts";
import { decodeBody, type DecodedBody } from "./row_body.ts";
import type { WireRow } from "./wire_row.ts";

/** What a row is for. A `void` one only fills its place; a `sealed` one tells it inside. */
export type PayloadKind = "entry" | "tombstone" | "erase" | "void";

/** A row as it is pushed: the member's name and the place in the log are part of it. */
export type SharedEntry = Entry & { author: string; seq: number };

/** The payload of an entry or a tombstone. */
export function encodePayload(entry: SharedEntry): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(entry));
}

/** What kind of row carries it; a tombstone marked `erased` asks for the bytes as well. */
export function kindOf(entry: { type: string; erased?: unknown }): PayloadKind {
  if (entry.type !== tombstoneType) return "entry";
  return entry.erased === true ? "erase" : "tombstone";
}

/** What a row of a believed writer holds, or why it is not taken. */
export type ReadPayload =
  | { kind: "void"; fault?: undefined }
  | {
    kind: Exclude<PayloadKind, "void">;
    /** The signed bytes, one line without its end. */
    line: Uint8Array;
    entry: SharedEntry;
    fault?: undefined;
  }
  | { kind?: undefined; fault: "foreign_row" | "not_an_entry" | "no_key" };

/**
 * Reads a row whose chain was verified. `author` is the member that the writer belongs to; `findKey`
 * gives the key of an epoch in an encrypted space.
 */
export function readPayload(
  row: WireRow & { body: Uint8Array },
  { space, author, findKey }: {
    space: string;
    author: string;
    findKey?: (epoch: number) => Uint8Array | undefined;
  },
): ReadPayload {
  const { writer, seq, id } = row;
  const decoded = decodeBody(row.body, { space, writer, seq, id }, findKey);
  if (!decoded.payload) return { fault: faultOf(decoded) };
  const line = decoded.payload;
  if (line.length === 0) return fits(row, "void") ? { kind: "void" } : { fault: "not_an_entry" };
  const entry = findExact(line);
  if (!entry) return { fault: "not_an_entry" };
  if (entry.id !== id || entry.author !== author || entry.seq !== seq) {
    return { fault: "foreign_row" };
  }
  const kind = kindOf(entry);
  if (kind === "void" || !fits(row, kind)) return { fault: "not_an_entry" };
  return { kind, line, entry };
}

/** A text that was sealed for another place was taken from there. */
function faultOf({ fault }: DecodedBody): "foreign_row" | "not_an_entry" | "no_key" {
  if (fault === "no_key") return fault;
  return fault === "not_sealed_here" ? "foreign_row" : "not_an_entry";
}

function fits({ kind, body }: WireRow, carried: PayloadKind): boolean {
  return kind === (body?.[0] === 0 ? carried : "sealed");
}

/**
 * The entry of a line as ctx writes it. Others are refused: with a line break inside, or a field
 * twice, readers that scan would see another row than those that parse.
 */
function findExact(line: Uint8Array): SharedEntry | undefined {
  const text = findUtf8(line);
  if (text === undefined) return undefined;
  try {
    const entry = toEntry(JSON.parse(text));
    // Nothing was completed, renamed or dropped.
    if (!entry || JSON.stringify(entry) !== text) return undefined;
    const isShared = typeof entry.author === "string" && typeof entry.seq === "number";
    return isShared ? entry as SharedEntry : undefined;
  } catch {
    return undefined;
  }
}
