// PostgreSQL's binary COPY: a header, rows of fields with their lengths, a trailer. Rows are encoded
// into chunks, and decoded from chunks that end anywhere.

import { CtxError } from "../../core/errors.ts";
import { maxBodyBytes } from "../trust/wire_row.ts";

/** A type of a column, with its form in TypeScript: int8 a whole number, timestamptz milliseconds. */
export type CopyType = "text" | "uuid" | "int8" | "timestamptz" | "bytea";

/** A value of a column. */
export type CopyValue = string | number | Uint8Array | null;

const signature = Uint8Array.from([
  ...new TextEncoder().encode("PGCOPY\n"),
  0xff,
  ...new TextEncoder().encode("\r\n"),
  0,
]);
/** The signature, no flags, no extension. */
const headerBytes = signature.length + 8;
/** No field of ours is longer; whoever sends more would have us hold it. */
const maxFieldBytes = maxBodyBytes + 1024;
/** PostgreSQL counts microseconds from 2000-01-01. */
const epochMs = 946_684_800_000;
const chunkBytes = 1 << 16;

/** Encodes rows; each chunk has about 64 kB. */
export function* encodeCopy(
  types: readonly CopyType[],
  rows: Iterable<readonly CopyValue[]>,
): Generator<Uint8Array> {
  const out = new ByteWriter();
  out.bytes(signature);
  out.int32(0);
  out.int32(0);
  for (const row of rows) {
    out.int16(types.length);
    for (let at = 0; at < types.length; at++) writeField(out, types[at], row[at]);
    if (out.length >= chunkBytes) yield out.take();
  }
  out.int16(-1);
  yield out.take();
}

/** Decodes what `copy … to stdout (format binary)` sends. */
export class CopyDecoder {
  readonly #types: readonly CopyType[];
  #rest: Uint8Array = new Uint8Array(0);
  #before: ({ bytes: Uint8Array; value: string } | undefined)[] = [];
  #isBegun = false;
  #isEnded = false;

  constructor(types: readonly CopyType[]) {
    this.#types = types;
  }

  /** Whether the trailer has come: without it something is missing. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Takes the next bytes, which stay as they are: rows hold parts of them. Gives the rows they complete. */
  decode(chunk: Uint8Array): CopyValue[][] {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const rows: CopyValue[][] = [];
    let at = 0;
    if (!this.#isBegun) {
      const begin = headerEnd(bytes, view);
      if (begin === undefined) {
        this.#rest = bytes;
        return rows;
      }
      at = begin;
      this.#isBegun = true;
    }
    while (!this.#isEnded) {
      const end = rowEnd(view, at, this.#types.length);
      if (end === undefined) break;
      if (end < 0) {
        this.#isEnded = true;
        at += 2;
        break;
      }
      rows.push(this.#readRow(bytes, view, at + 2));
      at = end;
    }
    if (this.#isEnded && at < bytes.length) throw broken("bytes follow its end");
    this.#rest = bytes.subarray(at);
    return rows;
  }

  #readRow(bytes: Uint8Array, view: DataView, start: number): CopyValue[] {
    const row: CopyValue[] = new Array(this.#types.length);
    let at = start;
    for (let column = 0; column < row.length; column++) {
      const length = view.getInt32(at);
      at += 4;
      if (length < 0) row[column] = null;
      else {
        row[column] = this.#readField(column, bytes, view, at, length);
        at += length;
      }
    }
    return row;
  }

  #readField(
    column: number,
    bytes: Uint8Array,
    view: DataView,
    at: number,
    length: number,
  ): CopyValue {
    switch (this.#types[column]) {
      case "bytea":
        return bytes.subarray(at, at + length);
      case "int8":
        return readInt8(view, at, length);
      case "timestamptz":
        return readTime(view, at, length);
      case "text":
        return this.#sameAsBefore(column, bytes, at, length) ??
          this.#keep(column, bytes, at, length, readText(bytes, at, length));
      case "uuid":
        return this.#sameAsBefore(column, bytes, at, length) ??
          this.#keep(column, bytes, at, length, readUuid(bytes, at, length));
    }
  }

  /** The value of the row before, which is often the same: a writer, a kind. */
  #sameAsBefore(
    column: number,
    bytes: Uint8Array,
    at: number,
    length: number,
  ): string | undefined {
    const before = this.#before[column];
    if (before === undefined || before.bytes.length !== length) return undefined;
    // Ids differ at their end.
    for (let n = length - 1; n >= 0; n--) {
      if (before.bytes[n] !== bytes[at + n]) return undefined;
    }
    return before.value;
  }

  #keep(
    column: number,
    bytes: Uint8Array,
    at: number,
    length: number,
    value: string,
  ): string {
    this.#before[column] = { bytes: bytes.subarray(at, at + length), value };
    return value;
  }
}

/** Where the header ends; undefined when there is more of it to come. */
function headerEnd(bytes: Uint8Array, view: DataView): number | undefined {
  if (bytes.length < headerBytes) return undefined;
  if (signature.some((byte, at) => bytes[at] !== byte)) throw broken("it begins with other bytes");
  const end = headerBytes + view.getUint32(signature.length + 4);
  if (end > headerBytes + 1024) throw broken("its header is too long");
  return bytes.length < end ? undefined : end;
}

/** Where a row ends; -1 for the trailer, undefined when there is more of it to come. */
function rowEnd(view: DataView, start: number, columns: number): number | undefined {
  if (start + 2 > view.byteLength) return undefined;
  const count = view.getInt16(start);
  if (count === -1) return -1;
  if (count !== columns) throw broken(`a row has ${count} columns, not ${columns}`);
  let at = start + 2;
  for (let n = 0; n < columns; n++) {
    if (at + 4 > view.byteLength) return undefined;
    const length = view.getInt32(at);
    if (length < -1) throw broken("a length is below zero");
    if (length > maxFieldBytes) throw broken("a value is too long");
    at += 4 + Math.max(length, 0);
  }
  return at > view.byteLength ? undefined : at;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Short texts of plain letters are read by themselves: a call of the decoder takes longer. */
function readText(bytes: Uint8Array, at: number, length: number): string {
  if (length <= 64) {
    let text = "";
    for (let n = at; n < at + length; n++) {
      if (bytes[n] >= 0x80) return decodeText(bytes.subarray(at, at + length));
      text += String.fromCharCode(bytes[n]);
    }
    return text;
  }
  return decodeText(bytes.subarray(at, at + length));
}

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw broken("a text is not UTF-8");
  }
}

function readUuid(bytes: Uint8Array, at: number, length: number): string {
  if (length !== 16) throw broken("a uuid has not 16 bytes");
  const hex = bytes.subarray(at, at + 16).toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${
    hex.slice(20)
  }`;
}

function readInt8(view: DataView, at: number, length: number): number {
  if (length !== 8) throw broken("a number has not 8 bytes");
  const value = view.getInt32(at) * 2 ** 32 + view.getUint32(at + 4);
  if (!Number.isSafeInteger(value)) throw broken("a number is too large");
  return value;
}

/** Microseconds, which far from 2000 are more than a number holds. */
function readTime(view: DataView, at: number, length: number): number {
  if (length !== 8) throw broken("a time has not 8 bytes");
  const ms = Number(view.getBigInt64(at) / 1000n) + epochMs;
  if (Math.abs(ms) > 8.64e15) throw broken("a time is too far away");
  return ms;
}

function writeField(out: ByteWriter, type: CopyType, value: CopyValue): void {
  if (value === null) return out.int32(-1);
  switch (type) {
    case "text":
      return out.text(value as string);
    case "bytea":
      out.int32((value as Uint8Array).length);
      return out.bytes(value as Uint8Array);
    case "uuid":
      out.int32(16);
      return out.uuid(value as string);
    case "int8":
    case "timestamptz": {
      if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`);
      out.int32(8);
      return type === "int8" ? out.int64(value as number) : out.time(value as number);
    }
  }
}

const encoder = new TextEncoder();

/** Bytes that grow. */
class ByteWriter {
  #bytes = new Uint8Array(2 * chunkBytes);
  #view = new DataView(this.#bytes.buffer);
  #uuid = { text: "", bytes: new Uint8Array(0) };
  length = 0;

  int16(value: number): void {
    this.#reserve(2);
    this.#view.setInt16(this.length, value);
    this.length += 2;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.length, value);
    this.length += 4;
  }

  /** In two halves: a bigint for each would cost more than all else of a row. */
  int64(value: number): void {
    this.#reserve(8);
    this.#view.setInt32(this.length, Math.floor(value / 2 ** 32));
    this.#view.setUint32(this.length + 4, value >>> 0);
    this.length += 8;
  }

  /** Microseconds, which far from 2000 are more than a number holds. */
  time(ms: number): void {
    const us = (ms - epochMs) * 1000;
    if (Number.isSafeInteger(us)) return this.int64(us);
    this.#reserve(8);
    this.#view.setBigInt64(this.length, BigInt(ms - epochMs) * 1000n);
    this.length += 8;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.length);
    this.length += value.length;
  }

  /** A text with its length before it, encoded in place; plain letters by themselves. */
  text(value: string): void {
    this.#reserve(4 + 3 * value.length);
    const start = this.length + 4;
    let written = 0;
    for (; written < value.length; written++) {
      const code = value.charCodeAt(written);
      if (code >= 0x80) break;
      this.#bytes[start + written] = code;
    }
    if (written < value.length) {
      written = encoder.encodeInto(value, this.#bytes.subarray(start)).written;
    }
    this.#view.setInt32(this.length, written);
    this.length = start + written;
  }

  /** Rows of one writer follow each other: its bytes are made once. */
  uuid(value: string): void {
    if (this.#uuid.text !== value) {
      const bytes = Uint8Array.fromHex(value.replaceAll("-", ""));
      if (bytes.length !== 16) throw new RangeError("not a uuid");
      this.#uuid = { text: value, bytes };
    }
    this.bytes(this.#uuid.bytes);
  }

  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more));
    wider.set(this.#bytes.subarray(0, this.length));
    this.#bytes = wider;
    this.#view = new DataView(wider.buffer);
  }
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

/** The refusal of data that cannot be what was asked for. */
export function broken(fault: string): CtxError {
  return new CtxError("REMOTE_UNTRUSTED", `Cannot read the server's data: ${fault}`, {
    hint: "ask whoever runs the server; nothing of it was taken in",
  });
}
