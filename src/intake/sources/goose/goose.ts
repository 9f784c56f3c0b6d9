// Goose: one database of all sessions, `sessions.db`. The JSONL files beside it are from before 1.10;
// Goose itself took them over. Recipes, extension data and the usage ledger are not read.

import { modelName } from "../entries.ts";
import { emitGoose } from "./goose_messages.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { findJson, toObject, toText, toTime } from "../loose_json.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, walk } from "../walk.ts";

/** Goose's sessions. */
export const goose: Source = {
  name: "goose",
  title: "Goose",
  idScope: "conversation",
  locate: locateGoose,
  list: listGoose,
  async read(session, sink, { databases }) {
    sink.tally.files++;
    const read = () => databases.read(session.path, (database) => readMessages(database, session));
    await emitGoose(session, await sink.tally.attempt(session.path, read) ?? [], sink);
    return { signature: session.signature };
  },
};

/** The same directories on Linux and macOS. */
function locateGoose({ env, home, os }: Place): string[] {
  const root = env("GOOSE_PATH_ROOT");
  const data = os === "windows"
    ? `${env("APPDATA") ?? `${home}/AppData/Roaming`}/Block/goose/data`
    : `${env("XDG_DATA_HOME") || `${home}/.local/share`}/goose`;
  return existing([`${root ? `${root}/data` : data}/sessions`]);
}

async function* listGoose(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const { tally, databases, only } = options;
  const accept = (name: string, path: string) => path === root || name === "sessions.db";
  for (const { path } of walk(root, { tally, accept, maxDepth: 2, filled: true })) {
    const read = () => databases.read(path, readSessions);
    for (const row of await tally.attempt(path, read) ?? []) {
      const id = String(row.id);
      if (only !== undefined && id !== only) continue;
      // Goose asks a model for names and the like in sessions that nobody sees.
      if (row.session_type === "hidden") tally.skip("hidden_session");
      else {
        yield {
          id,
          path,
          signature: `${row.n}:${row.last}:${row.size}`,
          key: modelOf(row),
          cwd: toText(row.working_dir),
          title: titleOf(row),
          started: toUtc(row.created_at),
          updated: toUtc(row.updated_at),
          parent: toText(row.parent_session_id),
        };
      }
    }
  }
}

async function readSessions(database: Database): Promise<DatabaseRow[]> {
  const columns = await database.columns("sessions");
  const messages = await database.columns("messages");
  if (!columns.has("id") || !messages.has("content_json")) {
    throw new Error('it has no table "messages"');
  }
  const wanted = sessionColumns.filter((column) => columns.has(column));
  return await database.rows(
    `SELECT ${wanted.map((column) => `s.${column}`).join(", ")}, count(*) AS n,
      max(m.id) AS last, sum(length(m.content_json)) AS size
      FROM sessions AS s JOIN messages AS m ON m.session_id = s.id GROUP BY s.id ORDER BY s.rowid`,
  );
}

const sessionColumns = [
  "id",
  "name",
  "description",
  "session_type",
  "working_dir",
  "created_at",
  "updated_at",
  "provider_name",
  "model_config_json",
  "parent_session_id",
];

async function readMessages(database: Database, { id }: SourceSession): Promise<DatabaseRow[]> {
  const columns = await database.columns("messages");
  const wanted = ["id", "message_id", "role", "content_json", "created_timestamp", "metadata_json"]
    .filter((column) => columns.has(column));
  const sql = `SELECT ${wanted.join(", ")} FROM messages WHERE session_id = ? ORDER BY id`;
  return await database.rows(sql, id);
}

/** What Goose or its user called a session; what it calls all of them at first is no title. */
function titleOf(row: DatabaseRow): string | undefined {
  const title = toText(row.name) ?? toText(row.description);
  return title === undefined || /^(?:New (?:chat|session)|CLI Session)/i.test(title)
    ? undefined
    : title;
}

function modelOf(row: DatabaseRow): string | undefined {
  const config = toObject(findJson(toText(row.model_config_json) ?? ""));
  return modelName(toText(config?.model_name), toText(row.provider_name));
}

/** SQLite's own times are UTC without saying so. */
function toUtc(value: unknown): string | undefined {
  const text = toText(value);
  return toTime(text && /^[\d-]+ [\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : value);
}
