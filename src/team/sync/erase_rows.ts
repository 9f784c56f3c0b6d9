// Takes off this disk what others ask to be gone, and then says so: bytes first, receipt second. What
// counts is the signed row in the log of who asks, not the list that the server keeps.

import type { Store } from "../../store/store.ts";
import { readLines } from "../../disk/lines.ts";
import { eraseTeam } from "../../store/lifecycle/forget_entries.ts";
import { toFewNeedles } from "../../store/find.ts";
import { parseLine } from "../../store/row.ts";
import { readPushed } from "../../store/team/pushed_log.ts";
import { teamLogOf } from "../../store/team/team_order.ts";
import type { Pulled } from "./pull_rows.ts";
import type { Pushed } from "./push_rows.ts";
import type { SyncSession } from "./sync_session.ts";

/** What was taken off this disk. */
export interface Erased {
  /** Rows of others that are gone from here. */
  rows: number;
  /** Own entries that the space's owner took out of the space; here they stay. */
  own: string[];
  confirmed: number;
}

/** A signed row that asks for bytes to go. */
interface Erasure {
  eraser: string;
  seq: number;
  author: string;
  owner: boolean;
  refs: readonly string[];
}

/** How every row looks that asks for bytes to go. */
export const erasedNeedle = '"erased":true';

/** Erases what was asked for since the last time, and what a killed sync left. */
export async function eraseRows(
  session: SyncSession,
  { pulled, pushed }: { pulled: Pulled; pushed: Pushed },
): Promise<Erased> {
  const { store, remote, state, me } = session;
  const asked = readErasures(session, [
    ...pulled.erases,
    ...state.erasures.filter(({ eraser }) => eraser !== me.writer),
  ]);
  const ids = findErasable(store, asked);
  if (ids.size > 0) await store.write("sync", (into) => eraseTeam(into, ids));
  // What this store asked for is gone from it already.
  const mine = [
    ...state.erasures.filter(({ eraser }) => eraser === me.writer),
    ...pushed.erasers.map((seq) => ({ eraser: me.writer, seq })),
  ];
  const done = [...asked, ...mine].map(({ eraser, seq }) => ({ eraser, seq }));
  if (done.length > 0) await remote.confirmErased(me.writer, done);
  return { rows: ids.size, own: findOwn(session, asked, pulled), confirmed: done.length };
}

/** The rows that ask, by who asked and where; those that were not pulled yet are left for later. */
function readErasures(
  { store, believed }: SyncSession,
  wanted: readonly { eraser: string; seq: number }[],
): Erasure[] {
  const found: Erasure[] = [];
  for (const [eraser, asked] of Map.groupBy(wanted, (item) => item.eraser)) {
    const author = believed.get(eraser);
    if (author === undefined) continue;
    const seqs = new Set(asked.map(({ seq }) => seq));
    const path = teamLogOf(store.layout, eraser);
    for (const { bytes } of readLines(store.files, path, { needles: [erasedNeedle] })) {
      const [entry] = parseLine(bytes).entries;
      if (entry?.erased !== true || !seqs.delete(Number(entry.seq))) continue;
      const { name, owner } = author;
      const refs = entry.refs ?? [];
      found.push({ eraser, seq: Number(entry.seq), author: name, owner, refs });
    }
  }
  return found;
}

/** The rows of others here that somebody who may has asked for. */
function findErasable(store: Store, asked: readonly Erasure[]): Set<string> {
  const erasable = new Set<string>();
  const askers = new Map<string, Erasure[]>();
  for (const erasure of asked) {
    for (const id of erasure.refs) askers.set(id, [...askers.get(id) ?? [], erasure]);
  }
  if (askers.size === 0) return erasable;
  using snapshot = store.openSnapshot();
  const needles = toFewNeedles(new Set(askers.keys()));
  for (const { entry } of snapshot.rows({ pools: ["team"], needles })) {
    const may = askers.get(entry.id)?.some(({ owner, author }) => owner || author === entry.author);
    if (may) erasable.add(entry.id);
  }
  return erasable;
}

/** Own entries that somebody else took out of the space, of the rows that just came. */
function findOwn({ store, me }: SyncSession, asked: readonly Erasure[], pulled: Pulled): string[] {
  const isNew = ({ eraser, seq }: Erasure): boolean =>
    pulled.erases.some((item) => item.eraser === eraser && item.seq === seq);
  const others = asked.filter((item) => item.owner && item.author !== me.name && isNew(item));
  if (others.length === 0) return [];
  const refs = new Set(others.flatMap((item) => item.refs));
  return [...readPushed(store)].filter(({ id, kind }) => kind === "entry" && refs.has(id))
    .map(({ id }) => id);
}
