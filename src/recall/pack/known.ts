// What a session that starts may be told: what was saved or derived and still holds. Of a long log the
// most valuable of each kind are kept ready in `index/known.json`, a line each, so that a start reads
// these and the rows that came since, not the whole log. Derived: without it the logs are read.

import { authorOf, type Entry, type Pool, pools, tombstoneType } from "../../core/entry.ts";
import { recordOf } from "../../core/rows/record.ts";
import { isTelling } from "../../core/rows/telling_words.ts";
import { compareText } from "../../core/text.ts";
import { orderTime } from "../../core/time/known_time.ts";
import { isVersioned } from "../../disk/conflicts.ts";
import { fingerprintOf } from "../../disk/lines.ts";
import { type Surroundings, worthOf } from "../../read/knowledge_worth.ts";
import { findCorrected, withoutOutdated } from "../../read/outdated.ts";
import { SaidLines } from "../../read/same_line.ts";
import { type Kept, knownForm, readKept, saveKept } from "../../store/catalog_file.ts";
import { Forgotten, repeatKey, type Snapshot, tombstoneNeedle } from "../../store/snapshot.ts";
import type { State } from "../../store/state.ts";
import type { Store } from "../../store/store.ts";
import type { UnwrittenRecords } from "../distil/list_records.ts";
import type { Looked } from "./find_stale_ids.ts";
import { isOfTeam, lineChars, type PackSection } from "./pack_item.ts";
import { packLine, withTitle } from "./pack_line.ts";

/** A piece of knowledge: an entry whose text is the line that is told of it. */
export interface KnownRow extends Entry {
  truncated_chars: number;
  /** Whether a more valuable one said the same when it was kept. */
  repeats?: true;
}

/** How many of each kind there are beside those that are named. */
export type More = Partial<Record<PackSection, number>>;

/** What is known. */
export interface Known {
  rows: KnownRow[];
  /** The ids of all that was corrected. */
  corrected: ReadonlySet<string>;
  more: More;
  /** Whether nothing was written since all sessions were distilled. */
  isSettled: boolean;
  /** What a look at code told before. */
  looked?: Looked;
  /** Whether these are the rows that were kept, all of them, so that repeats are known. */
  isAsKept: boolean;
}

/** What is asked for. */
export interface KnownScope extends Surroundings {
  /** Only this session. */
  session?: string;
  /** All there is, not only the most valuable of each kind. */
  isWhole?: boolean;
}

/** Records of sessions that are going on, by session: they are written when it ends, or another starts. */
export type Drafts = Record<string, UnwrittenRecords>;

interface KnownFile extends Kept {
  rows: KnownRow[];
  more: More;
  /** What was corrected, each with what corrects it. */
  corrected: [id: string, by: string][];
  /** Decisions that were corrected: what was derived of carrying them out holds no more. */
  outdated: Pick<Entry, "id" | "type" | "refs">[];
  forgotten: { ids: string[]; inTeam: string[] };
  drafts: Drafts;
  /** The store's revision at which all sessions were distilled. */
  settled?: number;
  /** Which lines of the last pack spoke of code that has changed. */
  looked?: Looked;
}

/** So many of each kind are kept ready. */
export const mostKept = 96;
/** After so much more of the logs it is kept again. */
const minSaveBytes = 256 << 10;

const sectionOf: Record<string, PackSection> = {
  preference: "preferences",
  decision: "decisions",
  open: "open",
  outcome: "outcomes",
  digest: "outcomes",
  fix: "fixes",
  note: "notes",
  command: "commands",
};

/** Knowledge has the role of a note, or one of these types; a correction may have any. */
const needles = [
  '"role":"note"',
  '"type":"preference"',
  '"type":"decision"',
  '"supersedes":',
  '"saved_by":',
];

/** Reads what is known, in no order; where much of the logs had to be read for it, that is kept. */
export function readKnown(store: Store, scope: KnownScope): Known {
  using base = readBase(store, scope);
  const { kept, state } = base;
  if (base.read >= minSaveBytes && scope.session === undefined && !scope.isWhole) {
    save(store, base, { around: scope, drafts: {}, ...kept });
  }
  const drafts = kept?.drafts ?? {};
  const isSettled = kept?.settled === state.revision && Object.keys(drafts).length === 0;
  const holding = settle(withDrafts(base, drafts), scope);
  const isAsKept = kept !== undefined && base.found.length === kept.rows.length &&
    holding.rows.length === kept.rows.length &&
    holding.rows.every((row, i) => row === kept.rows[i]);
  return { ...holding, more: kept?.more ?? {}, isSettled, looked: kept?.looked, isAsKept };
}

/** What to keep beside what is known; what is not named stays as it was kept. */
export interface Keeping {
  /** Records that are not written yet, by session; beside those of other sessions, or none at all. */
  drafts?: Drafts;
  /** The revision of the store at which all sessions were distilled; 0 where some are not. */
  settled?: number;
  looked?: Looked;
}

/** Keeps what is known ready. */
export function keepKnown(store: Store, around: Surroundings, keeping: Keeping = {}): void {
  using base = readBase(store, around);
  const { drafts, settled, looked } = { ...base.kept, ...keeping };
  const isNone = drafts === undefined || Object.keys(drafts).length === 0;
  save(store, base, {
    around,
    drafts: isNone ? {} : { ...base.kept?.drafts, ...drafts },
    settled,
    looked,
  });
}

/** The section of what is knowledge. */
export function findSection(entry: Entry): PackSection | undefined {
  // Of what others than a note say, only these two are knowledge by their type alone.
  const isSaid = entry.type === "preference" || entry.type === "decision";
  if (entry.role !== "note" && !isSaid) return undefined;
  return Object.hasOwn(sectionOf, entry.type) ? sectionOf[entry.type] : undefined;
}

/** Newest first. */
export function byNewest(nowMs: number): (a: Entry, b: Entry) => number {
  return (a, b) =>
    compareText(orderTime(b.ts, nowMs), orderTime(a.ts, nowMs)) || compareText(b.id, a.id);
}

/** What the file has and what came since. */
interface Base extends Disposable {
  state: State;
  snapshot: Snapshot;
  kept?: KnownFile;
  forgotten: Forgotten;
  found: KnownRow[];
  linked: Pick<Entry, "id" | "supersedes" | "saved_by">[];
  /** How many bytes of the logs were read for it. */
  read: number;
}

function readBase(store: Store, scope: KnownScope): Base {
  // Before the logs are opened: what is written later is not counted, and not read.
  const state = store.readState();
  const stored = scope.session === undefined && !scope.isWhole ? findKept(store) : undefined;
  const snapshot = store.openSnapshot();
  const { kept, forgotten } = forget(stored, { state, snapshot });
  const found = (kept?.rows ?? []).filter(({ id }) => !forgotten.ids.has(id));
  const linked: Base["linked"] = found.filter(isLinked);
  const keys = new Set(found.map(repeatKey));
  const from: Partial<Record<Pool, number>> = {};
  const to: Partial<Record<Pool, number>> = {};
  let read = 0;
  for (const pool of pools) {
    from[pool] = kept?.covered[pool]?.bytes ?? 0;
    to[pool] = endOf(pool, { state, snapshot });
    read += to[pool] - from[pool];
  }
  for (const row of snapshot.entries({ needles, isBrief: true, from, to, forgotten })) {
    const { entry, pool } = row;
    if (keys.has(repeatKey(entry))) continue;
    if (isLinked(entry)) linked.push(entry);
    if (scope.session !== undefined && entry.session_id !== scope.session) continue;
    if (pool === "team" && !isOfTeam(entry)) continue;
    const known = toKnownRow(entry, authorOf(row));
    if (known !== undefined) found.push(known);
  }
  return {
    state,
    snapshot,
    kept,
    forgotten,
    found,
    linked,
    read,
    [Symbol.dispose]: () => snapshot[Symbol.dispose](),
  };
}

/**
 * What is forgotten, with what of the file can be used: all of it, unless something was forgotten that
 * corrected other rows, which then hold again.
 */
function forget(
  kept: KnownFile | undefined,
  { state, snapshot }: Pick<Base, "state" | "snapshot">,
): { kept?: KnownFile; forgotten: Forgotten } {
  const buried = pools.filter((pool) => state.logs[pool].tombstones > 0);
  if (kept === undefined) return { forgotten: snapshot.readForgotten(buried) };
  const forgotten = toForgotten(kept.forgotten);
  const from: Partial<Record<Pool, number>> = {};
  for (const pool of buried) from[pool] = kept.covered[pool]?.bytes ?? 0;
  for (const row of snapshot.rows({ pools: buried, from, needles: [tombstoneNeedle] })) {
    if (row.entry.type !== tombstoneType) continue;
    const isHeld = row.entry.refs?.some((ref) => kept.corrected.some(([, by]) => by === ref));
    if (isHeld) return forget(undefined, { state, snapshot });
    forgotten.add(row);
  }
  return { kept, forgotten };
}

/** The end of what was counted of a log. */
function endOf(pool: Pool, { state, snapshot }: Pick<Base, "state" | "snapshot">): number {
  return Math.min(state.logs[pool].bytes, snapshot.sizeOf(pool));
}

type Rows = Pick<Base, "found" | "linked" | "kept">;

/** The same with records that are not written yet, and without those that no longer follow. */
function withDrafts(base: Base, drafts: Drafts): Rows {
  const { forgotten, kept } = base;
  const removed = new Set(Object.values(drafts).flatMap(({ removed }) => removed));
  const isThere = ({ id }: Pick<Entry, "id">): boolean => !removed.has(id);
  const known = new Set(base.found.map(({ id }) => id));
  // Not those that were written meanwhile, or whose evidence was forgotten.
  const written = Object.values(drafts).flatMap(({ written }) => written)
    .filter(({ id, refs }) => !known.has(id) && !refs.some((ref) => forgotten.ids.has(ref)));
  return {
    kept,
    found: [
      ...base.found.filter(isThere),
      ...written.flatMap((draft) => toKnownRow(draft, undefined) ?? []),
    ],
    linked: [...base.linked.filter(isThere), ...written.filter(isLinked)],
  };
}

function findKept(store: Store): KnownFile | undefined {
  // Where git merges the logs, rows come twice and in any order: all must be looked at.
  if (isVersioned(store.files, store.layout)) return undefined;
  const read = readKept<KnownFile>(store, knownForm);
  return "kept" in read ? read.kept : undefined;
}

function toForgotten({ ids, inTeam }: KnownFile["forgotten"]): Forgotten {
  const forgotten = new Forgotten();
  for (const id of ids) forgotten.ids.add(id);
  for (const id of inTeam) forgotten.inTeam.add(id);
  return forgotten;
}

function isLinked({ supersedes, saved_by }: Entry): boolean {
  return (supersedes ?? saved_by) !== undefined;
}

/** What of an entry a start needs; undefined when it is no knowledge. */
function toKnownRow(entry: Entry, author: string | undefined): KnownRow | undefined {
  const section = findSection(entry);
  if (section === undefined) return undefined;
  const record = recordOf(entry);
  const { id, ts, role, type, session_id, project, branch, supersedes, saved_by, refs } = entry;
  // Rules took some for a decision or a wish that say only yes, or ask.
  const isSaid = type === "preference" || type === "decision";
  if (isSaid && record?.by === "rules" && !isTelling(entry)) return undefined;
  const cites = type === "decision" || (record && (type === "outcome" || type === "digest"));
  return {
    id,
    ts,
    role,
    type,
    ...packLine(withTitle(entry.title, entry.text), lineChars(section)),
    ...(session_id === undefined ? {} : { session_id }),
    ...(project === undefined ? {} : { project }),
    ...(branch === undefined ? {} : { branch }),
    ...(supersedes === undefined ? {} : { supersedes }),
    ...(saved_by === undefined ? {} : { saved_by }),
    ...(cites ? { refs } : {}),
    ...(author === undefined ? {} : { author }),
    ...(record === undefined ? {} : { record: { by: record.by, subject: record.subject } }),
  };
}

/** What holds, and all that was corrected. */
function settle(
  { found, linked, kept }: Rows,
  scope: Surroundings,
): Pick<Known, "rows" | "corrected"> {
  const corrected = correctedIn({ linked, kept });
  const outdated = (kept?.outdated ?? []).map((row): KnownRow => ({
    ...row,
    ts: "",
    role: "note",
    text: "",
    truncated_chars: 0,
  }));
  const newest = newestOfSubject(
    withoutOutdated([...outdated, ...found], new Set(corrected.keys())),
    scope,
  );
  const told = new Set(
    newest.flatMap(({ type, session_id }) => type === "outcome" ? [session_id] : []),
  );
  const rows = newest.filter(({ type, session_id }) => type !== "digest" || !told.has(session_id));
  return { rows, corrected: new Set(corrected.keys()) };
}

function correctedIn({ linked, kept }: Pick<Rows, "linked" | "kept">): Map<string, string> {
  return new Map([...kept?.corrected ?? [], ...findCorrected(linked)]);
}

/** Of what was derived about one subject the latest holds. */
function newestOfSubject(rows: KnownRow[], { nowMs }: Surroundings): KnownRow[] {
  const compare = byNewest(nowMs);
  const newest = new Map<string, KnownRow>();
  for (const row of rows) {
    const subject = recordOf(row)?.subject;
    const key = subject === undefined ? repeatKey(row) : `${row.type}\0${subject}`;
    const known = newest.get(key);
    if (known === undefined || compare(row, known) < 0) newest.set(key, row);
  }
  return [...newest.values()];
}

/** Keeps the most valuable of each kind, whatever branch is worked on. */
function save(
  store: Store,
  base: Base,
  { around: { nowMs, workspace, standing }, drafts, settled, looked }:
    & Pick<KnownFile, "drafts" | "settled" | "looked">
    & { around: Surroundings },
): void {
  const { snapshot, forgotten, found } = base;
  if (isVersioned(store.files, store.layout)) return;
  const { rows, corrected } = settle(base, { nowMs, workspace });
  const more = { ...base.kept?.more };
  const chosen: KnownRow[] = [];
  for (const [section, some] of Map.groupBy(rows, findSection)) {
    const ranked = rank(some, { nowMs, workspace, standing });
    chosen.push(...ranked.slice(0, mostKept));
    const rest = ranked.length - mostKept;
    if (section !== undefined && rest > 0) more[section] = (more[section] ?? 0) + rest;
  }
  const said = new SaidLines();
  for (const row of rank(chosen, { nowMs, workspace, standing })) {
    if (said.add(row.text)) delete row.repeats;
    else row.repeats = true;
  }
  const covered: Kept["covered"] = {};
  for (const pool of pools) {
    const bytes = endOf(pool, base);
    const tail = fingerprintOf({
      readAt(offset, into) {
        const found = snapshot.readBytes(pool, offset, into.length);
        into.set(found);
        return found.length;
      },
    }, bytes);
    if (tail === undefined) return;
    if (pool !== "team" || bytes > 0) covered[pool] = { bytes, tail };
  }
  const kept: KnownFile = {
    covered,
    rows: chosen,
    more,
    corrected: [...correctedIn(base)],
    outdated: [
      ...base.kept?.outdated ?? [],
      ...found.filter(({ id, type }) => type === "decision" && corrected.has(id))
        .map(({ id, type, refs }) => ({ id, type, refs })),
    ],
    forgotten: { ids: [...forgotten.ids], inTeam: [...forgotten.inTeam] },
    drafts,
    ...(settled === undefined ? {} : { settled }),
    ...(looked === undefined ? {} : { looked }),
  };
  saveKept(store, { form: knownForm, kept, isSame: () => snapshot.isCurrent() });
}

/** The most valuable first. */
export function rank<T extends Entry>(rows: readonly T[], around: Surroundings): T[] {
  const compare = byNewest(around.nowMs);
  return rows.map((row) => ({ row, worth: worthOf(row, around) }))
    .sort((a, b) => b.worth - a.worth || compare(a.row, b.row))
    .map(({ row }) => row);
}
