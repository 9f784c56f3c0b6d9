// Readers in one process while another compacts, forgets and collects: whatever way they read,
// they see each entry exactly once (invariants 2 and 11).

import assert from "node:assert/strict";
import { catchUp } from "../../src/index/catch_up.ts";
import { findEntries } from "../../src/read/find_entries.ts";
import { loadSessions } from "../../src/read/session_messages.ts";
import { repository } from "../support/repository.ts";
import { denoEnv } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const ids = Array.from({ length: 60 }, (_, i) => `H-keep-${String(i).padStart(2, "0")}`);
const entries = ids.map((id, i) => ({
  id,
  text: `kept ${id} ${"y".repeat(i * 37 % 900)}`,
  session_id: i % 2 === 0 ? "S-even" : "S-odd",
}));
const even = ids.filter((_, i) => i % 2 === 0);

const always = { minBytes: 0 };

const readers: Record<string, (t: TempStore) => string[] | Promise<string[]>> = {
  "entries()": (t) => [...t.open().entries()].map(({ entry }) => entry.id),
  "find()": (t) =>
    [...t.open().find(ids)].flatMap(([id, hit]) => hit.row && !hit.forgotten ? [id] : []),
  "readSession() and findRowAt()": (t) => {
    const store = t.open();
    const seen = ["S-even", "S-odd"].flatMap((session) => store.readSession(session))
      .map((place) => store.findRowAt(place)?.id ?? "lost");
    return seen;
  },
  "findEntries() and loadSessions() through an index": async (t) => {
    const store = t.open();
    await catchUp(store, { sealBytes: 1 });
    const found = await findEntries(store, ids, always);
    const seen = [...found].flatMap(([id, hit]) => hit.row && !hit.forgotten ? [id] : []);
    assert.deepEqual(seen, ids);
    const loaded = await loadSessions(store, ["S-even", "S-odd"], always);
    return loaded.flatMap(({ messages }) => messages.map(({ entry }) => entry.id));
  },
  "export": async (t) => {
    const { text } = await t.run<{ text: string }>("export");
    return text.trim().split("\n").map((line): string => JSON.parse(line).id);
  },
  "timeline": async (t) => {
    const input = { id: ids[20], before: 50, after: 50 };
    const { results } = await t.run<{ results: { id: string }[] }>("timeline", input);
    return [...results.map((row) => row.id), ...ids.filter((id) => !even.includes(id))];
  },
};

Deno.test("a reader during compact, forget and gc sees each entry exactly once", async () => {
  await using t = await tempStore({ entries });
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--cached-only",
      "--config",
      `${repository}/deno.json`,
      `${repository}/test/support/stores/churn.ts`,
      t.workspace,
      "40",
    ],
    clearEnv: true,
    env: denoEnv(t.workspace),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let running = true;
  const output = child.output().finally(() => running = false);
  let reads = 0;
  while (running) {
    for (const [name, read] of Object.entries(readers)) {
      const seen = (await read(t)).filter((id) => id.startsWith("H-keep") || id === "lost");
      assert.deepEqual(seen.sort(), ids, `${name} in read ${reads}`);
      reads++;
      await new Promise((go) => setTimeout(go));
    }
  }
  const { success, stderr } = await output;
  assert.ok(success, new TextDecoder().decode(stderr));
  assert.ok(reads > 20, `only ${reads} reads`);
  assert.deepEqual(t.ids().filter((id) => id.startsWith("H-keep")).sort(), ids);
  assert.deepEqual(await t.ailments(), []);
});
