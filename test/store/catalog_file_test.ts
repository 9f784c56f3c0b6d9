// The catalog of sessions repeats text of entries: it never brings back what was erased.

import assert from "node:assert/strict";
import { diskFiles, type Files } from "../../src/disk/files.ts";
import { takeLock } from "../../src/disk/lock.ts";
import { ctxCommand, isolatedEnv } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

const secret = "the launch word is bluebird";

/** Enough rows that the catalog is worth keeping. */
const entries = Array.from({ length: 500 }, (_, i) => ({
  id: `H-${i}`,
  role: "user" as const,
  session_id: `S-${i % 50}`,
  text: i === 7 ? `${secret} ${"x".repeat(600)}` : `row ${i} ${"x".repeat(600)}`,
}));

Deno.test("a catalog made while its entry was erased is not kept", async () => {
  await using t = await tempStore({ entries });
  let erased = false;
  // The logs are open when another process forgets; the reader goes on with what it has.
  const files: Files = {
    ...diskFiles,
    openReader(path) {
      if (path === t.path("sessions.ndjson") && !erased) {
        erased = true;
        const size = t.bytes("history.ndjson").length;
        forgetNow(t, "H-7");
        // A row that makes the log as long as it was, with the same bytes at its end.
        const filler = (text: string): string =>
          toLog([{ id: "H-n", role: "user", text, session_id: "S-49" }]);
        const missing = size - t.bytes("history.ndjson").length - filler("").length;
        t.append("history.ndjson", filler("x".repeat(missing)));
      }
      return diskFiles.openReader(path);
    },
  };
  const { sessions } = await t.run<{ sessions: { first_user_line: string }[] }>(
    "sessions",
    { limit: 100 },
    { files },
  );
  assert.ok(erased);
  assert.ok(sessions.some((session) => session.first_user_line.startsWith(secret)));
  assert.equal(t.exists("index/sessions.json"), false);
  assert.deepEqual(t.filesWith(/bluebird/), []);
  await t.run("sessions");
  assert.match(t.read("index/sessions.json"), /"S-7"/);
  assert.deepEqual(t.filesWith(/bluebird/), []);
});

Deno.test("a catalog is kept only when the lock is free", async () => {
  await using t = await tempStore({ entries });
  const holder = { pid: Deno.pid, command: "test", since: "" };
  {
    using _lock = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
    assert.equal((await t.run<{ total: number }>("sessions")).total, 50);
    assert.equal(t.exists("index/sessions.json"), false);
  }
  await t.run("sessions");
  assert.equal(t.exists("index/sessions.json"), true);
});

Deno.test("a catalog that readers reject is named by doctor, and removed by --fix and gc", async () => {
  await using t = await tempStore({ entries });
  await t.run("save", { text: "the state is counted" });
  const breakers: [string, () => void][] = [
    ["damaged", () => t.write("index/sessions.json", t.read("index/sessions.json").slice(0, -5))],
    ["damaged", () => {
      const text = t.read("index/sessions.json");
      t.write("index/sessions.json", text.replace('"message_count":10', '"message_count":11'));
    }],
    ["out of date", () => {
      const text = t.read("index/sessions.json");
      t.write("history.ndjson", t.read("history.ndjson").replace("row 499", "now 499"));
      t.write("history.ndjson", t.read("history.ndjson").replace("row 0", "longer row 0"));
      t.write("index/sessions.json", text);
    }],
  ];
  for (const [what, spoil] of breakers) {
    for (const mend of ["doctor", "gc"]) {
      await t.run("sessions");
      await t.run("reindex");
      assert.deepEqual(await t.ailments(), []);
      spoil();
      const { checks } = await t.run<{ checks: { name: string; detail: string }[] }>("doctor");
      const detail = checks.find((check) => check.name === "catalog")?.detail ?? "";
      assert.ok(detail.includes(what), detail);
      assert.equal((await t.run<{ total: number }>("sessions", { limit: 1 })).total, 50);
      spoil();
      await t.run(mend, mend === "doctor" ? { fix: true } : {});
      assert.equal(t.exists("index/sessions.json"), false, `${what} ${mend}`);
      await t.run("save", { text: "the state is counted again" });
    }
  }
});

function forgetNow(t: TempStore, id: string): void {
  const [program, ...args] = ctxCommand("forget", id, "--now", "--yes");
  const { code, stderr } = new Deno.Command(program, {
    args,
    cwd: t.workspace,
    clearEnv: true,
    env: isolatedEnv(t.workspace),
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}
