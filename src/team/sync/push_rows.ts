// Sends what may leave, a batch at a time. What is about to be sent is written down first, under the
// store's lock: from then on forgetting one of these rows knows that others may have it. The server
// takes a batch whole or not at all.

import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import {
  appendPushed,
  clearPushIntent,
  findPushedKinds,
  type PushedRow,
  readPushIntent,
  writePushIntent,
} from "../../store/team/pushed_log.ts";
import type { RemoteFile } from "../../store/team/remote_file.ts";
import { isTakenBackId } from "../../store/team/share_log.ts";
import type { Erasure, PushResult } from "../remote/remote_space.ts";
import { type ChainCursor, sealBatch } from "../trust/chain.ts";
import { encodeBody } from "../trust/row_body.ts";
import { encodePayload } from "../trust/row_payload.ts";
import type { UnsignedRow, WireRow } from "../trust/wire_row.ts";
import { readMark, writeMark } from "./own_scan.ts";
import { writeOwnCursor } from "./own_chain.ts";
import type { Gate } from "./gate.ts";
import { type PlannedRow, type PlanOptions, planPush, type PushPlan } from "./plan_push.ts";
import { reservedId } from "./reserved_id.ts";
import type { SyncSession } from "./sync_session.ts";

export interface Pushed {
  /** Entries. */
  rows: number;
  tombstones: number;
  /** Entries whose bytes the server gave up. */
  erased: number;
  /** The rows that asked for it. */
  erasers: number[];
  /** Entries that somebody else has under the same id: theirs stay. */
  taken: number;
  bytes: number;
}

/** A batch is one transaction. */
const maxRows = 5000;
const maxBytes = 8 << 20;

/** Pushes everything that is to leave, from the end of the own chain on. */
export async function pushRows(
  session: SyncSession,
  { gate, chain }: { gate: Gate; chain: ChainCursor },
): Promise<Pushed> {
  const { store, me } = session;
  const sent: Pushed = { rows: 0, tombstones: 0, erased: 0, erasers: [], taken: 0, bytes: 0 };
  // What it told of either landed, and is written down by now, or never will.
  if (readPushIntent(store) !== undefined) {
    await store.write("sync", (into) => clearPushIntent(into));
  }
  let cursor = chain;
  let pushed: Map<string, string> | undefined;
  while (isBehind(store, gate)) {
    session.signal.throwIfAborted();
    pushed ??= findPushedKinds(store);
    const options = { gate, pushed, name: me.name, isOwner: me.owner };
    // Most of what is new stays here: then nothing but the mark is written.
    const look = plan(store, options);
    if (look.rows.length === 0) {
      writeMark(store, look.mark);
      continue;
    }
    const { seq } = cursor;
    const batch = await store.write("sync", (into) => {
      const found = plan(store, options);
      const ids = found.rows.map(({ entry }) => entry.id);
      if (ids.length > 0) writePushIntent(into, { first: seq + 1, ids });
      return found;
    });
    if (batch.rows.length === 0) continue;
    const { rows, after } = await send(session, batch.rows, cursor);
    cursor = after;
    await store.write("sync", (into) => {
      appendPushed(into, rows);
      writeOwnCursor(into, me.writer, after);
      clearPushIntent(into);
      writeMark(into, batch.mark);
    });
    for (const [i, row] of rows.entries()) {
      pushed.set(row.id, row.kind);
      count(sent, batch.rows[i], row);
    }
  }
  return sent;
}

/** Everything that would leave now; looks only. */
export function listLeaving(
  store: Store,
  { gate, me }: { gate: Gate; me: Pick<RemoteFile, "name" | "owner"> },
): PlannedRow[] {
  const pushed = findPushedKinds(store);
  using snapshot = store.openSnapshot();
  const mark = readMark(store, gate.key);
  return planPush({ gate, pushed, name: me.name, isOwner: me.owner, snapshot, mark }).rows;
}

/** Whether there is something behind the mark. */
function isBehind(store: Store, gate: Gate): boolean {
  const mark = readMark(store, gate.key);
  using snapshot = store.openSnapshot();
  return mark.archive.bytes < snapshot.sizeOf("archive") || mark.hot.bytes < snapshot.sizeOf("hot");
}

function plan(
  store: Store,
  options: Omit<PlanOptions, "snapshot" | "mark">,
): PushPlan {
  const mark = readMark(store, options.gate.key);
  using snapshot = store.openSnapshot();
  return planPush({ ...options, snapshot, mark, maxRows, maxBytes });
}

/** A row that is in the space now; not new when it was there already. */
interface SentRow extends PushedRow {
  isNew: boolean;
}

/** Signs and sends a batch; ids that the space has already leave a void behind. */
async function send(
  session: SyncSession,
  planned: readonly PlannedRow[],
  cursor: ChainCursor,
): Promise<{ rows: SentRow[]; after: ChainCursor }> {
  const { believed, me } = session;
  const taken = new Map<string, string | undefined>();
  while (true) {
    const { rows, after, erasures } = encode(session, { planned, cursor, taken });
    const result: PushResult = await session.remote.push(rows, erasures);
    if (result.taken.length > 0) {
      const known = taken.size;
      for (const { id, writer } of result.taken) taken.set(id, believed.get(writer)?.name);
      if (taken.size === known) throw takenTwice(me.space);
      continue;
    }
    // What another store of the same member pushed is the member's: to be forgotten from here too.
    const kept = planned.map(({ entry: { id }, kind }, i) => ({
      seq: rows[i].seq,
      id,
      kind: taken.has(id) && taken.get(id) !== me.name ? "void" : kind,
      isNew: !taken.has(id),
    }));
    return { rows: kept, after };
  }
}

/** A server that says so of rows which it has just been told to fill would be asked for ever. */
function takenTwice(space: string): CtxError {
  return new CtxError("REMOTE_FAILED", `Cannot push to "${space}": the space rejects every row`, {
    hint:
      "nothing was left half done; ask the owner of the space or the administrator of its server",
  });
}

function encode(
  session: SyncSession,
  { planned, cursor, taken }: {
    planned: readonly PlannedRow[];
    cursor: ChainCursor;
    taken: ReadonlyMap<string, unknown>;
  },
): { rows: WireRow[]; after: ChainCursor; erasures: Erasure[] } {
  const { me: { space, writer, name: author }, key, epochs, now } = session;
  const epoch = epochs.at(-1);
  const sentAt = new Date(now()).toISOString();
  const erasures: Erasure[] = [];
  const unsigned = planned.map(({ entry, kind: own }, i): UnsignedRow => {
    const seq = cursor.seq + 1 + i;
    const isVoid = taken.has(entry.id);
    const id = isVoid
      ? reservedId(writer, `void-${seq}`)
      : own === "erase" && isTakenBackId(entry.id)
      ? reservedId(writer, entry.id)
      : entry.id;
    const kind = isVoid ? "void" : own;
    if (kind === "erase") { for (const ref of entry.refs ?? []) erasures.push({ seq, id: ref }); }
    const payload = isVoid ? new Uint8Array() : encodePayload({ ...entry, id, author, seq });
    const body = encodeBody(payload, { space, writer, seq, id }, { key: epoch });
    const ts = epoch === undefined ? toWireTime(entry.ts, sentAt) : sentAt;
    return {
      writer,
      seq,
      id,
      kind: epoch === undefined ? kind : "sealed",
      visibility: "space",
      ts,
      body,
    };
  });
  const sealed = sealBatch(unsigned, { space, writer, cursor, key });
  return { rows: sealed.rows, after: sealed.cursor, erasures };
}

/** Times that a server may not know are told as that of the push; the entry keeps its own. */
function toWireTime(ts: string, sentAt: string): string {
  return /^[12]\d{3}-/.test(ts) ? ts : sentAt;
}

function count(
  sent: Pushed,
  { entry, bytes }: PlannedRow,
  { kind, seq, isNew }: SentRow,
): void {
  if (kind === "void") sent.taken++;
  if (!isNew) return;
  sent.bytes += bytes;
  if (kind === "entry") sent.rows++;
  else if (kind === "tombstone") sent.tombstones++;
  else {
    sent.erased += entry.refs?.length ?? 0;
    sent.erasers.push(seq);
  }
}
