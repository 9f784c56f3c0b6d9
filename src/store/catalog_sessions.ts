// What rows and events add to the facts about their sessions, from which the session catalog is built.

import { authorOf, type Entry, type Pool, tombstoneType } from "../core/entry.ts";
import { isRecord } from "../core/rows/record.ts";
import { addClue, type TitleClues } from "../core/titles/title_clues.ts";
import { countTokens } from "../core/tokens.ts";
import type { FileReader } from "../disk/files.ts";
import { readLines, readLinesOf } from "../disk/lines.ts";
import { toNeedles } from "./find.ts";
import {
  applyTitle,
  orderEvents,
  parseSessionEvent,
  type SessionEvent,
} from "./logs/session_log.ts";
import { parseLine } from "./row.ts";
import { type Forgotten, repeatKey } from "./snapshot.ts";
import type { Store } from "./store.ts";

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

/** What the catalog says of one session, from its rows in log order and its events. */
export function describeSession(
  store: Store,
  id: string,
  rows: Iterable<PoolRow>,
): CatalogSession {
  const sessions = new Map<string, CatalogSession>();
  const session = sessionOf(sessions, id);
  for (const row of rows) if (!isRecord(row.entry)) addEntry(session, row);
  const lines = readLines(store.files, store.layout.sessions, { needles: toNeedles([id]) });
  const events = [...lines].flatMap(({ bytes }) => parseSessionEvent(bytes) ?? []);
  for (const event of orderEvents(store, events.filter(({ session_id }) => session_id === id))) {
    applyEvent(session, event);
  }
  return session;
}

interface PoolRow {
  entry: Entry;
  pool: Pool;
}

/** Adds the rows of a log, or at least those that have a needle; says up to where it was read. */
export function addRows(
  log: FileReader | undefined,
  { pool, sessions, forgotten, seen, from, needles }: {
    pool: Pool;
    sessions: Map<string, CatalogSession>;
    forgotten: Forgotten;
    /** The rows that were met, where they may come twice. */
    seen?: Set<string>;
    from: number;
    needles?: string[];
  },
): number {
  let end = from;
  for (const line of log ? readLinesOf(log, { from, needles }) : []) {
    const start = line.offset;
    end = line.offset + line.bytes.length + 1;
    for (const entry of parseLine(line.bytes).entries) {
      if (entry.session_id === undefined || entry.type === tombstoneType) continue;
      if (forgotten.hides({ entry, pool }) || isRecord(entry)) continue;
      const key = repeatKey(entry);
      if (seen?.has(key)) continue;
      seen?.add(key);
      const session = sessionOf(sessions, entry.session_id);
      addEntry(session, { entry, pool });
      addRange(session, pool, start, end);
    }
  }
  return end;
}

function addEntry(session: CatalogSession, { entry, pool }: PoolRow): void {
  // Own rows come first: a session that has some is one's own, and others do not say what it is called.
  if (pool === "team" && session.message_count === 0) session.author = authorOf({ entry, pool });
  if (pool !== "team" || session.author !== undefined) addClue(session.clues, entry);
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

/** Adds the events of their log, or at least those that have a needle; says up to where it was read. */
export function addEvents(
  store: Store,
  { log, sessions, from, needles }: {
    log: FileReader | undefined;
    sessions: Map<string, CatalogSession>;
    from: number;
    needles?: string[];
  },
): number {
  let end = from;
  const events: SessionEvent[] = [];
  for (const line of log ? readLinesOf(log, { from, needles }) : []) {
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
