// Brings others' rows here: their chains are followed from where the last sync ended, and what holds
// goes into the log of its writer. What does not is put aside and told once; a writer whose chain
// breaks stays where it was until the server is put right.

import { tombstoneType } from "../../core/entry.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import type { Writer } from "../../store/writer.ts";
import {
  appendTeam,
  lastSeqOf,
  readCursors,
  type TeamCursor,
  writeCursors,
} from "../../store/team/team_log.ts";
import { remakeOrder } from "../../store/team/settle_order.ts";
import { teamLogOf } from "../../store/team/team_order.ts";
import { findBase64Url, toBase64Url } from "../trust/base64url.ts";
import { chainStart, type Verified, verifyRows } from "../trust/chain.ts";
import { readPayload, type SharedEntry } from "../trust/row_payload.ts";
import { maxBodyBytes, type WireRow } from "../trust/wire_row.ts";
import type { BelievedWriter } from "./believed_writers.ts";
import { dropForeign, judgeTombstones } from "./foreign_tombstones.ts";
import { findEpoch, type SyncSession } from "./sync_session.ts";

/** Why a row was not taken, or a writer not followed. */
export type RefusalReason =
  | "altered_row"
  | "bad_signature"
  | "foreign_row"
  | "not_an_entry"
  | "missing_row"
  | "withheld"
  | "no_key";

/** A row that was not taken, or the first of a writer's rows that were not. */
export interface Refusal {
  author: string;
  writer: string;
  seq: number;
  id?: string;
  reason: RefusalReason;
}

export interface Pulled {
  /** New rows by author. */
  rows: Map<string, number>;
  refused: Refusal[];
  /** Where the new rows are that ask for bytes to go. */
  erases: { eraser: string; seq: number }[];
  bytes: number;
}

/** A row of a good chain that could not be taken, to be asked for again. */
export interface RefusedRow {
  seq: number;
  id: string;
  reason: "altered_row" | "withheld";
  /** Whether that was said. */
  told?: true;
  /** What its body must come to, base64url. */
  digest: string;
}

/** How far a writer was pulled, and what was told of it. */
export interface PullCursor extends TeamCursor {
  refused?: RefusedRow[];
  stopped?: { seq: number; reason: RefusalReason };
  /** What its tombstones name that was not known here when they came. */
  open?: string[];
}

/** How many bytes of rows are held before they are written; a row is some even without a body. */
const flushBytes = 4 << 20;
const rowBytes = 256;

/** Batches are of 5,000 rows or 8 MB: whoever sends so much without a signature sends no batch. */
const maxUnsigned = { rows: 20_000, bytes: 32 << 20 };

/** Pulls what others have pushed since the last time. */
export async function pullRows(session: SyncSession): Promise<Pulled> {
  const { remote, state, me, believed, store } = session;
  const pulled: Pulled = { rows: new Map(), refused: [], erases: [], bytes: 0 };
  const chunks = new Map<string, Chunk>();
  const cursors = readCursors(store.files, store.layout) as Record<string, PullCursor>;
  const behind: Chunk[] = [];
  const broken: Chunk[] = [];
  const brokenBytes = new Map(state.broken?.map(({ writer, bytes }) => [writer, bytes]));
  for (const { writer, seq, leftAt } of state.writers) {
    const author = believed.get(writer);
    if (writer === me.writer || author === undefined) continue;
    const known: PullCursor | undefined = cursors[writer];
    const size = sizeOf(store.files, store.layout, writer);
    const anew = known === undefined ? size > 0 : size < known.bytes;
    const cursor = known === undefined || anew ? startCursor : known;
    const chunk: Chunk = { author, cursor, rows: [], anew, last: seq };
    if (brokenBytes.has(writer)) broken.push(chunk);
    // Of a member who was revoked only what the owner had seen may be left.
    if (seq < cursor.seq) { if (leftAt === null) behind.push(chunk); }
    else if (seq > cursor.seq || anew) chunks.set(writer, chunk);
  }
  let held = 0;
  const after = new Map([...chunks].map(([writer, { cursor }]) => [writer, cursor.seq]));
  const isOver = (writer: string): boolean => chunks.get(writer)?.isOver === true;
  for await (const rows of remote.pull(after, isOver)) {
    session.signal.throwIfAborted();
    for (const row of rows) {
      const chunk = chunks.get(row.writer);
      if (chunk === undefined || chunk.isOver) continue;
      chunk.rows.push(row);
      held += rowBytes + (row.body?.length ?? 0);
    }
    if (held < flushBytes) continue;
    await flush(session, chunks, pulled);
    held = 0;
  }
  await flush(session, chunks, pulled);
  await noteStops(session, pulled, [
    // What was pulled before is gone there: it stays here.
    ...behind.map((chunk) => ({ chunk, seq: chunk.cursor.seq, reason: "missing_row" as const })),
    // Rows behind the last signature, at the end: whoever cut it off is not the writer.
    ...[...chunks.values()].filter(({ rows }) => rows.length > 0)
      .map((chunk) => ({ chunk, seq: chunk.rows[0].seq, reason: "bad_signature" as const })),
    // Rows that were told of and did not come.
    ...[...chunks.values()].filter(isShort)
      .map((chunk) => ({ chunk, seq: chunk.cursor.seq + 1, reason: "missing_row" as const })),
    ...broken.map((chunk) => ({
      chunk,
      seq: chunk.cursor.seq + 1,
      reason: "bad_signature" as const,
      bytes: brokenBytes.get(chunk.author.writer),
    })),
  ]);
  return pulled;
}

export function addPulled(into: Pulled, more: Pulled): void {
  for (const [author, count] of more.rows) {
    into.rows.set(author, (into.rows.get(author) ?? 0) + count);
  }
  into.refused.push(...more.refused);
  into.erases.push(...more.erases);
  into.bytes += more.bytes;
}

interface Chunk {
  author: BelievedWriter;
  cursor: PullCursor;
  /** What came and was not written yet. */
  rows: WireRow[];
  /** Whether the log is made anew: it was shorter than it should be. */
  anew: boolean;
  /** Whether its chain broke in this pull. */
  isOver?: true;
  /** The last row that it was said to have. */
  last: number;
}

/** Whether rows are missing at the end, for no reason that was told already. */
function isShort({ rows, isOver, cursor, last }: Chunk): boolean {
  return rows.length === 0 && !isOver && cursor.seq < last && cursor.stopped === undefined;
}

/** Rows without a signature that are more than a batch can be; one row alone may be a large one. */
function isEndless(rows: readonly WireRow[]): boolean {
  const bytes = rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
  return rows.length > maxUnsigned.rows ||
    rows.length > 1 && bytes > maxUnsigned.bytes + maxBodyBytes;
}

const startCursor: PullCursor = { seq: 0, link: toBase64Url(chainStart.link), bytes: 0 };

/** Takes what holds of all that came; rows behind the last signature stay for the next time. */
async function flush(
  session: SyncSession,
  chunks: ReadonlyMap<string, Chunk>,
  pulled: Pulled,
): Promise<void> {
  const { me, store } = session;
  const taken: Taken[] = [];
  for (const [writer, chunk] of chunks) {
    if (chunk.rows.length === 0) continue;
    const verified = verifyRows(chunk.rows, {
      space: me.space,
      writer,
      cursor: { seq: chunk.cursor.seq, link: findBase64Url(chunk.cursor.link) ?? new Uint8Array() },
      publicKey: chunk.author.publicKey,
    });
    if (verified.stop?.reason === "unsigned_end" && isEndless(verified.pending)) {
      verified.stop.reason = "bad_signature";
    }
    chunk.rows = verified.stop?.reason === "unsigned_end" ? verified.pending : [];
    // Nothing more of it counts, and nothing more is asked for.
    if (verified.stop !== undefined && chunk.rows.length === 0) chunk.isOver = true;
    taken.push(toTaken(session, { writer, chunk, verified }));
  }
  const came = taken.flatMap(({ writer, rows }) => rows.map(({ entry }) => ({ writer, entry })));
  const { foreign, open } = judgeTombstones(session, came);
  for (const one of taken) {
    for (const { entry } of foreign.filter(({ writer }) => writer === one.writer)) {
      refuseForeign(one, entry);
    }
    const ids = open.get(one.writer);
    if (ids !== undefined) one.cursor.open = [...new Set(one.cursor.open).union(ids)];
  }
  if (taken.every(isIdle)) return;
  await store.write("sync", (into) => {
    const cursors: Record<string, PullCursor> = readCursors(into.files, into.layout);
    const isAnew = taken.some(({ chunk }) => chunk.anew);
    for (const one of taken) cursors[one.writer] = write(into, one, pulled);
    writeCursors(into, cursors);
    if (isAnew) into.recount();
    dropForeign(into, findClaimed(session, cursors, came));
  });
}

/** A tombstone that is not its writer's to say is put aside. */
function refuseForeign(one: Taken, entry: SharedEntry): void {
  const row = one.rows.find((item) => item.entry === entry);
  if (row === undefined) return;
  one.rows = one.rows.filter((item) => item !== row);
  const { id, seq, author } = entry;
  const reason = "foreign_row" as const;
  one.refused.push({ author, writer: one.writer, seq, id, reason, bytes: row.line });
}

/** Rows that came, which a tombstone of somebody else has named before. */
function findClaimed(
  { believed }: SyncSession,
  cursors: Record<string, PullCursor>,
  came: readonly { entry: SharedEntry }[],
): { id: string; by: string }[] {
  const authors = new Map(
    came.filter(({ entry }) => entry.type !== tombstoneType)
      .map(({ entry }) => [entry.id, entry.author]),
  );
  return Object.entries(cursors).flatMap(([writer, { open = [] }]) => {
    const by = believed.get(writer)?.name ?? "";
    return open.filter((id) => (authors.get(id) ?? by) !== by).map((id) => ({ id, by }));
  });
}

/** What there is to do for one writer. */
interface Taken {
  writer: string;
  chunk: Chunk;
  rows: { entry: SharedEntry; line: Uint8Array; kind: string }[];
  refused: (Refusal & { bytes: Uint8Array })[];
  /** As it will be. */
  cursor: PullCursor;
  stop?: PullCursor["stopped"];
}

/** Whether nothing moved and nothing is new to tell. */
function isIdle({ chunk, cursor, stop, refused }: Taken): boolean {
  return cursor.seq === chunk.cursor.seq && refused.length === 0 && !chunk.anew &&
    (stop === undefined || isTold(chunk.cursor, stop));
}

function toTaken(
  session: SyncSession,
  { writer, chunk, verified }: { writer: string; chunk: Chunk; verified: Verified },
): Taken {
  const { author, cursor: before } = chunk;
  const taken: Taken = {
    writer,
    chunk,
    rows: [],
    refused: [],
    cursor: { ...before, seq: verified.cursor.seq, link: toBase64Url(verified.cursor.link) },
  };
  if (verified.cursor.seq > before.seq) delete taken.cursor.stopped;
  const refuse = (row: WireRow, reason: RefusalReason): void => {
    const { seq, id } = row;
    const bytes = row.body ?? new Uint8Array();
    taken.refused.push({ author: author.name, writer, seq, id, reason, bytes });
  };
  for (const row of verified.accepted) {
    const read = readPayload(row as WireRow & { body: Uint8Array }, {
      space: session.me.space,
      author: author.name,
      findKey: (epoch) => findEpoch(session, epoch),
    });
    if (read.fault === "no_key") {
      // The key may come with the next sync: until then nothing of this writer counts.
      const stop = { seq: row.seq, reason: read.fault } as const;
      return { ...taken, rows: [], refused: [], cursor: { ...before, stopped: stop }, stop };
    }
    if (read.fault !== undefined) refuse(row, read.fault);
    else if (read.kind !== "void") taken.rows.push(read);
  }
  const kept = { refused: [...before.refused ?? []] };
  for (const { row, reason } of verified.refused) {
    refuse(row, reason);
    keepRefused(kept, row, reason);
  }
  // Whether somebody may have taken them away is asked when everything is here.
  for (const row of verified.bodiless) keepRefused(kept, row, "withheld");
  if (kept.refused.length > 0) taken.cursor.refused = kept.refused;
  const { stop } = verified;
  if (stop !== undefined && stop.reason !== "unsigned_end") {
    const reason = stop.reason === "gap" ? "missing_row" : toReason(stop.reason);
    taken.stop = taken.cursor.stopped = { seq: stop.seq, reason };
  }
  return taken;
}

function toReason(reason: NonNullable<Verified["stop"]>["reason"]): RefusalReason {
  return reason === "foreign_row" ? reason : "bad_signature";
}

function keepRefused(
  cursor: { refused: RefusedRow[] },
  row: WireRow,
  reason: RefusedRow["reason"],
): void {
  const digest = toBase64Url(row.sig.subarray(0, 32));
  cursor.refused.push({ seq: row.seq, id: row.id, reason, digest });
}

/** Writes what was taken of a writer, under the lock; returns its cursor. */
function write(into: Writer, { writer, chunk, ...taken }: Taken, pulled: Pulled): PullCursor {
  const { files, layout } = into;
  const { author } = chunk;
  if (chunk.anew) startAnew(into, writer);
  chunk.anew = false;
  // After a crash the log may be ahead of its cursor.
  const last = lastSeqOf(files, layout, writer);
  const lines = taken.rows.filter(({ entry }) => entry.seq > last).map(({ line }) => line);
  appendTeam(into, writer, lines);
  for (const { bytes, ...refusal } of taken.refused) {
    quarantine(into, refusal, bytes);
    pulled.refused.push(refusal);
  }
  const cursor = { ...taken.cursor, bytes: sizeOf(files, layout, writer) };
  if (taken.stop !== undefined && !isTold(chunk.cursor, taken.stop)) {
    pulled.refused.push({ author: author.name, writer, ...taken.stop });
    quarantine(into, { writer, ...taken.stop }, new Uint8Array());
  }
  pulled.rows.set(author.name, (pulled.rows.get(author.name) ?? 0) + taken.rows.length);
  for (const { entry, kind, line } of taken.rows) {
    pulled.bytes += line.length + 1;
    if (kind === "erase") pulled.erases.push({ eraser: writer, seq: entry.seq });
  }
  chunk.cursor = cursor;
  return cursor;
}

function quarantine(
  into: Writer,
  { writer, seq, reason }: { writer: string; seq: number; reason: string },
  bytes: Uint8Array,
): void {
  into.quarantine(bytes, { file: `team/${writer}.ndjson`, offset: seq, reason });
}

/** A log that lost bytes is pulled from its beginning. */
function startAnew({ files, layout }: Writer, writer: string): void {
  files.remove(teamLogOf(layout, writer));
  remakeOrder(files, layout);
}

function sizeOf(files: Files, layout: Layout, writer: string): number {
  return files.findSize(teamLogOf(layout, writer)) ?? 0;
}

/** Tells that writers are not followed further, unless that was told before. */
async function noteStops(
  { store }: SyncSession,
  pulled: Pulled,
  stops: readonly { chunk: Chunk; seq: number; reason: RefusalReason; bytes?: Uint8Array }[],
): Promise<void> {
  const fresh = stops.filter(({ chunk, seq, reason }) => !isTold(chunk.cursor, { seq, reason }));
  if (fresh.length === 0) return;
  await store.write("sync", (into) => {
    const cursors: Record<string, PullCursor> = readCursors(into.files, into.layout);
    for (const { chunk: { author, cursor }, seq, reason, bytes } of fresh) {
      const { writer, name } = author;
      pulled.refused.push({ author: name, writer, seq, reason });
      quarantine(into, { writer, seq, reason }, bytes ?? new Uint8Array());
      cursors[writer] = { ...cursor, stopped: { seq, reason } };
    }
    writeCursors(into, cursors);
  });
}

function isTold(
  { stopped }: PullCursor,
  stop: { seq: number; reason: RefusalReason },
): boolean {
  return stopped?.seq === stop.seq && stopped.reason === stop.reason;
}
