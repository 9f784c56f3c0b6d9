// `state.json`: format version, revision, current session and how far the logs were counted.
// Replaced whole, never edited; lost, corrupt or behind, it is rebuilt from the logs (invariant 5), of
// which the index's manifest keeps the counts as well.

import {
  formatVersion,
  type OwnPool,
  ownPools,
  type Pool,
  pools,
  tombstoneType,
} from "../core/entry.ts";
import { checksum } from "../core/checksum.ts";
import { CtxError } from "../core/errors.ts";
import { findJson, isObject } from "../core/json.ts";
import { type Files, listedIn } from "../disk/files.ts";
import { countConflicts, isVersioned } from "../disk/conflicts.ts";
import { findFingerprint, fingerprintOf, readLinesOf } from "../disk/lines.ts";
import type { Layout } from "../disk/layout.ts";
import { findLogFingerprint, logNameOf, openLog } from "./log_files.ts";
import { currentSessionOf, readSessionEvents } from "./logs/session_log.ts";
import type { RowOf } from "../formats/row_schema.ts";
import type { logCount, state } from "../formats/store_file.ts";

/** What is known of one log without reading it. */
export type LogCount = RowOf<typeof logCount>;

/** The content of `state.json`; unknown fields are kept. */
export type State = Omit<RowOf<typeof state>, "version" | "logs"> & {
  version: number;
  logs: Record<Pool, LogCount>;
  [field: string]: unknown;
};

/** The state, and why it had to be rebuilt, if it had. */
export interface LoadedState {
  state: State;
  rebuilt?: "missing" | "corrupt" | "behind";
  /** Which log lost bytes since it was counted: something other than ctx cut it. */
  shrunk?: string;
}

/** Reads the state and brings it up to the logs as they are now. */
export function readState(files: Files, layout: Layout): LoadedState {
  const stored = findState(files, layout);
  if (stored === "missing" || stored === "corrupt") {
    const state = countLogs(files, layout, {
      ...emptyState(),
      logs: readIndexedCounts(files, layout),
    });
    // In a clone, what is open is somebody else's.
    state.session_id = isVersioned(files, layout)
      ? null
      : currentSessionOf(readSessionEvents(files, layout)) ?? null;
    state.revision = pools.reduce((sum, pool) => sum + state.logs[pool].rows, 0);
    if (state.revision > 0) state.copied = true;
    return { state, rebuilt: stored };
  }
  const isThere = listedIn(files, layout.root);
  const isCurrent = pools.every((pool) => {
    const path = pool === "team" ? layout.team : layout.history[pool];
    const { bytes } = stored.logs[pool];
    if (bytes === 0 && !isThere(path)) return true;
    return isCounted(files, layout, { pool, count: stored.logs[pool] });
  });
  if (isCurrent) return { state: stored };
  const state = countLogs(files, layout, structuredClone(stored));
  state.revision++;
  const lost = addLost(files, layout, stored);
  if (Object.keys(lost).length > 0) state.lost = lost;
  else delete state.lost;
  const cut = ownPools.find((pool) =>
    lost[pool] !== undefined && lost[pool] !== stored.lost?.[pool]
  );
  return {
    state,
    rebuilt: "behind",
    ...(cut === undefined ? {} : { shrunk: describeLoss(layout, cut, state) }),
  };
}

/** Counts as files keep them: nothing is said of others' rows where there are none. */
export type KeptCounts = Record<OwnPool, LogCount> & { team?: LogCount };

/** What is counted of the logs as they are, for the index's manifest to keep a copy of. */
export function readCounts(files: Files, layout: Layout): KeptCounts {
  return toKept(files, layout, readState(files, layout).state.logs);
}

/** Counts with the fingerprints by which they are known to be of the same logs. */
function toKept(files: Files, layout: Layout, logs: Record<Pool, LogCount>): KeptCounts {
  const withTail = (pool: Pool): LogCount => {
    const { tail: _tail, ...count } = logs[pool];
    return { ...count, tail: findLogFingerprint(files, layout, { pool, offset: count.bytes }) };
  };
  return {
    archive: withTail("archive"),
    hot: withTail("hot"),
    ...(logs.team.bytes > 0 ? { team: withTail("team") } : {}),
  };
}

/** The counts in the index's manifest: without a state, only what was written since is read. */
function readIndexedCounts(files: Files, layout: Layout): Record<Pool, LogCount> {
  const { logs } = emptyState();
  const bytes = files.findBytes(`${layout.index}/manifest.json`);
  const file = bytes && findJson(new TextDecoder().decode(bytes));
  if (!isObject(file) || !isObject(file.manifest) || !isObject(file.manifest.logs)) return logs;
  const body = new TextEncoder().encode(JSON.stringify(file.manifest));
  if (file.checksum !== checksum(body)) return logs;
  // The checksum says that it is as ctx wrote it.
  const kept = file.manifest.logs as Partial<Record<Pool, LogCount>>;
  for (const pool of pools) {
    const count = kept[pool];
    if (isCount(count) && typeof count.tail === "string") logs[pool] = count;
  }
  return logs;
}

/** Whether a log is as it was counted. */
function isCounted(
  files: Files,
  layout: Layout,
  { pool, count: { bytes, tail } }: { pool: Pool; count: LogCount },
): boolean {
  using reader = openLog(files, layout, pool);
  if (reader === undefined) return bytes === 0;
  return reader.size === bytes && (tail === undefined || tail === fingerprintOf(reader, bytes));
}

/** What is lost: known before and not restored since, or cut off what was counted. */
function addLost(files: Files, layout: Layout, before: State): Partial<Record<OwnPool, LogCount>> {
  const lost: Partial<Record<OwnPool, LogCount>> = {};
  // Branches differ, and git keeps what the other ones have.
  if (isVersioned(files, layout)) return lost;
  const isMoving = files.findSize(layout.move) !== undefined;
  for (const pool of ownPools) {
    const isCut = !isMoving && sizeOf(files, layout, pool) < before.logs[pool].bytes;
    const known = before.lost?.[pool] ?? (isCut ? before.logs[pool] : undefined);
    if (known !== undefined && isMissing(files, layout, { pool, known })) lost[pool] = known;
  }
  return lost;
}

/** The logs that lack what they had, in words. */
export function findLosses(files: Files, layout: Layout, state: State): string[] {
  return ownPools.filter((pool) => {
    const known = state.lost?.[pool];
    return known !== undefined && isMissing(files, layout, { pool, known });
  }).map((pool) => describeLoss(layout, pool, state));
}

function isMissing(
  files: Files,
  layout: Layout,
  { pool, known }: { pool: OwnPool; known: LogCount },
): boolean {
  return sizeOf(files, layout, pool) < known.bytes || !isPrefix(files, layout.history[pool], known);
}

function describeLoss(layout: Layout, pool: OwnPool, { lost, logs }: State): string {
  return `${logNameOf(layout, pool)} is shorter than it was: ${lost?.[pool]?.rows} rows, now ${
    logs[pool].rows
  }`;
}

function sizeOf(files: Files, layout: Layout, pool: OwnPool): number {
  return files.findSize(layout.history[pool]) ?? 0;
}

/** The logs that no longer begin with what was counted: replaced without it, or changed in place. */
export function findChangedLogs(files: Files, layout: Layout): string[] {
  const stored = findState(files, layout);
  if (typeof stored === "string") return [];
  return ownPools.filter((pool) => !isPrefix(files, layout.history[pool], stored.logs[pool]))
    .map((pool) => layout.history[pool]);
}

/** The session that is open, without a look at the logs where the state says it. */
export function readSessionId(files: Files, layout: Layout): string | undefined {
  const stored = findState(files, layout);
  const state = typeof stored === "string" ? readState(files, layout).state : stored;
  return state.session_id ?? undefined;
}

/** Throws STORE_TOO_NEW when a newer ctx wrote the store (invariant 8); for before anything is done. */
export function refuseNewer(files: Files, layout: Pick<Layout, "state">): void {
  findState(files, layout);
}

/** Writes the state; it is derived, so it need not be synced as a rule. */
export function writeState(
  files: Files,
  layout: Layout,
  state: State,
  { sync = false }: { sync?: boolean } = {},
): void {
  const kept = { ...state, logs: toKept(files, layout, state.logs) };
  const bytes = new TextEncoder().encode(JSON.stringify(kept, null, 2) + "\n");
  files.replace(layout.state, bytes, { sync });
}

/** The state of a store with nothing in it. */
export function emptyState(): State {
  const none = (): LogCount => ({ bytes: 0, rows: 0, tombstones: 0 });
  return {
    version: formatVersion,
    revision: 0,
    session_id: null,
    logs: { archive: none(), hot: none(), team: none() },
  };
}

/** What `state.json` says; throws STORE_TOO_NEW when a newer ctx wrote it. */
function findState(
  files: Files,
  { state: path }: Pick<Layout, "state">,
): State | "missing" | "corrupt" {
  const bytes = files.findBytes(path);
  if (bytes === undefined) return "missing";
  const fields = findJson(new TextDecoder().decode(bytes));
  if (!isObject(fields)) return "corrupt";
  if (typeof fields.version === "number" && fields.version > formatVersion) {
    throw new CtxError(
      "STORE_TOO_NEW",
      `Cannot open the store: "${path}" has format version ${fields.version}, and this version of ctx supports ${formatVersion}`,
      { hint: "upgrade ctx; nothing was changed" },
    );
  }
  const empty = emptyState();
  const logs = fields.logs as Partial<Record<Pool, LogCount>> | undefined;
  return {
    ...fields,
    version: formatVersion,
    revision: typeof fields.revision === "number" ? fields.revision : 0,
    session_id: typeof fields.session_id === "string" ? fields.session_id : null,
    logs: {
      archive: isCount(logs?.archive) ? logs.archive : empty.logs.archive,
      hot: isCount(logs?.hot) ? logs.hot : empty.logs.hot,
      team: isCount(logs?.team) ? logs.team : empty.logs.team,
    },
  };
}

/** Counts what the state has not counted yet; a log that was rewritten is counted anew. */
export function countLogs(files: Files, layout: Layout, state: State): State {
  for (const pool of pools) {
    using log = openLog(files, layout, pool);
    const known = state.logs[pool];
    const isSame = log !== undefined && known.bytes <= log.size &&
      (known.tail === undefined || known.tail === fingerprintOf(log, known.bytes));
    const from = isSame ? known.bytes : 0;
    const count: LogCount = from > 0 ? { ...known } : { bytes: 0, rows: 0, tombstones: 0 };
    state.logs[pool] = count;
    if (log === undefined) continue;
    for (const line of readLinesOf(log, { from })) {
      if (line.bytes.length > 0) count.rows++;
      count.bytes = line.offset + line.bytes.length + 1;
    }
    for (const _ of readLinesOf(log, { from, needles: [JSON.stringify(tombstoneType)] })) {
      count.tombstones++;
    }
    if (pool === "team") continue;
    const conflicts = (count.conflicts ?? 0) + countConflicts(files, layout.history[pool], from);
    if (conflicts > 0) count.conflicts = conflicts;
  }
  return state;
}

/** Whether what was counted still stands at the front of the log. */
function isPrefix(files: Files, path: string, known: LogCount): boolean {
  return known.tail === undefined || known.tail === findFingerprint(files, path, known.bytes);
}

function isCount(value: LogCount | undefined): value is LogCount {
  const counts = [value?.bytes, value?.rows, value?.tombstones];
  return counts.every((count) => Number.isSafeInteger(count) && Number(count) >= 0);
}
