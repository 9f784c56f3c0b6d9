// What is known before it is settled what of it holds: the rows of `index/known.json`, where they can
// be used, and those that the logs got since.

import { authorOf, type Entry, type Pool, pools, tombstoneType } from "../../core/entry.ts";
import { isVersioned } from "../../disk/conflicts.ts";
import { type Kept, knownForm, readKept } from "../../store/catalog_file.ts";
import { Forgotten, repeatKey, type Snapshot, tombstoneNeedle } from "../../store/snapshot.ts";
import type { Quarantine } from "../../store/quarantined_sessions.ts";
import type { State } from "../../store/state.ts";
import type { Store } from "../../store/store.ts";
import type { UnwrittenRecords } from "../distil/list_records.ts";
import type { Looked } from "./find_stale_ids.ts";
import { isOfTeam, type PackSection } from "./pack_item.ts";
import { knownNeedles, type KnownRow, toKnownRow } from "./known_row.ts";
import type { LogSizes } from "./saved_rows.ts";

/** How many of each kind there are beside those that are named. */
export type More = Partial<Record<PackSection, number>>;

/** Records of sessions that are going on, by session: they are written when it ends, or another starts. */
export type Drafts = Record<string, UnwrittenRecords>;

/** What is kept beside the rows, and stays when they have to be read again. */
export interface Beside {
  drafts: Drafts;
  /** How long the logs were when all sessions were distilled. */
  settled?: LogSizes;
  /** Which lines of the last pack spoke of code that has changed. */
  looked?: Looked;
}

/** What `index/known.json` has. */
export interface KnownFile extends Kept, Beside {
  rows: KnownRow[];
  more: More;
  corrected: [id: string, by: string][];
  /** Decisions that were corrected: what was derived of carrying them out holds no more. */
  outdated: Pick<Entry, "id" | "type" | "refs">[];
  /** Where rows of others come in: their tombstones may have come before them. */
  forgotten?: { ids: string[]; inTeam: string[] };
  /** The sessions that were put aside: rows of these are not among the rows. */
  quarantine?: string;
}

/** What the file has and what came since. */
export interface KnownBase extends Disposable {
  state: State;
  snapshot: Snapshot;
  /** The file, where its rows can be used. */
  kept?: KnownFile;
  beside: Beside;
  forgotten: Forgotten;
  quarantine?: Quarantine;
  found: KnownRow[];
  linked: Pick<Entry, "id" | "supersedes" | "saved_by">[];
  /** How many bytes of the logs were read for it. */
  read: number;
}

/** Reads it; of one session, or with `isWhole`, from the logs alone. */
export function readKnownBase(
  store: Store,
  { session, isWhole, quarantine }: {
    session?: string;
    isWhole?: boolean;
    quarantine?: Quarantine;
  },
): KnownBase {
  // Before the logs are opened: what is written later is not counted, and not read.
  const state = store.readState();
  // Before the file is read: when the logs are replaced in between, nothing of it is kept again.
  const snapshot = store.openSnapshot();
  const stored = session === undefined && !isWhole ? findKept(store) : undefined;
  // Rows that were hidden, or that there was no room for, are only in the logs.
  const isCurrent = stored?.quarantine === quarantine?.mark;
  const { kept, forgotten } = forget(isCurrent ? stored : undefined, { state, snapshot });
  const found = kept?.rows ?? [];
  const linked: KnownBase["linked"] = found.filter(isLinked);
  const base = {
    state,
    snapshot,
    kept,
    forgotten,
    quarantine,
    found: [...found],
    linked,
    read: 0,
    beside: {
      drafts: withoutHidden(stored?.drafts ?? {}, { forgotten, quarantine }),
      settled: stored?.settled,
      looked: isCurrent ? stored?.looked : undefined,
    },
    [Symbol.dispose]: () => snapshot[Symbol.dispose](),
  };
  const keys = new Set(found.map(repeatKey));
  const from: Partial<Record<Pool, number>> = {};
  const to: Partial<Record<Pool, number>> = {};
  for (const pool of pools) {
    from[pool] = kept?.covered[pool]?.bytes ?? 0;
    to[pool] = endOf(pool, base);
    base.read += to[pool] - from[pool];
  }
  for (
    const row of snapshot.entries({ needles: knownNeedles, isBrief: true, from, to, forgotten })
  ) {
    const { entry, pool } = row;
    if (keys.has(repeatKey(entry)) || quarantine?.holds(entry)) continue;
    if (isLinked(entry)) linked.push(entry);
    if (session !== undefined && entry.session_id !== session) continue;
    if (pool === "team" && !isOfTeam(entry)) continue;
    const known = toKnownRow(entry, authorOf(row));
    if (known !== undefined) base.found.push(known);
  }
  return base;
}

/** The end of what was counted of a log. */
export function endOf(
  pool: Pool,
  { state, snapshot }: Pick<KnownBase, "state" | "snapshot">,
): number {
  return Math.min(state.logs[pool].bytes, snapshot.sizeOf(pool));
}

/** The rows with records that are not written yet, and without those that no longer follow. */
export function withDrafts(
  { found, linked, kept, beside }: KnownBase,
): Pick<KnownBase, "found" | "linked" | "kept"> {
  const drafts = Object.values(beside.drafts);
  const removed = new Set(drafts.flatMap(({ removed }) => removed));
  const isThere = ({ id }: Pick<Entry, "id">): boolean => !removed.has(id);
  const known = new Set(found.map(({ id }) => id));
  // Not those that were written meanwhile.
  const written = drafts.flatMap(({ written }) => written).filter(({ id }) => !known.has(id));
  return {
    kept,
    found: [
      ...found.filter(isThere),
      ...written.flatMap((draft): KnownRow[] => {
        const row = toKnownRow(draft, undefined);
        return row === undefined ? [] : [{ ...row, isDraft: true }];
      }),
    ],
    linked: [...linked.filter(isThere), ...written.filter(isLinked)],
  };
}

/**
 * What is forgotten, with what of the file can be used: all of it, unless a row of it was forgotten,
 * or one that corrected others. Then rows that it had no room for, or that were hidden, may be told
 * again, and only the logs have those.
 */
function forget(
  kept: KnownFile | undefined,
  { state, snapshot }: Pick<KnownBase, "state" | "snapshot">,
): Pick<KnownBase, "kept" | "forgotten"> {
  const buried = pools.filter((pool) => state.logs[pool].tombstones > 0);
  if (kept === undefined) return { forgotten: snapshot.readForgotten(buried) };
  const forgotten = new Forgotten();
  for (const id of kept.forgotten?.ids ?? []) forgotten.ids.add(id);
  for (const id of kept.forgotten?.inTeam ?? []) forgotten.inTeam.add(id);
  const from: Partial<Record<Pool, number>> = {};
  for (const pool of buried) from[pool] = kept.covered[pool]?.bytes ?? 0;
  let counted: Set<string> | undefined;
  for (const row of snapshot.rows({ pools: buried, from, needles: [tombstoneNeedle] })) {
    if (row.entry.type !== tombstoneType) continue;
    counted ??= new Set([
      ...kept.rows.map(({ id }) => id),
      ...kept.corrected.map(([, by]) => by),
      ...kept.outdated.map(({ id }) => id),
    ]);
    for (const ref of row.entry.refs ?? []) {
      if (counted.has(ref)) return forget(undefined, { state, snapshot });
    }
    forgotten.add(row);
  }
  return { kept, forgotten };
}

/** Drafts without those that were forgotten or put aside, or whose evidence was. */
function withoutHidden(
  drafts: Drafts,
  { forgotten: { ids }, quarantine }: Pick<KnownBase, "forgotten" | "quarantine">,
): Drafts {
  if (ids.size === 0 && quarantine === undefined) return drafts;
  const isShown = (draft: Drafts[string]["written"][number]): boolean =>
    !ids.has(draft.id) && !draft.refs.some((ref) => ids.has(ref)) && !quarantine?.holds(draft);
  return Object.fromEntries(
    Object.entries(drafts).map(([session, { written, removed }]) => [session, {
      written: written.filter(isShown),
      removed,
    }]),
  );
}

function findKept(store: Store): KnownFile | undefined {
  // Where git merges the logs, rows come twice and in any order: all must be looked at.
  if (isVersioned(store.files, store.layout)) return undefined;
  const read = readKept<KnownFile>(store, knownForm);
  return "kept" in read ? read.kept : undefined;
}

function isLinked({ supersedes, saved_by }: Pick<Entry, "supersedes" | "saved_by">): boolean {
  return (supersedes ?? saved_by) !== undefined;
}
