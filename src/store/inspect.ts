// Holds the store against its numbered invariants (docs/FORMAT.md). Reads only; `mend.ts` repairs.

import { type Pool, pools, tombstoneType } from "../core/entry.ts";
import { ownNames } from "./layout.ts";
import { findTornTail, readLines } from "./lines.ts";
import { parseSessionEvent } from "./sessions.ts";
import { readState } from "./state.ts";
import type { Damage, Store } from "./store.ts";

/** One thing that was looked at. */
export interface Check {
  name: string;
  /** The invariant of docs/FORMAT.md it guards, if it guards one. */
  invariant?: number;
  status: "ok" | "warning" | "failed";
  detail: string;
  /** Whether `ctx doctor --fix` can mend it. */
  fixable: boolean;
}

/** Everything that is wrong with a store. */
export interface Inspection {
  checks: Check[];
  damages: Damage[];
  duplicates: Map<string, { pool: Pool; offset: number }[]>;
}

/** Looks at everything; never writes. */
export function inspectStore(store: Store): Inspection {
  const damages: Damage[] = [];
  const places = new Map<string, { pool: Pool; offset: number }[]>();
  let rows = 0;
  let unread = 0;
  const dangling = new Set<string>();
  for (
    const { entry, pool, offset } of store.rows({ onDamage: (damage) => damages.push(damage) })
  ) {
    rows++;
    if (entry.type === tombstoneType) {
      for (const id of entry.refs ?? []) dangling.add(id);
    }
    const known = places.get(entry.id);
    if (known) known.push({ pool, offset });
    else places.set(entry.id, [{ pool, offset }]);
  }
  for (const damage of damages) if (damage.saved === 0) unread++;
  const duplicates = new Map([...places].filter(([, found]) => found.length > 1));
  const checks = [
    checkTails(store),
    checkLines(damages, unread),
    checkDuplicates(duplicates),
    checkPools(duplicates),
    checkState(store),
    checkSessions(store),
    checkQuarantine(store),
    checkDrafts(store),
    checkForeign(store),
    checkGit(store),
    check("entries", "ok", `${rows} rows read`),
  ];
  return { checks, damages, duplicates };
}

function checkTails(store: Store): Check {
  const { layout, files } = store;
  const torn = [...Object.values(layout.history), layout.sessions].filter((path) =>
    findTornTail(files, path) !== undefined
  );
  if (torn.length === 0) return check("tails", "ok", "every log ends with a whole line", 3);
  const names = torn.map((path) => path.slice(layout.root.length + 1)).join(", ");
  return check("tails", "warning", `an unfinished last line in ${names}`, 3, true);
}

function checkLines(damages: Damage[], unread: number): Check {
  if (damages.length === 0) return check("lines", "ok", "every line is one row", 7);
  const where = damages.slice(0, 5).map((damage) =>
    `${damage.kind} at ${damage.pool}:${damage.offset}`
  ).join(", ");
  const detail = `${damages.length} damaged lines (${unread} with nothing readable): ${where}`;
  return check("lines", "failed", detail, 7, true);
}

function checkDuplicates(duplicates: Inspection["duplicates"]): Check {
  const inOnePool = [...duplicates].filter(([, found]) => !crossesPools(found));
  if (inOnePool.length === 0) return check("ids", "ok", "every id is used once", 10);
  const names = inOnePool.slice(0, 5).map(([id]) => id).join(", ");
  return check("ids", "failed", `${inOnePool.length} ids are used twice: ${names}`, 10, true);
}

function checkPools(duplicates: Inspection["duplicates"]): Check {
  const crossing = [...duplicates].filter(([, found]) => crossesPools(found));
  if (crossing.length === 0) return check("pools", "ok", "no id is in two pools", 4);
  const names = crossing.slice(0, 5).map(([id]) => id).join(", ");
  return check("pools", "failed", `${crossing.length} ids are in both pools: ${names}`, 4, true);
}

function checkState(store: Store): Check {
  const { rebuilt, shrunk } = readState(store.files, store.layout);
  if (rebuilt === undefined) return check("state", "ok", "state.json agrees with the logs", 5);
  return check(
    "state",
    "warning",
    `${shrunk ? `${shrunk}; ` : ""}state.json is ${rebuilt}; it is rebuilt on the next write`,
    5,
    true,
  );
}

function checkSessions(store: Store): Check {
  let bad = 0;
  for (const line of readLines(store.files, store.layout.sessions)) {
    if (line.bytes.length > 0 && parseSessionEvent(line.bytes) === undefined) bad++;
  }
  if (bad === 0) return check("sessions", "ok", "every session event can be read", 7);
  return check("sessions", "failed", `${bad} session events cannot be read`, 7, true);
}

function checkQuarantine(store: Store): Check {
  let lines = 0;
  for (const _ of readLines(store.files, store.layout.quarantine)) lines++;
  if (lines === 0) return check("quarantine", "ok", "nothing was put aside", 7);
  return check("quarantine", "ok", `${lines} damaged pieces are kept in history.bad.ndjson`, 7);
}

function checkDrafts(store: Store): Check {
  const drafts = store.files.list(store.layout.root).filter((name) => name.endsWith(".tmp"));
  if (drafts.length === 0) return check("drafts", "ok", "no unfinished files");
  const detail = `${drafts.length} unfinished files of killed writers: ${drafts.join(", ")}`;
  return check("drafts", "warning", detail, undefined, true);
}

function checkForeign(store: Store): Check {
  const foreign = store.files.list(store.layout.root).filter((name) =>
    !ownNames.has(name) && !/\.ndjson\.\d+$|\.tmp$/.test(name)
  );
  if (foreign.length === 0) return check("foreign", "ok", "only ctx's own files");
  return check("foreign", "ok", `left alone, not ctx's own: ${foreign.join(", ")}`);
}

function checkGit(store: Store): Check {
  const present = store.files.findSize(store.layout.gitignore) !== undefined;
  if (present) return check("git", "ok", "the store has its own .gitignore");
  return check("git", "warning", "no .gitignore: git may pick the store up", undefined, true);
}

function crossesPools(found: { pool: Pool }[]): boolean {
  return pools.every((pool) => found.some((place) => place.pool === pool));
}

function check(
  name: string,
  status: Check["status"],
  detail: string,
  invariant?: number,
  fixable = false,
): Check {
  return { name, ...(invariant === undefined ? {} : { invariant }), status, detail, fixable };
}
