// The catalog of sessions: what each adds up to and where its rows are, so that lists and reading
// need not walk the whole log. Derived: kept in `index/sessions.json`, caught up from the logs when
// they have grown, made again when they were rewritten. Deleting it loses nothing (invariant 6).

import { type Entry, type Pool, pools, tombstoneType } from "../core/entry.ts";
import { hashHex } from "../core/hash.ts";
import { firstLine } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { toNeedles } from "../store/find.ts";
import { parseLine } from "../store/row.ts";
import { readLines } from "../store/lines.ts";
import { parseSessionEvent, type SessionEvent } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";

/** What is known of one session. */
export interface CatalogSession {
  id: string;
  started?: string;
  ended?: string;
  opened?: string;
  closed?: string;
  title?: string;
  source?: string;
  project?: string;
  branch?: string;
  parent?: string;
  first_user_line?: string;
  message_count: number;
  user_count: number;
  estimated_tokens: number;
  files: string[];
  /** Where rows of the session may be: pool, first byte, byte after the last. */
  ranges: [Pool, number, number][];
}

/** How far a log was read, and what was there. */
interface Covered {
  bytes: number;
  tail: string;
}

interface StoredCatalog {
  version: number;
  covered: Record<string, Covered>;
  tombstones: number;
  sessions: CatalogSession[];
}

const version = 2;
const fileName = "sessions.json";
const maxFiles = 500;
/** Rows of other sessions in between are cheaper to pass over than another range. */
const maxGapBytes = 256 << 10;
const minSaveBytes = 256 << 10;

/** Reads the catalog, brings it up to the logs, and keeps it when that was much work. */
export function readSessionCatalog(store: Store): Map<string, CatalogSession> {
  const { state, forgotten } = { state: store.readState(), forgotten: store.readForgotten() };
  const tombstones = state.logs.hot.tombstones + state.logs.archive.tombstones;
  const stored = findStored(store, tombstones);
  const sessions = new Map((stored?.sessions ?? []).map((session) => [session.id, session]));
  const covered: Record<string, Covered> = { ...stored?.covered };
  let read = 0;
  for (const pool of pools) {
    const from = covered[pool]?.bytes ?? 0;
    const to = addRows(store, pool, { sessions, forgotten, from });
    read += to - from;
    covered[pool] = { bytes: to, tail: tailOf(store, store.layout.history[pool], to) };
  }
  const from = covered.events?.bytes ?? 0;
  const to = addEvents(store, sessions, from);
  covered.events = { bytes: to, tail: tailOf(store, store.layout.sessions, to) };
  if (read + to - from >= minSaveBytes) {
    save(store, { version, covered, tombstones, sessions: [...sessions.values()] });
  }
  return sessions;
}

/** What the catalog says of one session, from its entries in log order and its events. */
export function describeSession(
  store: Store,
  id: string,
  entries: Iterable<Entry>,
): CatalogSession {
  const sessions = new Map<string, CatalogSession>();
  const session = sessionOf(sessions, id);
  for (const entry of entries) addEntry(session, entry);
  for (const line of readLines(store.files, store.layout.sessions, { needles: toNeedles([id]) })) {
    const event = parseSessionEvent(line.bytes);
    if (event?.session_id === id) applyEvent(session, event);
  }
  return session;
}

function findStored(store: Store, tombstones: number): StoredCatalog | undefined {
  const bytes = store.files.findBytes(`${store.layout.index}/${fileName}`);
  if (bytes === undefined) return undefined;
  try {
    const stored: StoredCatalog = JSON.parse(new TextDecoder().decode(bytes));
    if (stored.version !== version || stored.tombstones !== tombstones) return undefined;
    const paths = { ...store.layout.history, events: store.layout.sessions };
    for (const [name, path] of Object.entries(paths)) {
      const { bytes, tail } = stored.covered[name];
      if (tailOf(store, path, bytes) !== tail) return undefined;
    }
    return stored;
  } catch {
    return undefined;
  }
}

function addRows(
  store: Store,
  pool: Pool,
  { sessions, forgotten, from }: {
    sessions: Map<string, CatalogSession>;
    forgotten: ReadonlySet<string>;
    from: number;
  },
): number {
  let end = from;
  for (const line of readLines(store.files, store.layout.history[pool], { from })) {
    const start = line.offset;
    end = line.offset + line.bytes.length + 1;
    for (const entry of parseLine(line.bytes).entries) {
      if (entry.session_id === undefined || entry.type === tombstoneType) continue;
      if (forgotten.has(entry.id)) continue;
      const session = sessionOf(sessions, entry.session_id);
      addEntry(session, entry);
      addRange(session, pool, start, end);
    }
  }
  return end;
}

function addEntry(session: CatalogSession, entry: Entry): void {
  if (session.started === undefined || entry.ts < session.started) session.started = entry.ts;
  if (session.ended === undefined || entry.ts > session.ended) session.ended = entry.ts;
  // A newer revision takes the place of a row that was counted.
  const replaces = entry.supersedes !== undefined && entry.index !== undefined;
  if (!replaces) session.message_count++;
  if (entry.role === "user" && !replaces) session.user_count++;
  session.estimated_tokens += countTokens(entry.text);
  for (const file of entry.files ?? []) {
    if (session.files.length < maxFiles && !session.files.includes(file)) session.files.push(file);
  }
  if (entry.role === "user") session.first_user_line ??= firstLine(entry.text, 120);
  session.project ??= entry.project;
  session.branch ??= entry.branch;
  session.source ??= entry.source?.agent;
}

function addRange(session: CatalogSession, pool: Pool, from: number, to: number): void {
  const last = session.ranges.at(-1);
  if (last && last[0] === pool && from - last[2] <= maxGapBytes) last[2] = to;
  else session.ranges.push([pool, from, to]);
}

function addEvents(store: Store, sessions: Map<string, CatalogSession>, from: number): number {
  let end = from;
  for (const line of readLines(store.files, store.layout.sessions, { from })) {
    end = line.offset + line.bytes.length + 1;
    const event = parseSessionEvent(line.bytes);
    if (event) applyEvent(sessionOf(sessions, event.session_id), event);
  }
  return end;
}

function applyEvent(session: CatalogSession, event: SessionEvent): void {
  for (const name of ["title", "source", "project", "branch", "parent"] as const) {
    const value = event[name];
    if (typeof value === "string") session[name] = value;
  }
  if (event.event === "opened") {
    session.opened ??= event.ts;
    delete session.closed;
  }
  if (event.event === "closed") session.closed = event.ts;
}

function sessionOf(sessions: Map<string, CatalogSession>, id: string): CatalogSession {
  let session = sessions.get(id);
  if (session === undefined) {
    session = { id, message_count: 0, user_count: 0, estimated_tokens: 0, files: [], ranges: [] };
    sessions.set(id, session);
  }
  return session;
}

/** A hash of the bytes before an offset: different when the log was rewritten. */
function tailOf(store: Store, path: string, offset: number): string {
  const reader = store.files.openReader(path);
  if (reader === undefined) return "";
  try {
    if (reader.size < offset) return "shorter";
    const bytes = new Uint8Array(Math.min(128, offset));
    reader.readAt(offset - bytes.length, bytes);
    return hashHex(new TextDecoder("latin1").decode(bytes));
  } finally {
    reader.close();
  }
}

/** Where the index cannot be written (a read-only mount, a sandbox), the next reader catches up again. */
function save(store: Store, catalog: StoredCatalog): void {
  try {
    store.files.makeDirectory(store.layout.index);
    const bytes = new TextEncoder().encode(JSON.stringify(catalog));
    store.files.replace(`${store.layout.index}/${fileName}`, bytes, { sync: false });
  } catch {
    return;
  }
}
