// Kiro's command line: a JSONL file per session with its facts in a `.json` beside it, and a database
// for conversations that were held without its full screen (before 2026 for all, then as Amazon Q).
// The database also has credentials and settings: only conversations are read.

import { KiroConversation } from "./kiro_conversation.ts";
import { emitKiroDocument } from "./kiro_document.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { findJson, toObject, toText, toTime } from "../loose_json.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, findObject, sessionFacts, walk } from "../walk.ts";

/** Kiro's sessions. */
export const kiro: Source = {
  name: "kiro",
  title: "Kiro",
  idScope: "conversation",
  locate: locateKiro,
  list: listKiro,
  async read(session, sink, options) {
    if (session.path.endsWith(".jsonl")) {
      const open = (state?: Record<string, unknown>) => new KiroConversation(session, sink, state);
      return await readConversation(session.path, sink, { ...options, open });
    }
    sink.tally.files++;
    const read = () =>
      options.databases.read(session.path, (database) => readValue(database, session));
    const value = await sink.tally.attempt(session.path, read);
    await emitKiroDocument(session, toObject(findJson(value ?? "")), sink);
    return { signature: session.signature };
  },
};

function locateKiro({ env, home, os }: Place): string[] {
  const data = {
    darwin: `${home}/Library/Application Support`,
    windows: env("LOCALAPPDATA") ?? `${home}/AppData/Local`,
    linux: env("XDG_DATA_HOME") || `${home}/.local/share`,
  }[os];
  return existing([
    `${env("KIRO_HOME") || `${home}/.kiro`}/sessions/cli`,
    `${data}/kiro-cli/data.sqlite3`,
    `${data}/amazon-q/data.sqlite3`,
  ]);
}

async function* listKiro(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const { tally } = options;
  const accept = (name: string) => /\.jsonl$|^data\.sqlite3$/.test(name);
  for (const file of walk(root, { tally, accept, maxDepth: 3, filled: true })) {
    if (!file.name.endsWith(".jsonl")) {
      const read = () => listConversations(file.path, options);
      yield* await tally.attempt(file.path, read) ?? [];
      continue;
    }
    const facts = findObject(file.path.slice(0, -1), 16 << 20) ?? {};
    const { updated, ...common } = sessionFacts(file);
    yield {
      id: toText(facts.session_id) ?? file.name.slice(0, -".jsonl".length),
      ...common,
      cwd: toText(facts.cwd),
      title: toText(facts.title),
      started: toTime(facts.created_at) ?? updated,
      updated,
      parent: toText(facts.parent_session_id),
      key: modelIn(facts),
    };
  }
}

function modelIn(facts: Record<string, unknown>): string | undefined {
  const state = toObject(toObject(facts.session_state)?.rts_model_state);
  return toText(toObject(state?.model_info)?.model_id);
}

/** The conversations of a database: the new table has many of each directory, the old one the last. */
async function listConversations(
  path: string,
  { databases, only }: ListOptions,
): Promise<SourceSession[]> {
  const rows = await databases.read(path, readConversations);
  const found = new Map<string, SourceSession>();
  for (const row of rows) {
    const id = toText(row.id) ?? String(row.cwd);
    // What both tables have went on in the new one, which comes first.
    if (found.has(id) || (only !== undefined && id !== only)) continue;
    found.set(id, {
      id,
      path,
      key: String(row.place),
      signature: `${row.updated_at ?? ""}:${row.size}`,
      cwd: toText(row.cwd),
      started: toTime(row.created_at) ?? toTime(row.first) ?? new Date(0).toISOString(),
      updated: toTime(row.updated_at),
    });
  }
  return [...found.values()];
}

async function readConversations(database: Database): Promise<DatabaseRow[]> {
  const found: DatabaseRow[] = [];
  for (const table of tables) {
    const columns = await database.columns(table);
    if (!columns.has("key") || !columns.has("value")) continue;
    const more = ["created_at", "updated_at"].filter((column) => columns.has(column));
    const id = columns.has("conversation_id")
      ? "conversation_id"
      : "CASE WHEN json_valid(value) THEN json_extract(value, '$.conversation_id') END";
    found.push(
      ...await database.rows(
        `SELECT ${["key AS cwd", `${id} AS id`, ...more].join(", ")}, length(value) AS size,
          '${table}:' || rowid AS place, CASE WHEN json_valid(value)
          THEN json_extract(value, '$.history[0].user.timestamp') END AS first
          FROM ${table} ORDER BY rowid`,
      ),
    );
  }
  return found;
}

const tables = ["conversations_v2", "conversations"];

async function readValue(database: Database, { key = "" }: SourceSession): Promise<string> {
  const [table, rowid] = key.split(":");
  if (!tables.includes(table)) return "";
  const [row] = await database.rows(`SELECT value FROM ${table} WHERE rowid = ?`, Number(rowid));
  return String(row?.value ?? "");
}
