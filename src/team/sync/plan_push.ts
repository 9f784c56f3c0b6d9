// What is to be pushed: own entries that may leave, tombstones of what was pushed, and erasures of what
// is to be gone everywhere. Reads only; the same rows give the same plan.

import { type Entry, ownPools, tombstoneType } from "../../core/entry.ts";
import { toFewNeedles } from "../../store/find.ts";
import type { Row, Snapshot } from "../../store/snapshot.ts";
import { takenBackId } from "../../store/team/share_log.ts";
import { kindOf, type PayloadKind } from "../trust/row_payload.ts";
import { maxBodyBytes } from "../trust/wire_row.ts";
import type { Gate } from "./gate.ts";
import { isReserved } from "./reserved_id.ts";
import { markBehind, markEnd, readBehind, type ScanMark } from "./own_scan.ts";

/** A row that is to leave, without its author and its place, which it gets when it does. */
export interface PlannedRow {
  entry: Entry;
  kind: PayloadKind;
  /** As it will be told: the length of its line. */
  bytes: number;
}

export interface PlanOptions {
  snapshot: Snapshot;
  mark: ScanMark;
  /** What was pushed, by id: its kind. */
  pushed: ReadonlyMap<string, string>;
  gate: Gate;
  /** The member's name. */
  name: string;
  /** Whether others' rows may be erased too. */
  isOwner: boolean;
  /** Where to stop: a batch is one transaction. */
  maxRows?: number;
  maxBytes?: number;
}

/** The next rows, and where the look ended; `more` when there is more behind it. */
export interface PushPlan {
  rows: PlannedRow[];
  mark: ScanMark;
  more: boolean;
}

/** Looks through the own logs from the mark on, until a batch is full. */
export function planPush(options: PlanOptions): PushPlan {
  const { snapshot, mark, gate, maxRows = Infinity, maxBytes = Infinity } = options;
  const forgotten = snapshot.readForgotten(ownPools);
  const planned = new Map<string, PlannedRow>();
  let bytes = 0;
  const add = (entry: Entry): void => {
    if (planned.has(entry.id)) return;
    const size = new TextEncoder().encode(JSON.stringify(entry)).length;
    // The server takes no larger one; it gets its author, its place and a seal.
    if (size > maxBodyBytes - 1024 && entry.type !== tombstoneType) return;
    planned.set(entry.id, { entry, kind: kindOf(entry), bytes: size });
    bytes += size;
  };
  let last: Row | undefined;
  for (const row of readBehind(snapshot, mark)) {
    if (planned.size >= maxRows || bytes >= maxBytes) {
      const at = last === undefined ? mark : markBehind(snapshot, mark, last);
      return { rows: [...planned.values()], mark: at, more: true };
    }
    last = row;
    const { entry } = row;
    const leaving = entry.type === tombstoneType
      ? toTombstone(entry, options)
      : options.pushed.has(entry.id)
      ? gate.isTakenBack(entry) ? toTakenBack(entry, options) : undefined
      : forgotten.hides(row) || !isNameable(entry.id)
      ? undefined
      : gate.pass(entry);
    if (leaving !== undefined) add(leaving);
  }
  return { rows: [...planned.values()], mark: markEnd(snapshot, mark), more: false };
}

/** Ids of other programs may be what a server does not take; such an entry stays here. */
function isNameable(id: string): boolean {
  return id.length <= 120 && id.isWellFormed() && !id.includes("\0") && !isReserved(id);
}

/** A tombstone as it is pushed: it names what others have, and nothing else. */
function toTombstone(entry: Entry, options: PlanOptions): Entry | undefined {
  const { pushed, snapshot, isOwner, name } = options;
  if (pushed.has(entry.id)) return undefined;
  const isErased = entry.erased === true;
  const refs = entry.refs ?? [];
  // What another store of the same member pushed, and for the owner what anybody did.
  const unknown = isErased ? refs.filter((id) => !pushed.has(id)) : [];
  const others = isOwner ? new Set<string>() : findOthers(snapshot, { ids: unknown, name });
  const shared = refs.filter((id) => {
    const kind = pushed.get(id);
    // A forget that was taken back has its tombstone erased.
    return kind === "entry" || isErased && kind === "tombstone" ||
      isErased && kind === undefined && !others.has(id);
  });
  if (shared.length === 0) return undefined;
  const { id, ts } = entry;
  return { ...tombstone, id, ts, refs: shared, ...(isErased ? { erased: true } : {}) };
}

/** Which of some ids are in the space as entries of others: those are not ours to erase. */
function findOthers(
  snapshot: Snapshot,
  { ids, name }: { ids: readonly string[]; name: string },
): Set<string> {
  const others = new Set<string>();
  if (ids.length === 0) return others;
  const wanted = new Set(ids);
  for (const { entry } of snapshot.rows({ pools: ["team"], needles: toFewNeedles(wanted) })) {
    if (wanted.has(entry.id) && entry.author !== name) others.add(entry.id);
  }
  return others;
}

/** What was shared and is taken back is erased on the server; here it stays. */
function toTakenBack({ id, ts }: Entry, { pushed }: PlanOptions): Entry | undefined {
  const own = takenBackId(id);
  if (pushed.get(id) !== "entry" || pushed.has(own)) return undefined;
  return { ...tombstone, id: own, ts, refs: [id], erased: true };
}

const tombstone = { role: "note", type: tombstoneType, text: "" } as const;
