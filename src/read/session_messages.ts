// The messages of one session in order, each with its number. Imported rows carry the position their
// producer gave them, and a later row at the same position is a newer version of it; where none does,
// they are ordered by time. The numbers are what `read`, `scan` and `show` take.

import type { Entry } from "../core/entry.ts";
import type { Forgotten } from "../store/snapshot.ts";
import { CtxError } from "../core/errors.ts";
import { isRecord } from "../core/rows/record.ts";
import { compareText, findNearest, toLine } from "../core/text.ts";
import { askIndex, type IndexUse } from "../index/ask_index.ts";
import type { LogIndex } from "../index/log_index.ts";
import { type CatalogSession, describeSession } from "../store/catalog_sessions.ts";
import { readSessionCatalog } from "../store/session_catalog.ts";
import type { Row, Store } from "../store/store.ts";

/** One message, its number in the session and where its row is. */
export type SessionMessage = Pick<Row, "entry" | "pool" | "offset" | "length"> & { number: number };

/** Messages that stand on one line of a scan, by its number. */
export interface Turn {
  number: number;
  messages: SessionMessage[];
}

export interface LoadedSession {
  session: CatalogSession;
  messages: SessionMessage[];
}

/** Loads sessions; throws NOT_FOUND when there is none of one, unless it may be missing. */
export async function loadSessions(
  store: Store,
  ids: readonly string[],
  use: IndexUse & { orNone?: boolean } = {},
): Promise<LoadedSession[]> {
  const found = await readRows(store, ids, use);
  return ids.flatMap((id) => {
    const rows = found.get(id);
    if (rows === undefined) return [];
    const session = describeSession(store, id, rows);
    return { session, messages: numberMessages(rows) };
  });
}

/** The messages of a session by its whole id; throws NOT_FOUND when there are none. */
export async function getMessages(
  store: Store,
  id: string,
  use: IndexUse = {},
): Promise<SessionMessage[]> {
  return numberMessages((await readRows(store, [id], use)).get(id) ?? []);
}

/** The rows of sessions through the index; of those that it does not have, by the catalog. */
async function readRows(
  store: Store,
  ids: readonly string[],
  { orNone = false, ...use }: IndexUse & { orNone?: boolean },
): Promise<Map<string, Row[]>> {
  using snapshot = store.openSnapshot();
  const ask = (index: LogIndex): Row[][] => ids.map((id) => index.sessionRows(id));
  const indexed = await askIndex(store, snapshot, ask, use) ?? [];
  const found = new Map(ids.map((id, i) => [id, indexed[i] ?? []]));
  const lost = ids.filter((id) => found.get(id)?.length === 0);
  if (lost.length === 0) return found;
  const catalog = readSessionCatalog(store);
  const hidden = store.readHidden();
  for (const id of lost) {
    if (orNone && !catalog.get(id)?.ranges.length) found.delete(id);
    else found.set(id, rowsOf(store, pick(catalog, id), hidden));
  }
  return found;
}

/** Messages as a model has them: what it thought, said and called at once is one, and has one number. */
export function toTurns(messages: readonly SessionMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    const before = turn?.messages.at(-1);
    if (turn && before && goesOn(before.entry, message.entry)) turn.messages.push(message);
    else turns.push({ number: turns.length + 1, messages: [message] });
  }
  return turns;
}

/** Thoughts come before words and words before calls, of which there may be several. */
function goesOn(before: Entry, after: Entry): boolean {
  const [first, next] = [before, after].map(({ role, type }) =>
    role === "assistant" ? turnParts.indexOf(type) : -1
  );
  return first >= 0 && (next > first || next === first && after.type === "tool_call");
}

const turnParts = ["thinking", "turn", "tool_call"];

/** The session of an id; throws NOT_FOUND when there is none, or nothing in it. */
function pick(catalog: Map<string, CatalogSession>, id: string): CatalogSession {
  const session = catalog.get(id);
  if (session === undefined) throw noSessionError(id, catalog.keys());
  if (session.ranges.length > 0) return session;
  throw new CtxError("NOT_FOUND", `Cannot read session "${id}": it has no entries`, {
    hint: "to list sessions: ctx sessions",
  });
}

/** The error for a session that does not exist, with the one that may have been meant. */
export function noSessionError(word: string, ids: Iterable<string>): CtxError {
  const near = findNearest(word, ids);
  const said = toLine(word, 80);
  return new CtxError("NOT_FOUND", `Cannot find session "${said}": no such session`, {
    hint: near ? `did you mean ${near}? ctx sessions lists them` : "ctx sessions lists them",
  });
}

/** The messages of a session that the catalog knows. */
export function readMessages(
  store: Store,
  session: CatalogSession,
  forgotten: Forgotten,
): SessionMessage[] {
  return numberMessages(rowsOf(store, session, forgotten));
}

function rowsOf(store: Store, session: CatalogSession, forgotten: Forgotten): Row[] {
  const found: Row[] = [];
  const seen = new Set<string>();
  for (const [pool, from, to] of session.ranges) {
    const rows = store.rows({ pools: [pool], from: { [pool]: from }, to: { [pool]: to } });
    for (const row of rows) {
      const { entry } = row;
      if (entry.session_id !== session.id || entry.type === "tombstone") continue;
      if (forgotten.hides(row) || seen.has(entry.id)) continue;
      seen.add(entry.id);
      found.push(row);
    }
  }
  return found;
}

/**
 * Orders rows and gives them numbers from 1; numbers of imported rows never change: what was saved
 * beside them stands with the message that it follows. Records were made of the session, not said in
 * it.
 */
function numberMessages(rows: readonly Row[]): SessionMessage[] {
  const found = rows.filter(({ entry }) => !isRecord(entry))
    .map(({ entry, pool, offset, length }) => ({ entry, pool, offset, length }));
  const saved = found.filter(({ entry }) => entry.index === undefined)
    .toSorted(({ entry: a }, { entry: b }) => compareText(a.ts, b.ts));
  const newest = new Map(found.map((row) => [row.entry.index, row]));
  const messages = [...newest].flatMap(([number, row]) =>
    number === undefined ? [] : { number, ...row }
  )
    .sort((a, b) => a.number - b.number);
  if (messages.length === 0) return saved.map((row, i) => ({ number: i + 1, ...row }));
  for (const row of saved) {
    const at = messages.findLastIndex(({ entry }) => entry.ts <= row.entry.ts);
    messages.splice(at + 1, 0, { number: messages[Math.max(0, at)].number, ...row });
  }
  return messages;
}
