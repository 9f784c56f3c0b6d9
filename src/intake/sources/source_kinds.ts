// The two kinds of storage that most agents use: one file per session, or a database of sessions. Each
// agent's folder only says where its files are, what they tell about a session, and how to read one.

import type { Database, DatabaseRow } from "./database/databases.ts";
import { type FileHead, readHead } from "./read_head.ts";
import type { ListOptions, Place, Sink, Source, SourceSession } from "./source.ts";
import { existing, signatureOf, walk, type WalkedFile } from "./walk.ts";

interface Kind {
  name: string;
  title: string;
  idScope?: Source["idScope"];
  /** Where the agent keeps its history, environment overrides first. */
  roots: (place: Place) => (string | undefined)[];
  /** Which files hold sessions. */
  files: RegExp | ((name: string, path: string, root: string) => boolean);
  /** Directories that are not entered. */
  skips?: RegExp;
  maxDepth?: number;
}

/** A file that may hold a session. */
export interface Candidate extends WalkedFile {
  /** Its name without the last suffix. */
  stem: string;
  directory: string;
  head: FileHead;
}

export interface FileKind extends Kind {
  /**
   * Returns the function that describes the session in each file under a root. It returns undefined for
   * a file that is no session.
   */
  describe: (
    root: string,
    options: ListOptions,
  ) => (file: Candidate) => Partial<SourceSession> | undefined;
  read: Source["read"];
}

/** The source of an agent with a file per session; its name is the id unless `describe` gives one. */
export function fileSource({ describe, read, ...kind }: FileKind): Source {
  async function* list(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
    const toSession = describe(root, options);
    for (const file of findFiles(root, options, kind)) {
      const head = readHead(file.path, options.tally);
      if (head === undefined) continue;
      const facts = toSession({ ...file, ...placeOf(file), head });
      if (facts === undefined) options.tally.skip("other_file");
      else yield sessionOf(file, facts);
    }
  }
  return { ...common(kind), list, read };
}

/** The session in a file: what the agent says about it, and defaults from the file's name and time. */
export function sessionOf(file: WalkedFile, facts: Partial<SourceSession>): SourceSession {
  const { path, modified } = file;
  const updated = new Date(modified).toISOString();
  const told = Object.entries(facts).filter(([, value]) => value !== undefined);
  const { stem: id } = placeOf(file);
  const session = { id, path, signature: signatureOf(file), started: updated, updated };
  return { ...session, ...Object.fromEntries(told) };
}

export interface DatabaseKind extends Kind {
  /** The rows of all sessions; throws when the database is another program's. */
  sessions: (database: Database) => Promise<DatabaseRow[]>;
  /** What a row says about its session, or the reason to skip it. Placeholder titles are left out. */
  describe: (
    row: DatabaseRow,
    options: ListOptions & { path: string },
  ) => DatabaseSession | string | Promise<DatabaseSession>;
  messages: (database: Database, session: SourceSession) => Promise<DatabaseRow[]>;
  emit: (session: SourceSession, messages: DatabaseRow[], sink: Sink) => Promise<void>;
}

type DatabaseSession = Omit<SourceSession, "id" | "path">;

/** The source of an agent with databases of sessions; the column `id` holds a session's id. */
export function databaseSource(kind: DatabaseKind): Source {
  async function* list(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
    const { tally, databases, only } = options;
    for (const { path } of findFiles(root, options, kind)) {
      const read = () => databases.read(path, kind.sessions);
      for (const row of await tally.attempt(path, read) ?? []) {
        const id = String(row.id);
        if (only !== undefined && id !== only) continue;
        const facts = await kind.describe(row, { ...options, path });
        if (typeof facts === "string") tally.skip(facts);
        else yield { id, path, ...facts };
      }
    }
  }
  return {
    ...common(kind),
    list,
    async read(session, sink, { databases }) {
      sink.tally.files++;
      const take = (database: Database) => kind.messages(database, session);
      const read = () => databases.read(session.path, take);
      await kind.emit(session, await sink.tally.attempt(session.path, read) ?? [], sink);
    },
  };
}

/** The columns that a table has, out of some names: new releases add columns. */
export async function columnsOf(
  database: Database,
  table: string,
  wanted: string,
): Promise<string[]> {
  const columns = await database.columns(table);
  return wanted.split(/\s+/).filter((column) => columns.has(column));
}

function common({ name, title, idScope, roots }: Kind) {
  return { name, title, idScope, locate: (place: Place) => existing(roots(place)) };
}

export function findFiles(
  root: string,
  { tally }: ListOptions,
  { files, skips, maxDepth }: Pick<Kind, "files" | "skips" | "maxDepth">,
): Generator<WalkedFile> {
  const accept = (name: string, path: string): boolean =>
    typeof files === "function" ? files(name, path, root) : files.test(name);
  const enter = (name: string): boolean => skips?.test(name) !== true;
  return walk(root, { tally, accept, enter, maxDepth, filled: true });
}

function placeOf({ path, name }: WalkedFile): { stem: string; directory: string } {
  return { stem: name.replace(/\.[^.]*$/, ""), directory: path.slice(0, -name.length - 1) };
}

/**
 * The id of a conversation that another one started: its own name where that is one of its kind, else
 * after its parent too, as every parent may have an `agent-1`.
 */
export function subSessionId(parent: string, name: string): string {
  return /[0-9a-f]{8}-?[0-9a-f]{4}|[0-9a-zA-Z]{16}/.test(name) ? name : `${parent}/${name}`;
}
