// SQLite in a Worker of its own: a database may be made so that a question never ends, and only what
// runs beside the program can be stopped. One question at a time; reads files, writes nothing.

import type { Database as Handle, Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import { DatabaseImage } from "./database_image.ts";
import { imageVfsName, loadSqlite } from "./image_vfs.ts";
import type { Answer, DatabaseRow, Question } from "./databases.ts";

const maxAnswerBytes = 512 << 20;
/** One value; a row of more is refused by SQLite. */
const maxValueBytes = 128 << 20;

const images = new Map<string, DatabaseImage>();
let sqlite: Promise<Sqlite3Static> | undefined;
let handle: Handle | undefined;
const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data }: MessageEvent<Question>) => {
  let answer: Answer;
  try {
    answer = { value: await reply(data) };
  } catch (error) {
    answer = { failure: error instanceof Error ? error.message : String(error) };
  }
  scope.postMessage(answer);
};

async function reply(question: Question): Promise<unknown> {
  switch (question.ask) {
    case "open":
      return await open(question.path);
    case "rows":
      return rowsOf(question.sql, question.values);
    case "is_unchanged":
      return images.get("database")?.isUnchanged() ?? false;
  }
}

async function open(path: string): Promise<void> {
  handle?.close();
  handle = undefined;
  images.get("database")?.[Symbol.dispose]();
  images.delete("database");
  images.set("database", new DatabaseImage(path));
  const { oo1, capi } = await (sqlite ??= loadSqlite(images));
  handle = new oo1.DB({ filename: "database", flags: "r", vfs: imageVfsName });
  capi.sqlite3_limit(handle, capi.SQLITE_LIMIT_LENGTH, maxValueBytes);
  // A schema is somebody else's text: functions in it may do nothing but compute.
  handle.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
}

function rowsOf(sql: string, values: Question["values"]): DatabaseRow[] {
  if (handle === undefined) throw new Error("no database is open");
  const statement = handle.prepare(sql);
  try {
    if (values.length > 0) statement.bind(values);
    const rows: DatabaseRow[] = [];
    let bytes = 0;
    while (statement.step()) {
      const row: DatabaseRow = statement.get({});
      bytes += sizeOf(row);
      if (bytes > maxAnswerBytes) {
        throw new Error(`more than ${maxAnswerBytes >> 20} MiB in one conversation`);
      }
      rows.push(row);
    }
    return rows;
  } finally {
    statement.finalize();
  }
}

function sizeOf(row: DatabaseRow): number {
  return Object.values(row).reduce<number>((sum, value) => {
    if (typeof value === "string") return sum + value.length;
    return sum + (value instanceof Uint8Array ? value.length : 8);
  }, 0);
}
