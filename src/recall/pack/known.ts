// What a session that starts may be told: what was saved or derived and still holds. Of a long log the
// most valuable of each kind are kept ready in `index/known.json`, a line each, so that a start reads
// these and the rows that came since, not the whole log. Derived: without it the logs are read.

import { pools } from "../../core/entry.ts";
import { recordOf } from "../../core/rows/record.ts";
import { isVersioned } from "../../disk/conflicts.ts";
import { fingerprintOf } from "../../disk/lines.ts";
import type { Surroundings } from "../../read/knowledge_worth.ts";
import { findCorrected, withoutOutdated } from "../../read/outdated.ts";
import { countTombstones, type Kept, knownForm, saveKept } from "../../store/catalog_file.ts";
import { repeatKey } from "../../store/snapshot.ts";
import type { Quarantine } from "../../store/quarantined_sessions.ts";
import type { Store } from "../../store/store.ts";
import {
  type Beside,
  type Drafts,
  endOf,
  type KnownBase,
  type KnownFile,
  type More,
  readKnownBase,
  withDrafts,
} from "./known_base.ts";
import { byNewest, findSection, type KnownRow, rank } from "./known_row.ts";
import { orderWork } from "./last_work.ts";
import { readSaved, sizesOf } from "./saved_rows.ts";

export interface Known extends Pick<Beside, "looked"> {
  rows: KnownRow[];
  /** The ids of all that was corrected. */
  corrected: ReadonlySet<string>;
  more: More;
  /** Whether no session went on since all were distilled. */
  isSettled: boolean;
}

/** What is asked for. */
export interface KnownScope extends Surroundings {
  session?: string;
  /** All there is, not only the most valuable of each kind. */
  isWhole?: boolean;
  /** What is put aside. */
  quarantine?: Quarantine;
}

/** So many of each kind are kept ready. */
export const mostKept = 96;
/** After so much more of the logs it is kept again. */
const minSaveBytes = 256 << 10;

/** Reads what is known, in no order; where much of the logs had to be read for it, that is kept. */
export function readKnown(store: Store, scope: KnownScope): Known {
  using base = readKnownBase(store, scope);
  const { kept, state, beside } = base;
  if (base.read >= minSaveBytes && scope.session === undefined && !scope.isWhole) {
    save(store, base, { around: scope, ...beside });
  }
  const since = beside.settled && readSaved(store, beside.settled, sizesOf(state));
  const isSettled = since?.every(({ session_id }) => session_id === undefined) === true &&
    Object.keys(beside.drafts).length === 0;
  const holding = settle(withDrafts(base), scope);
  return { ...holding, more: kept?.more ?? {}, isSettled, looked: beside.looked };
}

/** What to keep beside what is known; what is not named stays as it was kept. */
export interface Keeping extends Partial<Omit<Beside, "drafts">> {
  /** Records that are not written yet, beside those of other sessions. */
  derived?: Derived;
  /** Whether all records are written: nothing that waited is kept. */
  isWritten?: boolean;
}

/** Records that were derived and not written, and whether the store still is the one they are of. */
export interface Derived extends Disposable {
  drafts: Drafts;
  isCurrent(): boolean;
}

/**
 * Derives records to be kept, of the store as it is now: when something was forgotten or erased since,
 * they are not kept, as they may repeat it.
 */
export async function deriveDrafts(store: Store, derive: () => Promise<Drafts>): Promise<Derived> {
  const snapshot = store.openSnapshot();
  const tombstones = countTombstones(store);
  try {
    const drafts = await derive();
    return {
      drafts,
      isCurrent: () => snapshot.isCurrent() && tombstones === countTombstones(store),
      [Symbol.dispose]: () => snapshot[Symbol.dispose](),
    };
  } catch (error) {
    snapshot[Symbol.dispose]();
    throw error;
  }
}

export async function keepKnown(
  store: Store,
  around: Surroundings,
  { derived, isWritten = false, ...keeping }: Keeping = {},
): Promise<void> {
  using base = readKnownBase(store, { quarantine: await store.findQuarantine() });
  save(store, base, {
    around,
    ...base.beside,
    ...keeping,
    drafts: isWritten ? {} : { ...base.beside.drafts, ...derived?.drafts },
    isSame: () => derived?.isCurrent() ?? true,
  });
}

type Rows = Pick<KnownBase, "found" | "linked" | "kept">;

/** What holds, and all that was corrected. */
function settle(
  { found, linked, kept }: Rows,
  scope: Surroundings,
): Pick<Known, "rows" | "corrected"> {
  const corrected = new Set(correctedIn({ linked, kept }).keys());
  const outdated = (kept?.outdated ?? []).map((row): KnownRow => ({
    ...row,
    ts: "",
    role: "note",
    text: "",
    truncated_chars: 0,
  }));
  const rows = newestOfSubject(withoutOutdated([...outdated, ...found], corrected), scope);
  return { rows, corrected };
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
  base: KnownBase,
  { around: { nowMs, workspace, standing }, drafts, settled, looked, isSame = () => true }:
    & Beside
    & { around: Surroundings; isSame?: () => boolean },
): void {
  const { snapshot, forgotten, found } = base;
  if (isVersioned(store.files, store.layout)) return;
  const { rows, corrected } = settle(base, { nowMs, workspace });
  const more = { ...base.kept?.more };
  const chosen: KnownRow[] = [];
  for (const [section, some] of Map.groupBy(rows, findSection)) {
    const around = { nowMs, workspace, standing };
    const ranked = section === "last" ? orderWork(some, around) : rank(some, around);
    chosen.push(...ranked.slice(0, mostKept));
    const rest = ranked.length - mostKept;
    if (section !== undefined && rest > 0) more[section] = (more[section] ?? 0) + rest;
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
    ...(covered.team === undefined
      ? {}
      : { forgotten: { ids: [...forgotten.ids], inTeam: [...forgotten.inTeam] } }),
    drafts,
    ...(base.quarantine === undefined ? {} : { quarantine: base.quarantine.mark }),
    ...(settled === undefined ? {} : { settled }),
    ...(looked === undefined ? {} : { looked }),
  };
  saveKept(store, { form: knownForm, kept, isSame: () => snapshot.isCurrent() && isSame() });
}
