// A database that keeps SQLite busy for hours: the program can be told to stop, or killed, at any
// time, and nothing stays beside the database.

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { homeOf, spawnCtx } from "../../support/processes/run_ctx.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

for (const [signal, status] of [["SIGTERM", 130], ["SIGKILL", 137]] as const) {
  Deno.test({
    name: `import of a database that takes for ever ends with ${signal} and leaves nothing behind`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using t = await tempStore();
      const directory = `${homeOf(t.workspace)}/.local/share/opencode`;
      Deno.mkdirSync(directory, { recursive: true });
      makeSlowDatabase(`${directory}/opencode.db`);
      const child = spawnCtx(["import", "opencode"], { cwd: t.workspace, stdin: "null" });
      await untilOpen(child.pid, `${directory}/opencode.db`);
      child.kill(signal);
      const { code } = await child.output();
      assert.equal(code, status);
      assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["opencode.db"]);
      assert.deepEqual(t.list().filter((name) => name.startsWith("import-")), []);
    },
  });
}

/** A plain table whose every row takes a second to look at, and ten thousand of them. */
function makeSlowDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE message (id TEXT, session_id TEXT, data TEXT, time_updated INTEGER GENERATED
      ALWAYS AS (length(replace(hex(zeroblob(20000000)), '00', 'abc'))));
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO message SELECT i, 's', '{}' FROM n`);
  database.close();
}

/** Waits until a process has a file open. */
async function untilOpen(pid: number, path: string): Promise<void> {
  for (;;) {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/fd`)) {
      const target = await Deno.readLink(`/proc/${pid}/fd/${name}`).catch(() => "");
      if (target === path) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
