// Deno keeps what it compiled in SQLite databases that it never closes: what was added last stays in
// a log beside each, and every start reads all of that log anew, two megabytes of it after the first
// few commands. Moved into the databases, it costs nothing. Only for a cache that is ctx's own.

const databases = ["v8_code_cache_v2", "dep_analysis_cache_v2", "node_analysis_cache_v2"];

/** Moves the logs of Deno's databases into them; what fails is left for next time. */
export async function settleCaches(): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  for (const name of databases) {
    try {
      const path = `${Deno.env.get("DENO_DIR")}/${name}`;
      if (!Deno.lstatSync(path).isFile) continue;
      using database = new DatabaseSync(path);
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // In use, read-only, damaged or not there: it is a cache, and the command has been answered.
    }
  }
}
