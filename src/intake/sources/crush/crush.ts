// Crush: one database per project, `crush.db` in its `.crush` directory; a list of projects says
// where others put it. Sessions and messages are read; files and their versions are not. Parts of
// messages grow in place while they stream, so every row carries a revision.

import { toOwnPath } from "../../../core/platform_path.ts";
import type { BlockRows } from "../block_rows.ts";
import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { Place, SourceEntry } from "../source.ts";
import { columnsOf, databaseSource } from "../source_kinds.ts";
import { otherType, readValues, type RecordFormat } from "../reading.ts";
import { pathsOf } from "../touched.ts";
import { dataDirectory } from "../vscode.ts";
import { findObject } from "../walk.ts";

export const crush = databaseSource({
  name: "crush",
  title: "Crush",
  roots: (place) => [
    `${place.workspace}/.crush`,
    ...readProjects(place).map(({ directory }) => directory),
  ],
  files: (name, path, root) => path === root || name === "crush.db",
  skips: /^(?:node_modules|\.git)$/,
  maxDepth: 5,
  async sessions(database) {
    const columns = await columnsOf(database, "sessions", "id");
    const messages = await columnsOf(database, "messages", "parts");
    if (columns.length + messages.length < 2) throw new Error('it has no table "messages"');
    // Times are whole seconds: how much was said tells what changed within one.
    return await database.rows(
      `SELECT s.id, s.parent_session_id, s.title, s.created_at, s.updated_at, count(m.id) AS n,
        max(m.updated_at) AS t, sum(length(m.parts)) AS size
        FROM sessions AS s JOIN messages AS m ON m.session_id = s.id GROUP BY s.id ORDER BY s.created_at`,
    );
  },
  describe: (row, { path, place }) =>
    // Crush asks a model for a title in a session of its own.
    String(row.id).startsWith("title-") ? "title_session" : {
      signature: `${row.n}:${row.t}:${row.size}`,
      cwd: projectOf(path, place),
      title: /^(?:New|Untitled) Session$/i.test(String(row.title)) ? undefined : toText(row.title),
      started: toTime(row.created_at),
      updated: toTime(row.t) ?? toTime(row.updated_at),
      parent: toText(row.parent_session_id),
    },
  async messages(database, { id }) {
    const names = "id role parts model provider created_at is_summary_message";
    const wanted = await columnsOf(database, "messages", names);
    const sql = `SELECT ${wanted.join(", ")} FROM messages WHERE session_id = ?
      ORDER BY created_at, rowid`;
    return await database.rows(sql, id);
  },
  emit: (session, messages, sink) => readValues(crushMessages, session, sink, messages),
});

interface CrushProject {
  path: string;
  directory: string;
}

/** The projects that Crush has been in, and where it keeps the data of each. */
function readProjects(place: Place): CrushProject[] {
  const data = `${dataDirectory(place, { hasLibrary: false })}/crush`;
  const list = findObject(`${place.env("CRUSH_GLOBAL_DATA") || data}/projects.json`);
  return toObjects(list?.projects).flatMap((project) => {
    const [path, directory] = [toText(project.path), toText(project.data_dir)];
    return path && directory ? [{ path, directory: toOwnPath(directory) }] : [];
  });
}

/** The project that a database belongs to: what the list says, else the directory that `.crush` is in. */
function projectOf(path: string, place: Place): string | undefined {
  const directory = path.slice(0, path.lastIndexOf("/"));
  const listed = readProjects(place).find((project) => project.directory === directory);
  return listed?.path ?? /^(.+)\/\.crush$/.exec(directory)?.[1];
}

const crushMessages: RecordFormat = {
  isRevised: true,
  timeOf: ({ created_at }) => created_at,
  rows(message, base, { blocks, sink: { tally } }) {
    const found = findJson(String(message.parts));
    if (!Array.isArray(found)) tally.bad_lines++;
    const parts: Json[] = toObjects(found).map(({ data, type }) => ({ ...toObject(data), type }));
    const model = make.modelName(toText(message.model), toText(message.provider));
    const rows = parts.flatMap((part, i) =>
      partRows(part, message, { base: make.under({ ...base, model }, i), blocks, tally })
    );
    const files = parts.filter(({ type }) => type === "binary").map(({ Path }) => Path);
    make.attach(rows, pathsOf(files, base.cwd));
    return rows;
  },
};

function partRows(
  part: Json,
  { role, is_summary_message }: Json,
  { base, blocks, tally }: { base: make.Base; blocks: BlockRows; tally: Tally },
): SourceEntry[] {
  const text = toText(part.text);
  if (part.type === "finish") return [];
  if (part.type === "text" && is_summary_message === 1) {
    return text ? [make.notice("summary", text, base)] : [];
  }
  if (part.type === "text" && role !== "user" && role !== "assistant") {
    if (text) tally.skip(otherType(role, "message."));
    return [];
  }
  if (part.type !== "shell_command") {
    return blocks.row(part, role === "user" ? "user" : "assistant", base, "part.");
  }
  return make.callRows({ name: "shell", input: { command: part.command } }, {
    output: toText(part.output) ?? "",
    error: part.exit_code !== 0,
    exit: toNumber(part.exit_code),
  }, base);
}
