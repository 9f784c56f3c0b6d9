// SQLite in a Worker of its own: a database may be made so that a question never ends, and only what
// runs beside the program can be stopped. One question at a time; reads files, writes nothing.

import type { Database as Handle, Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import type { Answer, DatabaseRow, Question } from "./databases.ts";
import { openPlain, PrivateFile, readMark } from "./private_file.ts";
import { loadSqlite, privateVfsName } from "./private_vfs.ts";

const maxAnswerBytes = 512 << 20;
/** One value; a row of more is refused by SQLite. */
const maxValueBytes = 128 << 20;

/** The database, and its logs where it has them. */
const files = new Map<string, PrivateFile>();
let opened: { path: string; mark: string } | undefined;
let sqlite: Promise<Sqlite3Static> | undefined;
let handle: Handle | undefined;
const scope = globalThis as unknown as Worker;

scope.onmessage = async ({ data }: MessageEvent<Question>) => {
  let answer: Answer;
  try {
    answer = { value: await reply(data) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = message.replace(/^SQLITE_\w+: sqlite3 result code \d+: (?:file is )?/, "");
    answer = { failure };
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
      return opened !== undefined && readMark(opened.path) === opened.mark;
  }
}

async function open(path: string): Promise<void> {
  handle?.close();
  handle = undefined;
  for (const file of files.values()) file[Symbol.dispose]();
  files.clear();
  opened = { path, mark: readMark(path) };
  files.set("database", new PrivateFile(Deno.openSync(path, { read: true })));
  for (const log of ["-wal", "-journal"]) {
    const file = openPlain(path + log);
    if (file) files.set(`database${log}`, new PrivateFile(file));
  }
  const { oo1, capi } = await (sqlite ??= loadSqlite(files));
  handle = new oo1.DB({ filename: "database", flags: "w", vfs: privateVfsName });
  // What is in the log need not be moved when we are done.
  capi.sqlite3_db_config(handle, capi.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, 0);
  capi.sqlite3_limit(handle, capi.SQLITE_LIMIT_LENGTH, maxValueBytes);
  // A schema is somebody else's text: functions in it may do nothing but compute.
  // Whoever has a database alone needs no memory shared with others to read its log.
  handle.exec(
    "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA locking_mode = EXCLUSIVE",
  );
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
