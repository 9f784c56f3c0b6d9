// Reads OpenCode's SQLite database: `session`, `message` and `part`, and no other table. Columns
// grow between releases, so they are probed before they are named.

import {
  type Database,
  type DatabaseRow,
  type Databases,
  databaseSignature,
} from "../database/databases.ts";
import { findJson, toObject, toText, toTime } from "../loose_json.ts";
import type { OpencodeMessage, OpencodeSession } from "./opencode_messages.ts";
import type { ListOptions, SourceSession } from "../source.ts";
import type { Tally } from "../problem_tally.ts";
import { walk } from "../walk.ts";

/** The databases under a root: `opencode.db` and those of other channels. */
export function findDatabases(root: string, { tally }: ListOptions): string[] {
  const accept = (name: string) => /^opencode(?:-[\w.-]+)?\.db$/.test(name);
  // SQLite makes an empty file before the first table: nothing is wrong with it.
  return walk(root, { tally, accept, maxDepth: 1, filled: true }).map(({ path }) => path).toArray();
}

/** The sessions of one database. */
export async function listDatabase(
  path: string,
  { databases, only }: ListOptions,
): Promise<SourceSession[]> {
  const signature = databaseSignature(path);
  const found = await databases.read(path, (database) => readSessions(database, only));
  return found.map((row) => ({
    id: String(row.session_id),
    path,
    signature: `${row.n}:${row.t}/${row.parts ?? signature}`,
    cwd: toText(row.directory),
    title: toText(row.title),
    started: toTime(row.time_created),
    updated: toTime(row.time_updated),
    parent: toText(row.parent_id),
    key: toText(toObject(findJson(toText(row.revert) ?? ""))?.messageID),
  }));
}

/** Sessions with how many messages they have, and `parts` where parts tell when they changed. */
async function readSessions(database: Database, only?: string): Promise<DatabaseRow[]> {
  const columns = await database.columns("message");
  if (columns.size === 0) throw new Error('it has no table "message"');
  const parts = await database.columns("part");
  const info = await database.columns("session");
  const updated = columns.has("time_updated") ? "max(time_updated)" : "0";
  const [where, values] = only === undefined ? ["", []] : ["WHERE session_id = ?", [only]];
  const signatures = new Map<string, string>();
  if (parts.has("session_id") && parts.has("time_updated")) {
    const sql = `SELECT session_id, count(*) AS n, max(time_updated) AS t FROM part ${where}
      GROUP BY session_id`;
    for (const row of await database.rows(sql, ...values)) {
      signatures.set(String(row.session_id), `${row.n}:${row.t}`);
    }
  }
  const wanted = ["directory", "title", "parent_id", "time_created", "time_updated", "revert"]
    .filter((column) => info.has(column));
  const sql = `SELECT session_id, count(*) AS n, ${updated} AS t FROM message ${where}
    GROUP BY session_id`;
  const found: DatabaseRow[] = [];
  for (const row of await database.rows(sql, ...values)) {
    const id = String(row.session_id);
    const [session] = wanted.length === 0
      ? []
      : await database.rows(`SELECT ${wanted.join(", ")} FROM session WHERE id = ?`, id);
    found.push({ ...session, ...row, parts: signatures.get(id) });
  }
  return found;
}

/** The messages of one session; what cannot be read is a problem. */
export async function readDatabase(
  session: SourceSession,
  tally: Tally,
  databases: Databases,
): Promise<OpencodeSession> {
  const messages = new Map<string, OpencodeMessage>();
  const read = () => databases.read(session.path, (database) => readRows(database, session.id));
  const found = await tally.attempt(session.path, read);
  for (const row of found?.rows ?? []) {
    const info = toObject(findJson(String(row.data)));
    if (info === undefined) tally.bad_lines++;
    else messages.set(String(row.id), { id: String(row.id), info, parts: [] });
  }
  for (const row of found?.parts ?? []) {
    const part = toObject(findJson(String(row.data)));
    if (part === undefined) tally.bad_lines++;
    else messages.get(String(row.message_id))?.parts.push({ id: String(row.id), part });
  }
  return { messages: [...messages.values()], revert: session.key };
}

async function readRows(
  database: Database,
  id: string,
): Promise<{ rows: DatabaseRow[]; parts: DatabaseRow[] }> {
  const columns = await database.columns("message");
  const order = columns.has("time_created") ? "time_created, id" : "id";
  const hasParts = (await database.columns("part")).has("message_id");
  const of = "WHERE session_id = ? ORDER BY";
  return {
    rows: await database.rows(`SELECT id, data FROM message ${of} ${order}`, id),
    parts: hasParts
      ? await database.rows(`SELECT id, message_id, data FROM part ${of} id`, id)
      : [],
  };
}
