// Reads OpenCode's SQLite database: `session`, `message` and `part`, and no other table. Columns
// grow between releases, so they are probed before they are named.

import { databaseSignature, openDatabase } from "./database.ts";
import { parseJson, toObject, toText, toTime } from "./json.ts";
import type { OpencodeMessage, OpencodeSession } from "./opencode_messages.ts";
import type { ListOptions, SourceSession } from "./source.ts";
import type { Tally } from "./tally.ts";
import { walk } from "./walk.ts";

/** The databases under a root: `opencode.db` and those of other channels. */
export function findDatabases(root: string, { tally }: ListOptions): string[] {
  const accept = (name: string) => /^opencode(?:-[\w.-]+)?\.db$/.test(name);
  return [...walk(root, { tally, accept, maxDepth: 1 })].map((file) => file.path);
}

/** The sessions of one database. */
export async function* listDatabase(
  path: string,
  { tally, scratch }: ListOptions,
): AsyncGenerator<SourceSession> {
  const sessions: SourceSession[] = [];
  try {
    using database = await openDatabase(path, scratch);
    const columns = database.columns("message");
    const parts = database.columns("part");
    const info = database.columns("session");
    const updated = columns.has("time_updated") ? "max(time_updated)" : "0";
    const signatures = new Map<string, string>();
    if (parts.has("session_id") && parts.has("time_updated")) {
      const counts = database.rows(
        "SELECT session_id, count(*) AS n, max(time_updated) AS t FROM part GROUP BY session_id",
      );
      for (const row of counts) signatures.set(String(row.session_id), `${row.n}:${row.t}`);
    }
    const wanted = ["directory", "title", "parent_id", "time_created", "time_updated", "revert"]
      .filter((column) => info.has(column));
    const grouped = database.rows(
      `SELECT session_id, count(*) AS n, ${updated} AS t FROM message GROUP BY session_id`,
    );
    for (const row of [...grouped]) {
      const id = String(row.session_id);
      const found = info.size === 0
        ? undefined
        : database.findRow(`SELECT ${wanted.join(", ")} FROM session WHERE id = ?`, id);
      const revert = toObject(parseJson(toText(found?.revert) ?? ""));
      sessions.push({
        id,
        path,
        signature: `${row.n}:${row.t}/${signatures.get(id) ?? databaseSignature(path)}`,
        cwd: toText(found?.directory),
        title: toText(found?.title),
        started: toTime(found?.time_created),
        updated: toTime(found?.time_updated),
        parent: toText(found?.parent_id),
        key: toText(revert?.messageID),
      });
    }
  } catch (error) {
    tally.problem(path, error);
  }
  yield* sessions;
}

/** The messages of one session; what a damaged database still gives is kept. */
export async function readDatabase(
  session: SourceSession,
  tally: Tally,
  scratch: string,
): Promise<OpencodeSession> {
  const messages = new Map<string, OpencodeMessage>();
  try {
    using database = await openDatabase(session.path, scratch);
    const order = database.columns("message").has("time_created") ? "time_created, id" : "id";
    const rows = database.rows(
      `SELECT id, data FROM message WHERE session_id = ? ORDER BY ${order}`,
      session.id,
    );
    for (const row of rows) {
      const info = toObject(parseJson(String(row.data)));
      if (info === undefined) tally.bad_lines++;
      else messages.set(String(row.id), { id: String(row.id), info, parts: [] });
    }
    if (database.columns("part").has("message_id")) {
      const parts = database.rows(
        "SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id",
        session.id,
      );
      for (const row of parts) {
        const part = toObject(parseJson(String(row.data)));
        if (part === undefined) tally.bad_lines++;
        else messages.get(String(row.message_id))?.parts.push({ id: String(row.id), part });
      }
    }
  } catch (error) {
    tally.problem(session.path, error);
  }
  return { messages: [...messages.values()], revert: session.key };
}
