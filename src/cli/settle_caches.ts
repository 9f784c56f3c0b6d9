// Deno keeps what it compiled in SQLite databases that it never closes: what was added last stays in
// a log beside each, and every start reads all of that log anew, two megabytes of it after the first
// few commands. Moved into the databases, it costs nothing. Only for a cache that is ctx's own.

/** Moves the logs of Deno's databases into them; what fails is left for next time. */
export async function settleCaches(): Promise<void> {
  try {
    const directory = Deno.env.get("DENO_DIR") ?? "";
    const { DatabaseSync } = await import("node:sqlite");
    for (const { name } of Deno.readDirSync(directory)) {
      if (!name.endsWith("-wal")) continue;
      using database = new DatabaseSync(`${directory}/${name.slice(0, -"-wal".length)}`);
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  } catch {
    // In use, read-only or damaged: it is a cache, and the command has been answered.
  }
}
