// What the rows of agents that keep databases say: text, place, time, model, files.

import assert from "node:assert/strict";
import { crush } from "../../../../src/intake/sources/crush/crush.ts";
import { goose } from "../../../../src/intake/sources/goose/goose.ts";
import { kiro } from "../../../../src/intake/sources/kiro/kiro.ts";
import type { Source } from "../../../../src/intake/sources/source.ts";
import { zed } from "../../../../src/intake/sources/zed/zed.ts";
import { toOwnPath } from "../../../../src/core/platform_path.ts";
import { collect } from "../../../support/collect.ts";
import { plantedSecret } from "../conformance.ts";
import {
  makeCrushDatabase,
  makeGooseDatabase,
  makeKiroDatabase,
  makeZedDatabase,
} from "./agent_databases.ts";

Deno.test("crush: the project is where the database lies, times are seconds", async () => {
  const { sessions, rows, root, skipped } = await read(crush, makeCrushDatabase);
  assert.deepEqual(sessions, [
    ["crush-1", root, "Lint the code", undefined],
    ["m2$$call-1", root, "Agent", "crush-1"],
  ]);
  assert.deepEqual(rows.slice(0, 8), [
    ["2026-05-28T20:26:41.000Z", `Lint it, key ${plantedSecret}`, "p/m", ["shot.png"]],
    ["2026-05-28T20:26:42.000Z", "Run the linter.", "p/m", undefined],
    ["2026-05-28T20:26:42.000Z", "Linting.", "p/m", undefined],
    ["2026-05-28T20:26:42.000Z", "bash: lint", "p/m", undefined],
    ["2026-05-28T20:26:43.000Z", "1 error", "p/m", undefined],
    ["2026-05-28T20:26:44.000Z", "shell: ls", "p/m", undefined],
    ["2026-05-28T20:26:44.000Z", "a.ts", "p/m", undefined],
    ["2026-05-28T20:26:45.000Z", "All was linted.", "p/m", undefined],
  ]);
  assert.deepEqual(skipped, { attachment: 1, title_session: 1 });
});

Deno.test("crush: a list of projects says to whom a database elsewhere belongs", async () => {
  const directory = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-crush-" }));
  try {
    makeCrushDatabase(directory);
    Deno.renameSync(`${directory}/.crush`, `${directory}/data`);
    const projects = [{ path: "/work/app", data_dir: `${directory}/data` }];
    Deno.writeTextFileSync(`${directory}/projects.json`, JSON.stringify({ projects }));
    const env = (name: string) => name === "CRUSH_GLOBAL_DATA" ? directory : undefined;
    const place = { env, home: "/nonexistent", os: "linux", workspace: "/nonexistent" } as const;
    assert.deepEqual(crush.locate(place), [`${directory}/data`]);
    const { sessions } = await collect(crush, `${directory}/data`, { place });
    assert.deepEqual([...new Set(sessions.map(({ session }) => session.cwd))], ["/work/app"]);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("goose: what only the model sees is a summary, what only people see is left out", async () => {
  const { sessions, rows, skipped } = await read(
    goose,
    (directory) => makeGooseDatabase(`${directory}/sessions.db`),
  );
  assert.deepEqual(sessions, [["20260528_1", "/work/app", "Rename the thing", undefined]]);
  assert.deepEqual(rows, [
    ["2026-05-28T20:26:41.000Z", `Rename it, key ${plantedSecret}`, undefined, undefined],
    ["2026-05-28T20:26:42.000Z", "Use the editor.", "q/n", undefined],
    ["2026-05-28T20:26:42.000Z", "Renaming.", "q/n", undefined],
    ["2026-05-28T20:26:42.000Z", "shell: mv a b", "q/n", undefined],
    ["2026-05-28T20:26:43.000Z", "moved", undefined, undefined],
    ["2026-05-28T20:26:44.000Z", "The thing was renamed.", undefined, undefined],
  ]);
  assert.deepEqual(skipped, {
    attachment: 1,
    empty_message: 1,
    hidden_session: 1,
    "type:content.systemNotification": 1,
  });
});

Deno.test("zed: threads of two versions, packed and plain, have the thread's time", async () => {
  const { sessions, rows, skipped } = await read(
    zed,
    (directory) => makeZedDatabase(`${directory}/threads.db`),
  );
  assert.deepEqual(sessions, [
    ["zed-1", "/work/app", "Sort the list", undefined],
    ["zed-0", "/work/app", "Old", undefined],
  ]);
  const [now, then] = ["2026-06-01T10:00:00.123Z", "2025-06-01T10:00:00.000Z"];
  assert.deepEqual(rows, [
    [now, `Sort it, key ${plantedSecret}, in src/a.ts`, "p/m", ["src/a.ts"]],
    [now, "Sort by name.", "p/m", undefined],
    [now, "Sorting.", "p/m", undefined],
    [now, "terminal: sort a", "p/m", undefined],
    [now, "no file[image]", "p/m", undefined],
    [now, "read_file: a", "p/m", ["a"]],
    [now, "The list was sorted.", "p/m", undefined],
    [then, "Where is it?", undefined, undefined],
    [then, "Look.", undefined, undefined],
    [then, "Looking.", undefined, undefined],
    [then, "find_path: *.ts", undefined, undefined],
    [then, "a.ts", undefined, undefined],
  ]);
  assert.deepEqual(skipped, {
    attachment: 1,
    redacted_thinking: 1,
    harness_text: 1,
  });
});

Deno.test("kiro: results of a shell are what it printed, and failed when it did", async () => {
  const { sessions, rows, entries } = await read(
    kiro,
    (directory) => makeKiroDatabase(`${directory}/data.sqlite3`),
  );
  assert.deepEqual(sessions, [
    ["kiro-2", "/work/app", undefined, undefined],
    ["kiro-1", "/work/app", undefined, undefined],
  ]);
  const at = "2026-05-28T20:26:41.123Z";
  assert.deepEqual(rows, [
    [at, `Test it, key ${plantedSecret}`, undefined, undefined],
    [at, "Testing.", "m", undefined],
    [at, "execute_bash: deno test", "m", undefined],
    [at, "1 failed\noh", undefined, undefined],
    [at, "One failed.", "m", undefined],
    ["2026-05-28T20:26:40.000Z", "It was tested.", undefined, undefined],
    ["2025-08-01T17:00:00.500Z", "Say hello", undefined, undefined],
    ["2025-08-01T17:00:00.500Z", "Hello.", undefined, undefined],
  ]);
  const tool = entries[3].tool;
  assert.deepEqual([tool?.name, tool?.error, tool?.exit], ["execute_bash", true, 1]);
});

async function read(source: Source, make: (directory: string) => void) {
  const root = Deno.makeTempDirSync({ prefix: "ctx-agent-" });
  try {
    make(root);
    const { sessions, entries, tally } = await collect(source, root);
    return {
      root,
      entries,
      skipped: tally.skipped,
      sessions: sessions.map(({ session: { id, cwd, title, parent } }) => [id, cwd, title, parent]),
      rows: entries.map(({ ts, text, model, files }) => [ts, text, model, files]),
    };
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}
