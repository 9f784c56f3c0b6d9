// OpenCode, of all its channels, and what its forks share with it: SQLite databases (1.2 and later) and the JSON tree
// before them. Both are read, because the one-time migration is gone; the same ids in both are the
// same messages. Databases also hold accounts and share secrets: only the tables named in
// opencode_database.ts are ever queried.

import { resolvePath } from "../../../core/platform_path.ts";
import { findDatabases, joinHomes, listDatabase, readDatabases } from "./opencode_database.ts";
import { emitOpencode } from "./opencode_messages.ts";
import { listTree, readTree } from "./opencode_tree.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, findFileInfo } from "../walk.ts";

export const opencode = makeOpencodeSource("opencode", "OpenCode");

/** The source of OpenCode or of a fork: its name is also that of its data and of its databases. */
export function makeOpencodeSource(name: string, title: string): Source {
  return {
    name,
    title,
    locate: (place) => locate(place, name),
    list: (root, options) => listSessions(root, options, name),
    async read(session, sink, { databases }) {
      sink.tally.files++;
      const messages = findFileInfo(session.path)?.isDirectory
        ? readTree(session, sink.tally)
        : await readDatabases(session, sink.tally, databases);
      await emitOpencode(session, messages, sink);
    },
  };
}

/** A variable may name another database. */
function locate({ env, home }: Place, name: string): string[] {
  const data = `${env("XDG_DATA_HOME") || `${home}/.local/share`}/${name}`;
  const chosen = env(`${name.toUpperCase()}_DB`);
  if (chosen === undefined || chosen === ":memory:") return existing([data]);
  return existing([resolvePath(chosen, data), data]);
}

async function* listSessions(
  root: string,
  options: ListOptions,
  name: string,
): AsyncGenerator<SourceSession> {
  const found: SourceSession[] = [];
  for (const path of findDatabases(root, options, name)) {
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
