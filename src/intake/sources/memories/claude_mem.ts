// claude-mem: one SQLite database, `claude-mem.db`, with the prompts of Claude Code's sessions and what
// a model observed in them and summed up. It knows a project only by the name of its directory: what
// has the name of the workspace belongs to it. Read when it is asked for: Claude Code's own transcripts
// hold the same prompts.

import type { Database, DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import { type Json, toText, toTime } from "../loose_json.ts";
import { readValues, type RecordFormat } from "../reading.ts";
import { columnsOf, databaseSource } from "../source_kinds.ts";
import { memoryRow, toItems, toTexts } from "./memory_row.ts";

/** What each table has that is read, and the column that leads to its session. */
const tables = {
  user_prompts: ["content_session_id", "id prompt_text created_at_epoch"],
  observations: [
    "memory_session_id",
    "id type title subtitle narrative text facts files_read files_modified created_at_epoch",
  ],
  session_summaries: [
    "memory_session_id",
    "id request investigated learned completed next_steps notes created_at_epoch",
  ],
} as const;

export const claudeMem = databaseSource({
  name: "claude-mem",
  title: "claude-mem",
  roots: () => [],
  files: /^claude-mem\.db$/,
  maxDepth: 2,
  async sessions(database) {
    const wanted = "content_session_id memory_session_id project custom_title started_at_epoch";
    const found = await columnsOf(database, "sdk_sessions", wanted);
    if (!found.includes("content_session_id") || !found.includes("memory_session_id")) {
      throw new Error("it is from a version before 2026; start claude-mem once to update it");
    }
    const counts = Object.entries(tables).map(([table, [column]]) =>
      `(SELECT count(*) || ':' || coalesce(max(id), 0) FROM ${table} WHERE ${column} = s.${column})`
    );
    return await database.rows(
      `SELECT s.content_session_id AS id, ${found.map((column) => `s.${column}`).join(", ")},
        ${counts.join(" || '/' || ")} AS signature FROM sdk_sessions AS s ORDER BY s.id`,
    );
  },
  describe: (row, { place: { workspace } }) => ({
    signature: String(row.signature),
    key: toText(row.memory_session_id),
    cwd: row.project === workspace.replace(/^.*[\\/]/, "") ? workspace : toText(row.project),
    title: toText(row.custom_title),
    started: toTime(row.started_at_epoch),
  }),
  async messages(database, { id, key = "" }) {
    const rows: DatabaseRow[] = [];
    for (const [table, [column, wanted]] of Object.entries(tables)) {
      const from = column === "content_session_id" ? id : key;
      rows.push(...await readTable(database, { table, column, wanted, from }));
    }
    return rows.sort((a, b) => Number(a.created_at_epoch) - Number(b.created_at_epoch));
  },
  emit: (session, rows, sink) => readValues(format, session, sink, rows),
});

async function readTable(
  database: Database,
  { table, column, wanted, from }: Record<"table" | "column" | "wanted" | "from", string>,
): Promise<DatabaseRow[]> {
  const columns = await columnsOf(database, table, wanted);
  const sql = `SELECT '${table}' AS kind, ${columns.join(", ")} FROM ${table} WHERE ${column} = ?`;
  return await database.rows(sql, from);
}

const format: RecordFormat = {
  isRevised: true,
  timeOf: ({ created_at_epoch }) => created_at_epoch,
  idOf: ({ kind, id }) => `${kind}:${id}`,
  rows(row, base) {
    if (row.kind === "user_prompts") {
      const text = toText(row.prompt_text);
      return text ? [make.turn("user", text, base)] : [];
    }
    return row.kind === "observations" ? observation(row, base) : summary(row, base);
  },
};

function observation(row: Json, base: make.Base) {
  const title = toText(row.title);
  const parts = [title, toText(row.narrative) ?? toText(row.text), toItems(row.facts)];
  const files = [...toTexts(row.files_modified), ...toTexts(row.files_read)];
  return memoryRow(parts[1] || parts[2] ? parts : [title, row.subtitle], base, { title, files });
}

function summary(row: Json, base: make.Base) {
  const parts = ["request", "investigated", "learned", "completed", "next_steps", "notes"]
    .flatMap((name) => toText(row[name]) ? [`${name.replace("_", " ")}: ${row[name]}`] : []);
  return memoryRow(parts, base, { title: row.request });
}
