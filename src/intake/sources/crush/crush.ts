// Crush: one database per project, `crush.db` in its `.crush` directory; a list of projects says
// where others put it. Sessions and messages are read; files and their versions are not.

import { emitCrush } from "./crush_messages.ts";
import type { Database, DatabaseRow } from "../database/databases.ts";
import { toObjects, toText, toTime } from "../loose_json.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, findObject, walk } from "../walk.ts";

/** Crush's sessions. */
export const crush: Source = {
  name: "crush",
  title: "Crush",
  idScope: "conversation",
  locate: (place) =>
    existing([
      `${place.workspace}/.crush`,
      ...readProjects(place).map(({ directory }) => directory),
    ]),
  list: listCrush,
  async read(session, sink, { databases }) {
    sink.tally.files++;
    const read = () => databases.read(session.path, (database) => readMessages(database, session));
    await emitCrush(session, await sink.tally.attempt(session.path, read) ?? [], sink);
    return { signature: session.signature };
  },
};

async function* listCrush(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const { tally, databases, place, only } = options;
  const accept = (name: string, path: string) => path === root || name === "crush.db";
  const enter = (name: string) => name !== "node_modules" && name !== ".git";
  for (const { path } of walk(root, { tally, accept, enter, maxDepth: 5, filled: true })) {
    const read = () => databases.read(path, readSessions);
    const cwd = projectOf(path, place);
    for (const row of await tally.attempt(path, read) ?? []) {
      const id = String(row.id);
      if (only !== undefined && id !== only) continue;
      // Crush asks a model for a title in a session of its own.
      if (id.startsWith("title-")) tally.skip("title_session");
      else {
        yield {
          id,
          path,
          signature: `${row.n}:${row.t}:${row.size}`,
          cwd,
          title: toText(row.title),
          started: toTime(row.created_at),
          updated: toTime(row.t) ?? toTime(row.updated_at),
          parent: toText(row.parent_session_id),
        };
      }
    }
  }
}

/** Times are whole seconds: how much was said tells what changed within one. */
async function readSessions(database: Database): Promise<DatabaseRow[]> {
  const columns = await database.columns("sessions");
  const messages = await database.columns("messages");
  if (!columns.has("id") || !messages.has("parts")) throw new Error('it has no table "messages"');
  return await database.rows(
    `SELECT s.id, s.parent_session_id, s.title, s.created_at, s.updated_at, count(m.id) AS n,
      max(m.updated_at) AS t, sum(length(m.parts)) AS size
      FROM sessions AS s JOIN messages AS m ON m.session_id = s.id GROUP BY s.id ORDER BY s.created_at`,
  );
}

async function readMessages(database: Database, { id }: SourceSession): Promise<DatabaseRow[]> {
  const columns = await database.columns("messages");
  const wanted = ["id", "role", "parts", "model", "provider", "created_at", "is_summary_message"]
    .filter((column) => columns.has(column));
  const sql = `SELECT ${wanted.join(", ")} FROM messages WHERE session_id = ?
    ORDER BY created_at, rowid`;
  return await database.rows(sql, id);
}

interface CrushProject {
  path: string;
  directory: string;
}

/** The projects that Crush has been in, and where it keeps the data of each. */
function readProjects({ env, home, os }: Place): CrushProject[] {
  const data = os === "windows"
    ? env("LOCALAPPDATA") ?? `${home}/AppData/Local`
    : env("XDG_DATA_HOME") || `${home}/.local/share`;
  const list = findObject(`${env("CRUSH_GLOBAL_DATA") || `${data}/crush`}/projects.json`);
  return toObjects(list?.projects).flatMap((project) => {
    const [path, directory] = [toText(project.path), toText(project.data_dir)];
    return path && directory ? [{ path, directory }] : [];
  });
}

/** The project that a database belongs to: what the list says, else the directory that `.crush` is in. */
function projectOf(path: string, place: Place): string | undefined {
  const directory = path.slice(0, path.lastIndexOf("/"));
  const listed = readProjects(place).find((project) => project.directory === directory);
  return listed?.path ?? /^(.+)\/\.crush$/.exec(directory)?.[1];
}
