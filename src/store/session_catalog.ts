// The catalog of sessions: what each adds up to and where its rows are, so that lists and reading
// need not walk the whole log. Derived: kept in `index/sessions.json`, caught up from the logs when
// they have grown, made again when they were rewritten. Deleting it loses nothing (invariant 6).

import { authorOf, type Entry, type Pool, tombstoneType } from "../core/entry.ts";
import { isRecord } from "../core/rows/record.ts";
import {
  addClue,
  firstLineOf,
  isGoodTitle,
  type TitleClues,
  titleFrom,
} from "../core/titles/title_clues.ts";
import { countTokens } from "../core/tokens.ts";
import {
  type CatalogFile,
  catalogForm,
  countTombstones,
  type Covered,
  readKept,
  saveKept,
} from "./catalog_file.ts";
import type { FileReader } from "../disk/files.ts";
import { isVersioned } from "../disk/conflicts.ts";
import { fingerprintOf, readLines, readLinesOf } from "../disk/lines.ts";
import { openLog } from "./log_files.ts";
import type { Forgotten } from "./snapshot.ts";
import { toNeedles } from "./find.ts";
import { parseLine } from "./row.ts";
import {
  applyTitle,
  orderEvents,
  parseSessionEvent,
  type SessionEvent,
} from "./logs/session_log.ts";
import { repeatKey } from "./snapshot.ts";
import type { Store } from "./store.ts";

/** What is known of one session. */
export interface CatalogSession {
  id: string;
  started?: string;
  ended?: string;
  opened?: string;
  closed?: string;
  title?: string;
  title_from?: string;
  untitled?: boolean;
  source?: string;
  project?: string;
  branch?: string;
  parent?: string;
  /** Who of the team held it, where it is not one's own. */
  author?: string;
  /** What its rows say of its title. */
  clues: TitleClues;
  message_count: number;
  user_count: number;
  estimated_tokens: number;
  files: string[];
  /** Where rows of the session may be: pool, first byte, byte after the last. */
  ranges: [Pool, number, number][];
}

const maxFiles = 500;
/** Rows of other sessions in between are cheaper to pass over than another range. */
const maxGapBytes = 256 << 10;
const minSaveBytes = 256 << 10;

/** Reads the catalog, brings it up to the logs, and keeps it when that was much work. */
export function readSessionCatalog(store: Store): Map<string, CatalogSession> {
  const logs = openLogs(store);
  try {
    const tombstones = countTombstones(store);
    const forgotten = store.readHidden();
    // Where git merges the logs, rows come twice and events in any order: all must be looked at, unless
    // the catalog is of these very logs.
    const isMerged = isVersioned(store.files, store.layout);
    const read = readKept<CatalogFile>(store, catalogForm);
    const isWhole = ({ covered }: CatalogFile): boolean =>
      [...logs].every(([name, log]) => (log?.size ?? 0) === (covered[name]?.bytes ?? 0));
    const isUsable = "kept" in read && (!isMerged || isWhole(read.kept));
    const stored = isUsable ? read.kept : undefined;
    const seen = isMerged ? new Set<string>() : undefined;
    store.tellEventConflict();
    const known = (stored?.sessions ?? []) as CatalogSession[];
    const sessions = new Map(known.map((session) => [session.id, session]));
    const covered: Record<string, Covered> = {};
    let length = 0;
    for (const [name, log] of logs) {
      const from = stored?.covered[name]?.bytes ?? 0;
      const to = name === "events"
        ? addEvents(store, { log, sessions, from })
        : addRows(log, { pool: name, sessions, forgotten, seen, from });
      if (name === "team" && to === 0) continue;
      covered[name] = { bytes: to, tail: (log && fingerprintOf(log, to)) ?? "" };
      length += to - from;
    }
    if (length >= minSaveBytes) {
      const isSame = (): boolean => [...logs.values()].every((log) => log?.isCurrent() ?? true);
      const kept: CatalogFile = { covered, tombstones, sessions: [...sessions.values()] };
      saveKept(store, { form: catalogForm, kept, isSame });
    }
    return sessions;
  } finally {
    for (const log of logs.values()) log?.[Symbol.dispose]();
  }
}

/**
 * What a session is called, everywhere: the user's title, else its agent's if that says something, else what
 * its rows say. Empty where there is nothing to call it by.
 */
export function sessionTitle({ title, title_from, clues = {} }: CatalogSession): string {
  const isOwn = title !== undefined && title_from === undefined;
  if (isOwn || (title && title_from !== "prompt" && isGoodTitle(title))) return title;
  return titleFrom(clues) || (title ?? "");
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
function openLogs({ files, layout }: Store): Map<Pool | "events", FileReader | undefined> {
  // Hot first: rows move from there to the archive.
  const hot = files.openReader(layout.history.hot);
  return new Map([
    ["archive", files.openReader(layout.history.archive)] as const,
    ["hot", hot] as const,
    ["team", openLog(files, layout, "team")] as const,
    ["events", files.openReader(layout.sessions)] as const,
  ]);
}

/** What the catalog says of one session, from its entries in log order and its events. */
export function describeSession(
  store: Store,
  id: string,
  entries: Iterable<Entry>,
): CatalogSession {
  const sessions = new Map<string, CatalogSession>();
  const session = sessionOf(sessions, id);
  for (const entry of entries) if (!isRecord(entry)) addEntry(session, entry);
  const lines = readLines(store.files, store.layout.sessions, { needles: toNeedles([id]) });
  const events = [...lines].flatMap(({ bytes }) => parseSessionEvent(bytes) ?? []);
  for (const event of orderEvents(store, events.filter(({ session_id }) => session_id === id))) {
    applyEvent(session, event);
  }
  return session;
}

function addRows(
  log: FileReader | undefined,
  { pool, sessions, forgotten, seen, from }: {
    pool: Pool;
    sessions: Map<string, CatalogSession>;
    forgotten: Forgotten;
    /** The rows that were met, where they may come twice. */
    seen?: Set<string>;
    from: number;
  },
): number {
  let end = from;
  for (const line of log ? readLinesOf(log, { from }) : []) {
    const start = line.offset;
    end = line.offset + line.bytes.length + 1;
    for (const entry of parseLine(line.bytes).entries) {
      if (entry.session_id === undefined || entry.type === tombstoneType) continue;
      if (forgotten.hides({ entry, pool }) || isRecord(entry)) continue;
      const key = repeatKey(entry);
      if (seen?.has(key)) continue;
      seen?.add(key);
      const session = sessionOf(sessions, entry.session_id);
      // Own rows come first: a session that has some is one's own.
      if (pool === "team" && session.message_count === 0) {
        session.author = authorOf({ entry, pool });
      }
      addEntry(session, entry);
      addRange(session, pool, start, end);
    }
  }
  return end;
}

function addEntry(session: CatalogSession, entry: Entry): void {
  if (session.started === undefined || entry.ts < session.started) session.started = entry.ts;
  if (session.ended === undefined || entry.ts > session.ended) session.ended = entry.ts;
  countEntry(session, entry);
  for (const file of entry.files ?? []) {
    if (session.files.length < maxFiles && !session.files.includes(file)) session.files.push(file);
  }
  session.project ??= entry.project;
  session.branch ??= entry.branch;
  session.source ??= entry.source?.agent;
}

function countEntry(session: CatalogSession, entry: Entry): void {
  const isUser = entry.role === "user";
  session.estimated_tokens += countTokens(entry.text);
  addClue(session.clues, entry);
  // A newer revision takes the place of a row that was counted.
  if (entry.supersedes !== undefined && entry.index !== undefined) return;
  session.message_count++;
  if (isUser) session.user_count++;
}

function addRange(session: CatalogSession, pool: Pool, from: number, to: number): void {
  const last = session.ranges.at(-1);
  if (last && last[0] === pool && from - last[2] <= maxGapBytes) last[2] = to;
  else session.ranges.push([pool, from, to]);
}

function addEvents(
  store: Store,
  { log, sessions, from }: {
    log: FileReader | undefined;
    sessions: Map<string, CatalogSession>;
    from: number;
  },
): number {
  let end = from;
  const events: SessionEvent[] = [];
  for (const line of log ? readLinesOf(log, { from }) : []) {
    end = line.offset + line.bytes.length + 1;
    const event = parseSessionEvent(line.bytes);
    if (event) events.push(event);
  }
  for (const event of orderEvents(store, events)) {
    applyEvent(sessionOf(sessions, event.session_id), event);
  }
  return end;
}

function applyEvent(session: CatalogSession, event: SessionEvent): void {
  for (const name of ["source", "project", "branch", "parent"] as const) {
    const value = event[name];
    if (typeof value === "string") session[name] = value;
  }
  applyTitle(session, event);
  if (event.event === "opened") {
    session.opened ??= event.ts;
    delete session.closed;
  }
  if (event.event === "closed") session.closed = event.ts;
}

function sessionOf(sessions: Map<string, CatalogSession>, id: string): CatalogSession {
  let session = sessions.get(id);
  if (session === undefined) {
    const counts = { message_count: 0, user_count: 0, estimated_tokens: 0 };
    session = { id, clues: {}, ...counts, files: [], ranges: [] };
    sessions.set(id, session);
  }
  return session;
}
