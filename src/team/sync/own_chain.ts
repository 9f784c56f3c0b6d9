// Where this store's own chain on the server ends, and whether it is this store's: after a kill in the
// middle of a push, when `pushed.ndjson` was lost, when the store was restored from a backup, or when a
// copy of it pushes under the same identity.

import { ownPools, tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { toFewNeedles } from "../../store/find.ts";
import type { Store } from "../../store/store.ts";
import {
  appendPushed,
  pushedOf,
  type PushedRow,
  type PushIntent,
  readPushed,
  readPushIntent,
  replacePushed,
} from "../../store/team/pushed_log.ts";
import { readCursors, writeCursors } from "../../store/team/team_log.ts";
import type { RemoteSpace } from "../remote/remote_space.ts";
import type { RemoteState } from "../remote/remote_state.ts";
import { findBase64Url, toBase64Url } from "../trust/base64url.ts";
import { type ChainCursor, chainStart, verifyRows } from "../trust/chain.ts";
import { type PayloadKind, readPayload } from "../trust/row_payload.ts";
import type { WireRow } from "../trust/wire_row.ts";
import { unwrapAll } from "./open_space.ts";
import { localId } from "./reserved_id.ts";
import type { RemoteSecrets } from "./secrets_file.ts";
import { findEpoch, type SyncSession } from "./sync_session.ts";

/** Brings what is known of the own chain up to the server; throws REMOTE_FORKED when it is not ours. */
export async function followOwn(session: SyncSession): Promise<ChainCursor> {
  const { store, state, me, remote, key } = session;
  const server = state.writers.find(({ writer }) => writer === me.writer)?.seq ?? 0;
  const known = findOwnCursor(store, me.writer);
  if (known !== undefined && server < known.seq) throw lostRows(me.space, known.seq - server);
  const cursor = known ?? chainStart;
  if (server === cursor.seq) return cursor;
  const rows: WireRow[] = [];
  for await (const some of remote.pull(new Map([[me.writer, cursor.seq]]))) rows.push(...some);
  const { space, writer } = me;
  const verified = verifyRows(rows, { space, writer, cursor, publicKey: key.publicKey });
  if (verified.stop !== undefined) throw notOurs(me.space);
  const before = [...readPushed(store)];
  const intent = readPushIntent(store);
  const seen = new Set(before.map(({ seq }) => seq));
  const fresh = rows.filter(({ seq }) => !seen.has(seq))
    .map((row) => toPushed(session, row, intent));
  refuseUnknown(session, fresh, intent);
  await store.write("sync", (into) => {
    if (known === undefined) {
      const all = [...before.filter(({ seq }) => seq <= server), ...fresh];
      replacePushed(into, all.sort((a, b) => a.seq - b.seq));
    } else appendPushed(into, fresh);
    writeOwnCursor(into, writer, verified.cursor);
  });
  return verified.cursor;
}

/** How far the own chain is known; undefined when what was pushed is not all written down. */
export function findOwnCursor(store: Place, writer: string): ChainCursor | undefined {
  const { files, layout } = store;
  const cursor = readCursors(files, layout)[writer];
  if (cursor === undefined) return undefined;
  const size = files.findSize(pushedOf(layout)) ?? 0;
  return size < cursor.bytes
    ? undefined
    : { seq: cursor.seq, link: findBase64Url(cursor.link) ?? new Uint8Array() };
}

/** Keeps how far it is known, after `pushed.ndjson` has it. */
export function writeOwnCursor(
  into: Parameters<typeof writeCursors>[0],
  writer: string,
  { seq, link }: ChainCursor,
): void {
  const { files, layout } = into;
  const bytes = files.findSize(pushedOf(layout)) ?? 0;
  const cursors = readCursors(files, layout);
  writeCursors(into, { ...cursors, [writer]: { seq, link: toBase64Url(link), bytes } });
}

/** What other stores of this member have pushed of the rows that are here. */
export async function readMemberRows(
  remote: RemoteSpace,
  { store, state, secrets, but }: {
    store: Store;
    state: RemoteState;
    secrets: RemoteSecrets;
    but: string;
  },
): Promise<{ id: string; kind: string }[]> {
  const own = state.writers.filter(({ name, writer }) => name === state.me && writer !== but);
  const epochs = await unwrapAll(state, { holder: but, identity: secrets.age });
  const me = { space: state.space, name: state.me };
  const found: { id: string; kind: string }[] = [];
  for await (const rows of remote.pull(new Map(own.map(({ writer }) => [writer, 0])))) {
    for (const row of rows) {
      found.push({ id: localId(row.id), kind: findKind({ me, epochs }, row) });
    }
  }
  return findKnown(store, found.filter(({ kind }) => kind !== "void"));
}

type Place = Pick<Store, "files" | "layout">;

/** A row of ours on the server as it is written down here. */
function toPushed(session: SyncSession, row: WireRow, intent?: PushIntent): PushedRow {
  const { seq, id } = row;
  const kind = findKind(session, row);
  // A place that was filled: which row was to be there, the intent tells.
  const meant = kind === "void" ? intent?.ids[seq - intent.first] : undefined;
  return { seq, id: meant ?? localId(id), kind };
}

function findKind(
  session: Pick<SyncSession, "epochs"> & { me: Pick<SyncSession["me"], "space" | "name"> },
  row: WireRow,
): PayloadKind {
  if (row.kind !== "sealed") return row.kind as PayloadKind;
  if (row.body === null) return "entry";
  const read = readPayload(row as WireRow & { body: Uint8Array }, {
    space: session.me.space,
    author: session.me.name,
    findKey: (epoch) => findEpoch(session, epoch),
  });
  return read.kind ?? "entry";
}

/** Rows that this store neither has nor had: another one pushes under its identity. */
function refuseUnknown(
  { store, me }: SyncSession,
  rows: readonly PushedRow[],
  intent: PushIntent | undefined,
): void {
  const sent = new Set(intent?.ids);
  const asked = rows.filter(({ kind, id }) => kind !== "void" && !sent.has(id));
  if (findKnown(store, asked).length < asked.length) throw notOurs(me.space);
}

/** Those of some pushed rows that the own logs have, or have a tombstone of. */
function findKnown<T extends { id: string }>(store: Store, rows: readonly T[]): T[] {
  if (rows.length === 0) return [];
  const own = new Set<string>();
  using snapshot = store.openSnapshot();
  const needles = toFewNeedles(new Set(rows.map(({ id }) => toTarget(id))));
  for (const { entry } of snapshot.rows({ pools: ownPools, needles })) {
    own.add(entry.id);
    if (entry.type === tombstoneType) { for (const id of entry.refs ?? []) own.add(id); }
  }
  return rows.filter(({ id }) => own.has(id) || own.has(toTarget(id)));
}

/** What was taken back is named by what it was (`plan_push.ts`). */
function toTarget(id: string): string {
  return id.replace(/-u$/, "");
}

function notOurs(space: string): CtxError {
  return new CtxError(
    "REMOTE_FORKED",
    `Cannot sync with "${space}": another copy of this store uses the same identity, or this one was restored from a backup`,
    { hint: "give this store its own identity: ctx team add --again" },
  );
}

function lostRows(space: string, count: number): CtxError {
  return new CtxError(
    "REMOTE_FORKED",
    `Cannot sync with "${space}": the last ${count} rows that this store pushed are missing in the space; was it restored from a backup?`,
    { hint: "push them again under a new identity: ctx team add --again" },
  );
}
