// Reads OpenCode's SQLite databases: `session`, `message` and `part` of 1.x, `session_v2` and
// `session_message` of 2.x, and no other table. An upgraded database has both, and the old tables
// stand still in it; another channel's database may hold the same conversation. One conversation is
// put together from all of them. Columns grow between releases, so they are probed before they are
// named.

import {
  type Database,
  type DatabaseRow,
  type Databases,
  databaseSignature,
} from "../database/databases.ts";
import { findJson, type Json, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import {
  type OpencodeMessage,
  type OpencodeSession,
  parseSessionMessage,
} from "./opencode_messages.ts";
import type { Tally } from "../problem_tally.ts";
import type { ListOptions, SourceSession } from "../source.ts";
import { columnsOf, findFiles } from "../source_kinds.ts";
import { otherType } from "../reading.ts";

/** The databases under a root: that of the releases and those of other channels. */
export function findDatabases(root: string, options: ListOptions, stem: string): string[] {
  const known = new RegExp(`^(?:opencode|${stem})(?:-[\\w.-]+)?\\.db$`);
  const files = (name: string, path: string) => path === root || known.test(name);
  // SQLite makes an empty file before the first table: nothing is wrong with it.
  return findFiles(root, options, { files, maxDepth: 1 }).map(({ path }) => path).toArray();
}

export async function listDatabase(
  path: string,
  { databases, only }: ListOptions,
): Promise<SourceSession[]> {
  const signature = databaseSignature(path);
  const found = await databases.read(path, (database) => readSessions(database, only));
  return found.map(({ id, info, old, now }) => {
    const first = old && `${old.n}:${old.t}/${old.parts ?? signature}`;
    const second = now && `${now.n}:${now.t}:${now.s}`;
    return {
      id,
      path,
      key: path,
      signature: [first, second].filter((part) => part !== undefined).join("+"),
      cwd: toText(info.directory),
      title: toText(info.title),
      started: toTime(info.time_created),
      updated: toTime(info.time_updated),
      parent: toText(info.parent_id) ?? toText(info.fork_session_id),
    };
  });
}

/** One session for each conversation, whichever databases hold it; the one that went on last names it. */
export function joinHomes(sessions: readonly SourceSession[]): Map<string, SourceSession> {
  const joined = new Map<string, SourceSession>();
  for (const [id, homes] of Map.groupBy(sessions, (session) => session.id)) {
    const newest = homes.reduce((a, b) => (b.updated ?? "") > (a.updated ?? "") ? b : a);
    // A copy that says the same need not be read.
    const read = homes.filter((home) => home === newest || home.signature !== newest.signature);
    joined.set(id, {
      ...newest,
      signature: homes.map((home) => home.signature).join("|"),
      key: read.map((home) => home.path).join("\n"),
    });
  }
  return joined;
}

/** A session with how many messages it has in the tables of 1.x and in those of 2.x. */
interface FoundSession {
  id: string;
  info: DatabaseRow;
  /** `parts` is there where parts tell when they changed. */
  old?: DatabaseRow;
  now?: DatabaseRow;
}

async function readSessions(database: Database, only?: string): Promise<FoundSession[]> {
  const message = await database.columns("message");
  const second = await database.columns("session_message");
  if (message.size + second.size === 0) throw new Error('it has no table "message"');
  const [where, values] = only === undefined ? ["", []] : ["WHERE session_id = ?", [only]];
  const count = async (table: string, more: string): Promise<Map<string, DatabaseRow>> => {
    const columns = await database.columns(table);
    if (!columns.has("session_id")) return new Map();
    const updated = columns.has("time_updated") ? "max(time_updated)" : "0";
    const sql = `SELECT session_id, count(*) AS n, ${updated} AS t${more} FROM ${table} ${where}
      GROUP BY session_id`;
    return new Map(
      (await database.rows(sql, ...values)).map((row) => [String(row.session_id), row]),
    );
  };
  const parts = await database.columns("part");
  const partCounts = parts.has("time_updated") ? await count("part", "") : new Map();
  const old = await count("message", "");
  for (const [id, row] of old) {
    const found = partCounts.get(id);
    if (found !== undefined) row.parts = `${found.n}:${found.t}`;
  }
  const now = await count("session_message", second.has("seq") ? ", max(seq) AS s" : "");
  const infos = await readInfos(database, only);
  return [...new Set([...old.keys(), ...now.keys()])].map((id) => ({
    id,
    info: infos.get(id) ?? {},
    old: old.get(id),
    now: now.get(id),
  }));
}

/** What sessions say of themselves; the tables of 2.x know better. */
async function readInfos(database: Database, only?: string): Promise<Map<string, DatabaseRow>> {
  const infos = new Map<string, DatabaseRow>();
  const [where, values] = only === undefined ? ["", []] : ["WHERE id = ?", [only]];
  for (const table of ["session", "session_v2"]) {
    const wanted = await columnsOf(database, table, infoColumns);
    if (!wanted.includes("id")) continue;
    const sql = `SELECT ${wanted.join(", ")} FROM ${table} ${where}`;
    for (const row of await database.rows(sql, ...values)) {
      const said = Object.entries(row).filter(([, value]) => value !== null);
      const id = String(row.id);
      infos.set(id, { ...infos.get(id), ...Object.fromEntries(said) });
    }
  }
  return infos;
}

const infoColumns = "id directory title parent_id fork_session_id time_created time_updated revert";

/** A message as a database has it, and when it was begun and last changed there. */
interface DatedMessage extends OpencodeMessage {
  created: number;
  updated: number;
}

/** The messages of one session in all its databases; what cannot be read is a problem. */
export async function readDatabases(
  session: SourceSession,
  tally: Tally,
  databases: Databases,
): Promise<OpencodeSession> {
  const messages = new Map<string, DatedMessage>();
  const paths = (session.key ?? session.path).split("\n");
  let revert: string | undefined;
  for (const path of paths) {
    const read = () => databases.read(path, (database) => readRows(database, session.id));
    const found = await tally.attempt(path, read);
    if (found === undefined) continue;
    if (path === session.path) {
      revert = toText(toObject(findJson(toText(found.revert) ?? ""))?.messageID);
    }
    for (const message of joinGenerations(found, tally)) {
      const other = messages.get(message.id);
      if (other === undefined || message.updated > other.updated) messages.set(message.id, message);
    }
  }
  const all = [...messages.values()];
  return { messages: paths.length === 1 ? all : all.sort((a, b) => a.created - b.created), revert };
}

interface FoundRows {
  old: DatabaseRow[];
  parts: DatabaseRow[];
  now: DatabaseRow[];
  revert: unknown;
}

async function readRows(database: Database, id: string): Promise<FoundRows> {
  const select = async (table: string, wanted: string[], order: string[]) => {
    const columns = await database.columns(table);
    if (!columns.has("session_id") || !columns.has("data")) return [];
    const [fields, by] = [wanted, order].map((names) =>
      names.filter((name) => columns.has(name)).join(", ")
    );
    const sql = `SELECT ${fields} FROM ${table} WHERE session_id = ? ORDER BY ${by}`;
    return await database.rows(sql, id);
  };
  const fields = ["id", "time_created", "time_updated", "data"];
  return {
    old: await select("message", fields, ["time_created", "id"]),
    parts: await select("part", [...fields, "message_id"], ["id"]),
    now: await select("session_message", [...fields, "type"], ["seq", "time_created", "id"]),
    revert: (await readInfos(database, id)).get(id)?.revert,
  };
}

/**
 * The messages of one database. Where 2.x has any of a session, it has them all from its first one
 * on; a message that both have is the one of 1.x, if it was complete: so it was read before.
 */
function joinGenerations({ old, parts, now }: FoundRows, tally: Tally): DatedMessage[] {
  const second = now.flatMap((row) => {
    const { type } = row;
    const dated = readDated(row, tally);
    const message = dated &&
      parseSessionMessage({ id: dated.id, type: String(type), data: dated.info });
    if (dated && !message) tally.skip(otherType(type, "message."));
    return dated && message ? [{ ...dated, ...message }] : [];
  });
  const first = readFirst({ old, parts }, tally);
  if (second.length === 0) return first;
  const ids = new Set(second.map((message) => message.id));
  const begin = Math.min(...second.map((message) => message.created));
  const kept = first.filter((message) =>
    ids.has(message.id) ? isComplete(message.info) : message.created < begin
  );
  const keptIds = new Set(kept.map((message) => message.id));
  return [...kept, ...second.filter((message) => !keptIds.has(message.id))]
    .sort((a, b) => a.created - b.created);
}

function isComplete(info: Json): boolean {
  return info.role !== "assistant" || toObject(info.time)?.completed !== undefined;
}

function readFirst({ old, parts }: Pick<FoundRows, "old" | "parts">, tally: Tally): DatedMessage[] {
  const messages = new Map<string, DatedMessage>();
  for (const row of old) {
    const message = readDated(row, tally);
    if (message) messages.set(message.id, message);
  }
  for (const row of parts) {
    const part = readDated(row, tally);
    const message = messages.get(String(row.message_id));
    if (part === undefined || message === undefined) continue;
    message.parts.push({ id: part.id, part: part.info });
    message.updated = Math.max(message.updated, part.updated);
  }
  return [...messages.values()];
}

/** A row's JSON and times; what is no JSON is counted. */
function readDated(row: DatabaseRow, tally: Tally): DatedMessage | undefined {
  const info = toObject(findJson(String(row.data)));
  if (info === undefined) {
    tally.bad_lines++;
    return undefined;
  }
  const created = toNumber(row.time_created) ?? 0;
  const updated = toNumber(row.time_updated) ?? created;
  return { id: String(row.id), info, parts: [], created, updated };
}
