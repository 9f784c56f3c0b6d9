// Whole processes that get in each other's way: somebody removes the lock of one that is stopped in
// the middle of a rewrite; somebody writes without a pause while another builds the index.

import assert from "node:assert/strict";
import { repository } from "../support/repository.ts";
import { denoEnv, spawnCtx } from "../support/processes/run_ctx.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

Deno.test({
  name: "what is saved after the lock of a stopped gc was removed is not lost when gc goes on",
  ignore: Deno.build.os === "windows",
  async fn() {
    const rows = Array.from({ length: 8000 }, (_, i) => `row ${i} ${"z".repeat(1000)}`);
    await using t = await tempStore({ entries: rows });
    await t.run("forget", { ids: ["H-H1"] });
    const gc = spawnCtx(["gc", "--yes"], { cwd: t.workspace, stdin: "null" });
    const ending = gc.output().then(() => "ended" as const);
    // Whenever it is stopped, nothing may be lost; the draft's moment is the most dangerous one.
    while (!hasDraft(t) && await Promise.race([ending, turn()]) !== "ended");
    signal(gc, "SIGSTOP");
    Deno.removeSync(t.path(".lock"));
    const meanwhile = await t.ctx(["save", "meanwhile", "--json"]);
    signal(gc, "SIGCONT");
    await ending;
    const after = await t.ctx(["save", "after", "--json"]);
    assert.equal(after.code, 0, after.stderr);
    const saved = [meanwhile, after].filter(({ code }) => code === 0)
      .map(({ stdout }): string => JSON.parse(stdout).id);
    const ids = new Set(t.ids());
    assert.deepEqual(saved.filter((id) => !ids.has(id)), []);
    assert.equal(ids.size, rows.length - 1 + saved.length);
    if (meanwhile.code !== 0) assert.match(meanwhile.stderr, /another process is rewriting it/);
    assert.equal((await t.ctx(["gc", "--yes"])).code, 0);
    assert.deepEqual(await t.ailments(), []);
  },
});

Deno.test("reindex comes to an end beside a process that writes without a pause", async () => {
  const rows = Array.from({ length: 1500 }, (_, i) => `row ${i} ${"word ".repeat(60)}`);
  await using t = await tempStore({ entries: rows });
  const writer = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", "--config", `${repository}/deno.json`].concat(
      `${repository}/test/support/stores/steady_writer.ts`,
      t.workspace,
    ),
    clearEnv: true,
    env: denoEnv(t.workspace),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = collect(writer.stdout);
  await lines.begun;
  try {
    for (const words of [["reindex"], ["reindex", "--full"], ["reindex", "--full"]]) {
      const run = await t.ctx(words);
      assert.equal(run.code, 0, run.stderr);
    }
  } finally {
    await writer.stdin.close();
  }
  assert.equal((await writer.status).code, 0);
  const saved = (await lines.text).trim().split("\n");
  assert.equal(t.ids().length, rows.length + saved.length);
  assert.deepEqual(await t.ailments(), []);
});

/** What a stream says to its end, and when it begins to. */
function collect(
  stream: ReadableStream<Uint8Array>,
): { begun: Promise<void>; text: Promise<string> } {
  const begun = Promise.withResolvers<void>();
  const note = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      begun.resolve();
      controller.enqueue(chunk);
    },
    flush: () => begun.resolve(),
  });
  return { begun: begun.promise, text: new Response(stream.pipeThrough(note)).text() };
}

function hasDraft(t: TempStore): boolean {
  return t.list().some((name) => /^history\.ndjson\.\d+\.tmp$/.test(name));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** It may have ended by now. */
function signal(child: Deno.ChildProcess, name: Deno.Signal): void {
  try {
    child.kill(name);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
