// The session catalog: the totals of each session and where its rows are, so that lists and reads need
// not scan the whole log. It is derived: stored in `index/sessions.json`, updated when the logs have
// grown, and rebuilt when they were rewritten. Deleting it loses nothing (invariant 6).

import type { Pool } from "../core/entry.ts";
import { countWords, enoughWords } from "../core/titles/telling_line.ts";
import { firstLineOf, isGoodTitle, titleFrom } from "../core/titles/title_clues.ts";
import { isClientText } from "../core/voice/client_ranges.ts";
import {
  type CatalogFile,
  catalogForm,
  countTombstones,
  type Covered,
  findKeptSessions,
  readKept,
  saveKept,
} from "./catalog_file.ts";
import { addEvents, addRows, type CatalogSession } from "./catalog_sessions.ts";
import type { FileReader } from "../disk/files.ts";
import { isVersioned } from "../disk/conflicts.ts";
import { fingerprintOf } from "../disk/lines.ts";
import { toNeedles } from "./find.ts";
import { openLog } from "./log_files.ts";
import type { Store } from "./store.ts";

const minSaveBytes = 256 << 10;
/** So much is looked through for a few sessions; of longer logs the index knows where their rows are. */
const maxWalkedBytes = 1 << 20;

/** Reads the catalog, brings it up to the logs, and keeps it when that was much work. */
export function readSessionCatalog(store: Store): Map<string, CatalogSession> {
  using logs = openLogs(store);
  const isMerged = isVersioned(store.files, store.layout);
  const read = readKept<CatalogFile>(store, catalogForm);
  const stored = "kept" in read && (!isMerged || logs.grown(read.kept) === 0)
    ? read.kept
    : undefined;
  store.tellEventConflict();
  const tombstones = countTombstones(store);
  const { sessions, covered } = catchUp(store, { logs, stored, isMerged });
  if (logs.grown(stored) >= minSaveBytes) {
    const kept: CatalogFile = { covered, tombstones, sessions: [...sessions.values()] };
    saveKept(store, { form: catalogForm, kept, isSame: () => logs.isCurrent() });
  }
  return sessions;
}

/** Brings what is kept up to the logs, where that is not to walk all of them every time. */
export function keepSessionCatalog(store: Store): void {
  try {
    if (!isVersioned(store.files, store.layout)) readSessionCatalog(store);
  } catch {
    // Nobody asked for it: those who do are told what is wrong.
    return;
  }
}

/**
 * What the catalog says of some sessions, without reading what it says of others. Undefined where the logs
 * would have to be walked for it: nothing is kept that could be used, or it is far behind.
 */
export function findSessions(
  store: Store,
  ids: readonly string[],
): Map<string, CatalogSession> | undefined {
  const needles = toNeedles(ids);
  if (needles === undefined) return undefined;
  if (ids.length === 0) return new Map();
  using logs = openLogs(store);
  const tailOf = (name: Pool | "events", offset: number): string | undefined => {
    const log = logs.readers.get(name);
    return offset === 0 ? "" : log && fingerprintOf(log, offset);
  };
  const kept = findKeptSessions(store, ids, tailOf);
  if (kept !== undefined && logs.grown(kept) === 0) return toMap(kept.sessions);
  const isMerged = isVersioned(store.files, store.layout);
  const stored = isMerged ? undefined : kept;
  if (logs.grown(stored) > maxWalkedBytes) return undefined;
  const { sessions } = catchUp(store, { logs, stored, isMerged, needles });
  return toMap(ids.flatMap((id) => sessions.get(id) ?? []));
}

function toMap(sessions: readonly CatalogSession[]): Map<string, CatalogSession> {
  return new Map(sessions.map((session) => [session.id, session]));
}

/** Adds to what is kept what the logs say since. */
function catchUp(
  store: Store,
  { logs, stored, isMerged, needles }: {
    logs: CatalogLogs;
    stored?: CatalogFile;
    /** Where git merges the logs, rows come twice and events in any order. */
    isMerged: boolean;
    needles?: string[];
  },
): { sessions: Map<string, CatalogSession>; covered: Record<string, Covered> } {
  const forgotten = store.readHidden();
  const seen = isMerged ? new Set<string>() : undefined;
  const sessions = toMap(stored?.sessions ?? []);
  const covered: Record<string, Covered> = {};
  for (const [name, log] of logs.readers) {
    const from = stored?.covered[name]?.bytes ?? 0;
    const to = name === "events"
      ? addEvents(store, { log, sessions, from, needles })
      : addRows(log, { pool: name, sessions, forgotten, seen, from, needles });
    if (name === "team" && to === 0) continue;
    covered[name] = { bytes: to, tail: (log && fingerprintOf(log, to)) ?? "" };
  }
  return { sessions, covered };
}

/**
 * What a session is called, everywhere: the user's title, else its agent's if that says something, else what
 * its rows say. A summary is about how a session ended, so it comes last. Empty where there is nothing to
 * call it by.
 */
export function sessionTitle({ title, title_from, clues = {} }: CatalogSession): string {
  const isOwn = title !== undefined && title_from === undefined;
  const isGood = title && title_from !== "prompt" && isGoodTitle(title);
  if (isOwn || (isGood && title_from !== "summary")) return title;
  const made = titleFrom(clues);
  if (isGood && countWords(made) < enoughWords) return title;
  return made || (title !== undefined && !isClientText(title) ? title : "");
}

/** The first line that the user's side said in a session. */
export function firstUserLine({ clues }: CatalogSession): string {
  return firstLineOf(clues);
}

/** Whether it was opened, or has rows: an import may meet one whose messages are all known from another. */
export function isSession({ message_count, opened }: CatalogSession): boolean {
  return message_count > 0 || opened !== undefined;
}

/** How many sessions there are. */
export function countSessions(catalog: ReadonlyMap<string, CatalogSession>): number {
  return [...catalog.values()].filter(isSession).length;
}

/** The logs as they are now, for as long as a catalog is made from them. */
interface CatalogLogs extends Disposable {
  readers: ReadonlyMap<Pool | "events", FileReader | undefined>;
  /** How much longer they are than what was read. */
  grown(stored?: CatalogFile): number;
  isCurrent(): boolean;
}

function openLogs({ files, layout }: Store): CatalogLogs {
  // Hot first: rows move from there to the archive.
  const hot = files.openReader(layout.history.hot);
  const readers = new Map([
    ["archive", files.openReader(layout.history.archive)] as const,
    ["hot", hot] as const,
    ["team", openLog(files, layout, "team")] as const,
    ["events", files.openReader(layout.sessions)] as const,
  ]);
  return {
    readers,
    grown: (stored) =>
      [...readers].reduce(
        (sum, [name, log]) => sum + (log?.size ?? 0) - (stored?.covered[name]?.bytes ?? 0),
        0,
      ),
    isCurrent: () => [...readers.values()].every((log) => log?.isCurrent() ?? true),
    [Symbol.dispose]: () => readers.forEach((log) => log?.[Symbol.dispose]()),
  };
}
