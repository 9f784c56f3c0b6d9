// Many real processes in one store (invariant 10): nothing is lost, no id is used twice, a writer
// that waits in vain says who holds the lock, and readers never wait.

import assert from "node:assert/strict";
import { takeLock } from "../../src/disk/lock.ts";
import { tempStore } from "../support/stores/temp_store.ts";

Deno.test("40 parallel ctx save processes make 40 rows with 40 ids", async () => {
  await using t = await tempStore();
  const texts = Array.from({ length: 40 }, (_, n) => `entry number ${n}`);
  const saved = await Promise.all(texts.map((text) => t.ctx(["save", text])));
  assert.deepEqual(saved.map(({ code, stderr }) => [code, stderr]), texts.map(() => [0, ""]));
  const ids = saved.map(({ stdout }) => stdout.trim());
  assert.equal(new Set(ids).size, 40);
  const lines = t.read("history.ndjson").trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ text }) => text).sort(), [...texts].sort());
  assert.deepEqual(lines.map(({ id }) => id).sort(), [...ids].sort());
  assert.deepEqual(await t.ailments(), []);
  assert.equal((await t.run<{ entries: number }>("stats")).entries, 40);
});

Deno.test("parallel saves, forgets and repairs leave a sound store", async () => {
  await using t = await tempStore({ entries: Array.from({ length: 10 }, (_, n) => `old ${n}`) });
  const runs = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => t.ctx(["save", `new ${n}`])),
    ...Array.from({ length: 4 }, (_, n) => t.ctx(["forget", `H-H${n + 1}`, "--now", "--yes"])),
    t.ctx(["doctor", "--fix"]),
    t.ctx(["session", "start", "--detached"]),
  ]);
  assert.deepEqual(
    runs.map(({ code, stderr }) => [code, stderr.includes("INTERNAL")]),
    runs.map(() => [0, false]),
  );
  const texts = [...t.open().entries()].map(({ entry }) => entry.text).sort();
  const expected = [
    ...Array.from({ length: 8 }, (_, n) => `new ${n}`),
    ...Array.from({ length: 6 }, (_, n) => `old ${n + 4}`),
  ];
  assert.deepEqual(texts, expected.sort());
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("a writer that waits in vain names the holder, and readers do not wait", async () => {
  await using t = await tempStore({
    entries: ["readable"],
    files: { "config.jsonc": '{ "lock_timeout_ms": 0 }' },
  });
  const holder = { pid: 4711, command: "import", since: "2026-01-01T00:00:00.000Z" };
  using _lock = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  const saved = await t.ctx(["save", "text", "--json"]);
  assert.deepEqual([saved.code, saved.stdout, JSON.parse(saved.stderr)], [4, "", {
    error: {
      code: "STORE_LOCKED",
      message: "Cannot lock the store within 0 ms: process 4711 (ctx import) has locked it since " +
        "2026-01-01T00:00:00.000Z",
      hint: "try again, or raise the timeout with: ctx config set lock_timeout_ms 60000",
      retryable: true,
    },
  }]);
  assert.equal((await t.ctx(["get", "H-H1"])).stdout, "readable");
});
