// Kiro, its IDE and its command line. Since 1.0 both keep `sessions/<place>/sess_<id>/messages.jsonl`
// with the facts in `session.json`. Before that the command line had `sessions/cli/<id>.jsonl` with
// a `.json` beside it, and a database for conversations without its full screen (at first for all,
// then as Amazon Q); the IDE had documents (`kiro_ide.ts`). The database also has credentials and
// settings: only conversations are read.

import { isIdeDocument, readIdeDocument, toIdeSession } from "./kiro_ide.ts";
import { emitKiroDocument } from "./kiro_document.ts";
import { kiroLines } from "./kiro_lines.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { dig, findJson, type Json, toList, toObject, toText, toTime } from "../loose_json.ts";
import type { ListOptions, Source, SourceSession } from "../source.ts";
import { findFiles, sessionOf, subSessionId } from "../source_kinds.ts";
import { readRecords } from "../reading.ts";
import { configDirectory, dataDirectory } from "../vscode.ts";
import { existing, findObject, type WalkedFile } from "../walk.ts";

const maxFactsBytes = 16 << 20;

export const kiro: Source = {
  name: "kiro",
  title: "Kiro",
  locate(place) {
    const { env, home } = place;
    const data = dataDirectory(place);
    return existing([
      `${env("KIRO_HOME") || `${home}/.kiro`}/sessions`,
      `${configDirectory(place)}/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions`,
      `${data}/kiro-cli/data.sqlite3`,
      `${data}/amazon-q/data.sqlite3`,
    ]);
  },
  async *list(root, options) {
    const files = (name: string, path: string) =>
      /\.jsonl$|^data\.sqlite3$/.test(name) || isIdeDocument(path);
    const lists = new Map<string, Json[]>();
    for (const file of findFiles(root, options, { files, skips: /^snapshots$/, maxDepth: 4 })) {
      if (file.name === "data.sqlite3") {
        const read = () => listConversations(file.path, options);
        yield* await options.tally.attempt(file.path, read) ?? [];
      } else yield file.name.endsWith(".json") ? toIdeSession(file, lists) : toLineSession(file);
    }
  },
  async read(session, sink, options) {
    if (session.path.endsWith(".jsonl")) {
      return await readRecords(kiroLines)(session, sink, options);
    }
    if (session.path.endsWith(".json")) return await readIdeDocument(session, sink);
    sink.tally.files++;
    const read = () =>
      options.databases.read(session.path, (database) => readValue(database, session));
    const value = await sink.tally.attempt(session.path, read);
    if (value !== undefined) await emitKiroDocument(session, toObject(findJson(value)), sink);
  },
};

/** A session of lines: its facts are in `session.json` beside it, or in a file of its own name. */
function toLineSession(file: WalkedFile): SourceSession {
  const stem = file.name.slice(0, -".jsonl".length);
  const [, above, isSub] = /^(.*?)(\/sub-executions)?\/[^/]+$/.exec(file.path) ?? [];
  const shared = findObject(`${above}/session.json`, maxFactsBytes);
  const facts = shared ?? findObject(file.path.slice(0, -1), maxFactsBytes) ?? {};
  const model = dig(facts, "session_state", "rts_model_state", "model_info", "model_id");
  const id = toText(facts.session_id) ?? toText(facts.id) ??
    (stem === "messages" || isSub ? above.replace(/^.*\//, "") : stem);
  return sessionOf(file, {
    id: isSub ? subSessionId(id, stem) : id,
    cwd: toText(facts.cwd) ?? toText(toList(facts.workspacePaths)[0]),
    title: isSub ? undefined : toText(facts.title),
    started: toTime(facts.created_at) ?? toTime(facts.createdAt),
    parent: isSub ? id : toText(facts.parent_session_id),
    key: toText(facts.modelId) ?? toText(model),
  });
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
