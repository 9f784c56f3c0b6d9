// The source that OpenCode and its forks share: SQLite databases (1.2 and later) and the JSON tree
// before them. Both are read, because the one-time migration is gone; the same ids in both are the
// same messages. Databases also hold accounts and share secrets: only the tables named in
// opencode_database.ts are ever queried.

import { findDatabases, joinHomes, listDatabase, readDatabases } from "./opencode_database.ts";
import { emitOpencode } from "./opencode_messages.ts";
import { listTree, readTree } from "./opencode_tree.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, findFileInfo } from "../walk.ts";

/** What differs between OpenCode and a fork of it. */
export interface OpencodeFork {
  name: string;
  title: string;
  /** Its directory in the user's data, and the stem of its databases. */
  stem: string;
  /** The variable that names another database. */
  variable: string;
}

/** The source of OpenCode or of a fork. */
export function makeOpencodeSource(fork: OpencodeFork): Source {
  return {
    name: fork.name,
    title: fork.title,
    idScope: "conversation",
    locate: (place) => locate(place, fork),
    list: (root, options) => listSessions(root, options, fork),
    async read(session, sink, { databases }) {
      sink.tally.files++;
      const messages = findFileInfo(session.path)?.isDirectory
        ? readTree(session, sink.tally)
        : await readDatabases(session, sink.tally, databases);
      await emitOpencode(session, messages, sink);
      return { signature: session.signature };
    },
  };
}

function locate({ env, home }: Place, { stem, variable }: OpencodeFork): string[] {
  const data = `${env("XDG_DATA_HOME") || `${home}/.local/share`}/${stem}`;
  const chosen = env(variable);
  if (chosen === undefined || chosen === ":memory:") return existing([data]);
  return existing([chosen.startsWith("/") ? chosen : `${data}/${chosen}`, data]);
}

async function* listSessions(
  root: string,
  options: ListOptions,
  { stem }: OpencodeFork,
): AsyncGenerator<SourceSession> {
  const found: SourceSession[] = [];
  for (const path of findDatabases(root, options, stem)) {
    found.push(...await options.tally.attempt(path, () => listDatabase(path, options)) ?? []);
  }
  const sessions = joinHomes(found);
  yield* sessions.values();
  for (const session of listTree(root, options)) {
    // The tree stays on disk after its migration and grows stale: the database is the newer.
    if (sessions.has(session.id)) options.tally.skip("migrated_session");
    else yield session;
  }
}
