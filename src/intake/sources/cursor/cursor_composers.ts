// Cursor's global database since 2025: `composerData:<id>` has the order, `bubbleId:<id>:<bubble>`
// the content. Both are rewritten in place.

import { emitBubbles, modelOf } from "./cursor_bubbles.ts";
import type { CursorProjects } from "./cursor_projects.ts";
import { parseKeyValue, type WorkspaceComposers } from "./cursor_workspace.ts";
import type { Database, DatabaseRow, Databases } from "../database/databases.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { ListOptions, ReadOptions, Sink, SourceSession } from "../source.ts";
import { findPath } from "../touched.ts";

const prefix = "composerData:";

/** The conversations of the global database; empty drafts are counted and passed over. */
export async function listGlobal(
  path: string,
  options: ListOptions & { composers: WorkspaceComposers; projects: CursorProjects },
): Promise<SourceSession[]> {
  const { tally, databases, composers, projects } = options;
  const { rows, counts, headers } = await databases.read(path, readGlobal);
  const filled = rows.filter((row) => Number(row.headers ?? 0) + Number(row.inline ?? 0) > 0);
  if (filled.length < rows.length) tally.skip("empty_session", rows.length - filled.length);
  return filled.map((row) => {
    const id = String(row.key).slice(prefix.length);
    const bubbles = counts.get(id);
    const known = composers.get(id);
    const header = headers.get(id);
    return {
      id,
      path,
      key: `composer:${id}`,
      signature: `${row.updated}:${row.size}:${bubbles?.n}:${bubbles?.size}`,
      title: toText(row.name) ?? known?.title ?? toText(row.subtitle),
      cwd: header?.cwd ?? toText(row.folder) ?? known?.cwd ?? projects.findFolderOf(id),
      branch: known?.branch,
      started: toTime(row.created),
      updated: toTime(row.updated) ?? toTime(row.created),
      parent: header?.parent,
    };
  });
}

/** Which of some conversations a global database has messages of. */
export async function findComposers(
  path: string,
  { ids, databases }: { ids: string[]; databases: Databases },
): Promise<string[]> {
  return await databases.read(path, async (database) => {
    if (!(await database.columns("cursorDiskKV")).has("value")) return [];
    const found: string[] = [];
    for (const id of ids) {
      const [row] = await database.rows(countSql, `bubbleId:${id}:`, `bubbleId:${id};`);
      if (Number(row?.n ?? 0) > 0) found.push(id);
    }
    return found;
  });
}

/** Reads one composer: bubbles in the order of its headers. */
export async function readComposer(
  session: SourceSession,
  sink: Sink,
  { databases }: ReadOptions,
): Promise<void> {
  const range = [`bubbleId:${session.id}:`, `bubbleId:${session.id};`];
  const { row, items } = await databases.read(session.path, async (database) => {
    const sql = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?";
    const [row] = await database.rows(orderSql, `${prefix}${session.id}`);
    return { row, items: await database.rows(sql, ...range) };
  });
  const stored = storeBubbles(items, range[0].length, sink.tally);
  const headers = toObjects(findJson(String(row?.headers ?? "[]")));
  const inline = toObjects(findJson(String(row?.inline ?? "[]")));
  const order = [
    ...orderBubbles(stored, headers, sink.tally),
    ...inline.map((bubble, i) => ({ id: toText(bubble.bubbleId) ?? `inline-${i}`, bubble })),
  ];
  await emitBubbles(session, order, { sink, model: modelOf(row?.model) });
}

/** The bubbles by the ends of their keys, and by their own ids where those differ. */
function storeBubbles(items: DatabaseRow[], prefixChars: number, tally: Tally): Map<string, Json> {
  const stored = new Map<string, Json>();
  for (const item of items) {
    const bubble = parseKeyValue(item.value);
    stored.set(String(item.key).slice(prefixChars), bubble ?? {});
    if (bubble === undefined) {
      tally.messages++;
      tally.skip("empty_message");
      continue;
    }
    const own = toText(bubble.bubbleId);
    if (own !== undefined && !stored.has(own)) stored.set(own, bubble);
  }
  return stored;
}

/** Bubbles that no header names are left over from edits: kept only where headers are broken. */
function orderBubbles(stored: Map<string, Json>, headers: Json[], tally: Tally): Bubble[] {
  const order: Bubble[] = [];
  for (const header of headers) {
    const id = toText(header.bubbleId) ?? "";
    const bubble = stored.get(id);
    if (bubble && bubble.type !== undefined) order.push({ id, bubble });
  }
  const isBroken = headers.some((header) => header.bubbleId === "");
  const placed = new Set(order.map((item) => item.bubble));
  for (const [id, bubble] of stored) {
    if (placed.has(bubble) || bubble.type === undefined) continue;
    placed.add(bubble);
    if (isBroken) order.push({ id, bubble });
    else tally.skip("orphan_message");
  }
  return order;
}

interface Bubble {
  id: string;
  bubble: Json;
}

interface Header {
  cwd?: string;
  parent?: string;
}

/** What listing needs of the database: composers, how much belongs to each, and their headers. */
async function readGlobal(database: Database): Promise<{
  rows: DatabaseRow[];
  counts: Map<string, DatabaseRow>;
  headers: Map<string, Header>;
}> {
  const counts = new Map<string, DatabaseRow>();
  if (!(await database.columns("cursorDiskKV")).has("value")) {
    return { rows: [], counts, headers: new Map() };
  }
  const rows = await database.rows(listSql, prefix, `${prefix.slice(0, -1)};`);
  for (const row of rows) {
    const id = String(row.key).slice(prefix.length);
    const [count] = await database.rows(countSql, `bubbleId:${id}:`, `bubbleId:${id};`);
    counts.set(id, count);
  }
  return { rows, counts, headers: await readHeaders(database) };
}

/** `composerHeaders` (2026) knows the folder and whether a composer is a sub-agent. */
async function readHeaders(database: Database): Promise<Map<string, Header>> {
  const headers = new Map<string, Header>();
  if (!(await database.columns("composerHeaders")).has("value")) return headers;
  for (const row of await database.rows("SELECT composerId, value FROM composerHeaders")) {
    const value = parseKeyValue(row.value);
    const cwd = findPath(toObject(toObject(value?.workspaceIdentifier)?.uri));
    const id = String(row.composerId);
    headers.set(id, { ...headers.get(id), cwd });
    for (const child of toList(value?.subagentComposerIds)) {
      if (typeof child === "string") headers.set(child, { ...headers.get(child), parent: id });
    }
  }
  return headers;
}

const text = "CAST(value AS TEXT)";
const valid = `value IS NOT NULL AND json_valid(${text})`;
const listSql = `SELECT key, length(value) AS size,
  json_extract(${text}, '$.name') AS name, json_extract(${text}, '$.subtitle') AS subtitle,
  json_extract(${text}, '$.createdAt') AS created, json_extract(${text}, '$.lastUpdatedAt') AS updated,
  json_extract(${text}, '$.workspaceIdentifier.uri.fsPath') AS folder,
  json_array_length(${text}, '$.fullConversationHeadersOnly') AS headers,
  json_array_length(${text}, '$.conversation') AS inline
  FROM cursorDiskKV WHERE key >= ? AND key < ? AND ${valid}`;
const countSql =
  "SELECT count(*) AS n, sum(length(value)) AS size FROM cursorDiskKV WHERE key >= ? AND key < ?";
const orderSql = `SELECT json_extract(${text}, '$.fullConversationHeadersOnly') AS headers,
  json_extract(${text}, '$.conversation') AS inline,
  json_extract(${text}, '$.modelConfig.modelName') AS model
  FROM cursorDiskKV WHERE key = ? AND ${valid}`;
