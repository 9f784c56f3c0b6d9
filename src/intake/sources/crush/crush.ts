// Crush: one database per project, `crush.db` in its `.crush` directory; a list of projects says
// where others put it. Sessions and messages are read; files and their versions are not. Parts of
// messages grow in place while they stream, so every row carries a revision.

import type { DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  parseArguments,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { Place, SourceEntry, SourceSession } from "../source.ts";
import { columnsOf, databaseSource } from "../source_kinds.ts";
import { otherType, sendMessage } from "../reading.ts";
import { pathsOf } from "../touched.ts";
import { findObject } from "../walk.ts";

/** Crush's sessions. */
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
  async emit(session, messages, sink) {
    for (const message of messages) await sendMessage(sink, toRows(session, message, sink.tally));
  },
});

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

function toRows(
  { cwd, started }: SourceSession,
  message: DatabaseRow,
  tally: Tally,
): SourceEntry[] {
  const found = findJson(String(message.parts));
  if (!Array.isArray(found)) tally.bad_lines++;
  const parts = toObjects(found).map((part) => ({ ...toObject(part.data), type: part.type }));
  const base = {
    ts: toTime(message.created_at) ?? started ?? "",
    cwd,
    model: make.modelName(toText(message.model), toText(message.provider)),
  };
  const role = message.is_summary_message === 1 ? "summary" : String(message.role);
  const rows = parts.flatMap((part, i) =>
    partRows(part, role, { base: { ...base, message: `${message.id}:${i}` }, tally })
  );
  const files = parts.filter(({ type }) => type === "binary").map((part: Json) => part.Path);
  make.attach(rows, pathsOf(files, cwd));
  return rows;
}

function partRows(
  part: Json,
  role: string,
  { base, tally }: { base: make.Base; tally: Tally },
): SourceEntry[] {
  const [text, thinking] = [toText(part.text), toText(part.thinking)];
  switch (part.type) {
    case "text":
      if (text === undefined) return [];
      if (role === "summary") return [make.notice("summary", text, base)];
      if (role === "user" || role === "assistant") return [make.turn(role, text, base)];
      tally.skip(`type:message.${role}`);
      return [];
    case "reasoning":
      return thinking ? [make.thinking(thinking, base)] : [];
    case "tool_call": {
      const input = parseArguments(part.input);
      return [make.toolCall({ name: part.name, input, call_id: part.id }, base)];
    }
    case "tool_result": {
      const media = toText(part.mime_type);
      return [
        make.toolOutput({
          name: part.name,
          output: toText(part.content) ?? (media === undefined ? "" : `[${media}]`),
          error: part.is_error === true,
          call_id: part.tool_call_id,
        }, base),
      ];
    }
    case "shell_command":
      return make.callRows({ name: "shell", input: { command: part.command } }, {
        output: toText(part.output) ?? "",
        error: part.exit_code !== 0,
        exit: toNumber(part.exit_code),
      }, base);
    case "finish":
      return [];
    case "binary":
    case "image_url":
      tally.skip("attachment");
      return [];
    default:
      tally.skip(otherType(part.type, "part."));
      return [];
  }
}
