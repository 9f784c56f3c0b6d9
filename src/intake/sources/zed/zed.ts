// Zed's own agent: one database of all threads, each a document, mostly packed with zstd. External
// agents that run in Zed keep their histories themselves.

import { emitZed } from "./zed_messages.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { findJson, type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, walk } from "../walk.ts";

/** The most that a thread may unpack to. */
const maxThreadBytes = 256 << 20;

/** Zed's threads. */
export const zed: Source = {
  name: "zed",
  title: "Zed",
  idScope: "conversation",
  locate: locateZed,
  list: listZed,
  async read(session, sink, { databases }) {
    sink.tally.files++;
    const thread = await sink.tally.attempt(session.path, async () => {
      const [row] = await databases.read(
        session.path,
        (database) => database.rows("SELECT data_type, data FROM threads WHERE id = ?", session.id),
      );
      return row && await parseThread(row);
    });
    if (thread) await emitZed(session, thread, sink);
    return { signature: session.signature };
  },
};

function locateZed({ env, home, os }: Place): string[] {
  const data = {
    darwin: `${home}/Library/Application Support/Zed`,
    windows: `${env("LOCALAPPDATA") ?? `${home}/AppData/Local`}/Zed`,
    linux: `${env("XDG_DATA_HOME") || `${home}/.local/share`}/zed`,
  }[os];
  const flatpak = `${home}/.var/app/dev.zed.Zed/data/zed`;
  return existing([data, flatpak].map((directory) => `${directory}/threads`));
}

async function* listZed(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const { tally, databases, only } = options;
  const accept = (name: string, path: string) => path === root || name === "threads.db";
  for (const { path } of walk(root, { tally, accept, maxDepth: 2, filled: true })) {
    const read = () => databases.read(path, readThreads);
    for (const row of await tally.attempt(path, read) ?? []) {
      const id = String(row.id);
      if (only !== undefined && id !== only) continue;
      const updated = toTime(row.updated_at);
      yield {
        id,
        path,
        signature: `${row.updated_at}:${row.size}`,
        cwd: await cwdOf(row, { ...options, path }),
        title: toText(row.summary),
        started: toTime(row.created_at) ?? updated,
        updated,
        parent: toText(row.parent_id),
      };
    }
  }
}

async function readThreads(database: Database): Promise<DatabaseRow[]> {
  const columns = await database.columns("threads");
  if (!columns.has("data")) throw new Error('it has no table "threads"');
  const wanted = [
    "id",
    "summary",
    "updated_at",
    "created_at",
    "parent_id",
    "folder_paths",
    "folder_paths_order",
  ].filter((column) => columns.has(column));
  return await database.rows(
    `SELECT ${wanted.join(", ")}, length(data) AS size FROM threads ORDER BY rowid`,
  );
}

/** The first folder of the thread's window; threads from before 2026 say it in their document. */
async function cwdOf(
  row: DatabaseRow,
  { tally, databases, path }: ListOptions & { path: string },
): Promise<string | undefined> {
  const folders = toText(row.folder_paths)?.split("\n") ?? [];
  const first = Number((toText(row.folder_paths_order) ?? "0").split(",")[0]);
  if (folders.length > 0) return folders[first] ?? folders[0];
  const thread = await tally.attempt(path, async () => {
    const [found] = await databases.read(
      path,
      (database) =>
        database.rows("SELECT data_type, data FROM threads WHERE id = ?", String(row.id)),
    );
    return found && await parseThread(found);
  });
  const snapshot = toObject(thread?.initial_project_snapshot);
  return toText(toObjects(snapshot?.worktree_snapshots)[0]?.worktree_path);
}

/** The document of a thread; throws when it is none. */
async function parseThread({ data_type, data }: DatabaseRow): Promise<Json> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  if (!(bytes instanceof Uint8Array)) throw new Error("a thread in it has no content");
  const { zstdDecompressSync } = await import("node:zlib");
  const plain = data_type === "zstd"
    ? zstdDecompressSync(bytes, { maxOutputLength: maxThreadBytes })
    : bytes;
  const thread = toObject(findJson(new TextDecoder().decode(plain)));
  if (thread === undefined) throw new Error("a thread in it is no JSON");
  return thread;
}
