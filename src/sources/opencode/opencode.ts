// OpenCode: a SQLite database (1.2 and later) and the JSON tree before it. Both are read, because
// the one-time migration is gone; the same ids in both are the same messages. The database also
// holds accounts and share secrets: only the tables named here are ever queried.

import { findDatabases, listDatabase, readDatabase } from "./opencode_database.ts";
import { emitOpencode } from "./opencode_messages.ts";
import { listTree, readTree } from "./opencode_tree.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing } from "../walk.ts";

/** OpenCode's sessions. */
export const opencode: Source = {
  name: "opencode",
  title: "OpenCode",
  idScope: "conversation",
  locate: locateOpencode,
  list: listOpencode,
  async read(session, sink, { databases }) {
    sink.tally.files++;
    const messages = session.path.endsWith(".db")
      ? await readDatabase(session, sink.tally, databases)
      : readTree(session, sink.tally);
    await emitOpencode(session, messages, sink);
    return { signature: session.signature };
  },
};

function locateOpencode({ env, home }: Place): string[] {
  const data = `${env("XDG_DATA_HOME") || `${home}/.local/share`}/opencode`;
  const chosen = env("OPENCODE_DB");
  if (chosen === undefined || chosen === ":memory:") return existing([data]);
  return existing([chosen.startsWith("/") ? chosen : `${data}/${chosen}`, data]);
}

async function* listOpencode(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const migrated = new Set<string>();
  for (const path of findDatabases(root, options)) {
    const sessions = await options.tally.attempt(path, () => listDatabase(path, options)) ?? [];
    for (const { id } of sessions) migrated.add(id);
    yield* sessions;
  }
  for (const session of listTree(root, options)) {
    // The tree stays on disk after its migration and grows stale: the database is the newer.
    if (migrated.has(session.id)) options.tally.skip("migrated_session");
    else yield session;
  }
}
