// The chain of a writer's rows: each row has the digest of its body, each link binds a row to all
// before it, and the last row of a batch has the writer's signature of its link. So a change, a row
// left out, put in, moved or taken from elsewhere is noticed, and 100,000 rows cost 100,000 hashes
// instead of 100,000 signatures. A body can be erased later: its digest keeps the chain whole.

import { createHash } from "node:crypto";
import { concat } from "../../core/utf8.ts";
import { isSignedBy, signBytes, type SignKey } from "./keys.ts";
import type { UnsignedRow, WireRow } from "./wire_row.ts";

/** How far a writer's chain was followed: the last row that counts, and its link. */
export interface ChainCursor {
  seq: number;
  link: Uint8Array;
}

export const chainStart: Readonly<ChainCursor> = { seq: 0, link: new Uint8Array(32) };

export interface ChainOwner {
  space: string;
  writer: string;
}

const digestBytes = 32;
const purposeOfLink = "ctx-link-1";
const purposeOfSignature = new TextEncoder().encode("ctx-sig-1");

/**
 * Signs a batch: rows in the order of their `seq`, which follows the cursor's. The last one gets the
 * signature, so the batch has to be pushed as one.
 */
export function sealBatch(
  rows: readonly UnsignedRow[],
  { space, writer, cursor, key }: ChainOwner & { cursor: ChainCursor; key: SignKey },
): { rows: WireRow[]; cursor: ChainCursor } {
  const linker = new Linker({ space, writer });
  let { seq, link } = cursor;
  const sealed = rows.map((row): WireRow => {
    if (row.writer !== writer || row.seq !== seq + 1) {
      throw new Error(`Row ${row.seq} of ${row.writer} does not follow ${seq} of ${writer}`);
    }
    const sig = digestOf(row.body);
    link = linker.next(link, row, sig);
    seq = row.seq;
    return { ...row, sig };
  });
  const last = sealed.at(-1);
  if (last) last.sig = concat([last.sig, signBytes(key, concat([purposeOfSignature, link]))]);
  return { rows: sealed, cursor: { seq, link } };
}

/**
 * Why nothing more of a writer is taken: a row is missing (`gap`), comes again (`replay`), is another
 * writer's (`foreign_row`), the signature is wrong (`bad_signature`), or rows without a signature
 * after them are all there is (`unsigned_end`; more of them may still be under way).
 */
export type StopReason =
  | "gap"
  | "replay"
  | "foreign_row"
  | "bad_signature"
  | "unsigned_end";

/** What came of following a chain. */
export interface Verified {
  /** Rows that are their writer's, with their bodies. */
  accepted: WireRow[];
  /** Rows that are their writer's, without a body: erased, which a row must tell, or withheld. */
  bodiless: WireRow[];
  /** Rows whose body was changed; the chain goes on behind them. */
  refused: { row: WireRow; reason: "altered_row" }[];
  /** Rows behind the last good signature: nothing of them counts yet. */
  pending: WireRow[];
  /** The last row that counts. */
  cursor: ChainCursor;
  /** Where it stopped, if not at the end: the seq of the row that shows it. */
  stop?: { reason: StopReason; seq: number };
}

/** Follows a writer's chain from the cursor on; nothing counts beyond the last good signature. */
export function verifyRows(
  rows: readonly WireRow[],
  options: ChainOwner & { cursor: ChainCursor; publicKey: Uint8Array },
): Verified {
  const { space, writer, publicKey } = options;
  const linker = new Linker({ space, writer });
  let { seq, link } = options.cursor;
  const verified: Verified = {
    accepted: [],
    bodiless: [],
    refused: [],
    pending: [],
    cursor: options.cursor,
  };
  let start = 0;
  for (const [i, row] of rows.entries()) {
    const reason = misplaced(row, { writer, seq });
    if (reason) return { ...verified, pending: rows.slice(start), stop: { reason, seq: row.seq } };
    seq = row.seq;
    link = linker.next(link, row, row.sig.subarray(0, digestBytes));
    if (row.sig.length === digestBytes) continue;
    const signature = row.sig.subarray(digestBytes);
    if (!isSignedBy(publicKey, { bytes: concat([purposeOfSignature, link]), signature })) {
      return { ...verified, pending: rows.slice(start), stop: { reason: "bad_signature", seq } };
    }
    sortOut(rows.slice(start, i + 1), verified);
    verified.cursor = { seq, link };
    start = i + 1;
  }
  if (start === rows.length) return verified;
  return { ...verified, pending: rows.slice(start), stop: { reason: "unsigned_end", seq } };
}

function misplaced(
  row: WireRow,
  { writer, seq }: { writer: string; seq: number },
): StopReason | undefined {
  if (row.writer !== writer) return "foreign_row";
  if (row.seq <= seq) return "replay";
  return row.seq === seq + 1 ? undefined : "gap";
}

/** Rows of a batch whose signature is good: their digests are the writer's, their bodies may not be. */
function sortOut(batch: readonly WireRow[], { accepted, bodiless, refused }: Verified): void {
  for (const row of batch) {
    if (row.body === null) bodiless.push(row);
    else if (isSame(digestOf(row.body), row.sig)) accepted.push(row);
    else refused.push({ row, reason: "altered_row" });
  }
}

/** The digest of a body, as its row has it. */
export function digestOf(body: Uint8Array): Uint8Array {
  return createHash("sha256").update(body).digest();
}

function isSame(digest: Uint8Array, sig: Uint8Array): boolean {
  for (let i = 0; i < digestBytes; i++) if (digest[i] !== sig[i]) return false;
  return true;
}

/** Makes links: what is the same for all rows of a chain is encoded once, the rest in one buffer. */
class Linker {
  #buffer = new Uint8Array(1024);
  #view = new DataView(this.#buffer.buffer);
  #at = 0;
  /** Behind purpose, link before and owner. */
  readonly #ownerEnd: number;

  constructor({ space, writer }: ChainOwner) {
    this.#reserve(3 * (purposeOfLink.length + space.length + writer.length) + 64);
    this.#at = encoder.encodeInto(purposeOfLink, this.#buffer).written + digestBytes;
    this.#put(space);
    this.#put(writer);
    this.#ownerEnd = this.#at;
  }

  next(before: Uint8Array, row: UnsignedRow | WireRow, digest: Uint8Array): Uint8Array {
    const { seq, id, kind, visibility, ts } = row;
    this.#at = this.#ownerEnd;
    this.#reserve(3 * (id.length + kind.length + visibility.length + ts.length) + 128);
    this.#buffer.set(before, purposeOfLink.length);
    this.#put(String(seq));
    this.#put(id);
    this.#put(kind);
    this.#put(visibility);
    this.#put(ts);
    this.#buffer.set(digest, this.#at);
    return digestOf(this.#buffer.subarray(0, this.#at + digestBytes));
  }

  #put(field: string): void {
    const { written } = encoder.encodeInto(field, this.#buffer.subarray(this.#at + 4));
    this.#view.setUint32(this.#at, written);
    this.#at += 4 + written;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#buffer.length) return;
    const larger = new Uint8Array(2 * (this.#at + size));
    larger.set(this.#buffer);
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}

const encoder = new TextEncoder();
