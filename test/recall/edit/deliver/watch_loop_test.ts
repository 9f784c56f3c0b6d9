// When the watcher looks at the workspace again: a round walks all of it.

import assert from "node:assert/strict";
import { layoutOf } from "../../../../src/disk/layout.ts";
import { runWatchLoop } from "../../../../src/recall/edit/deliver/watch_loop.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";
import type { TempStore } from "../../../support/stores/temp_store.ts";

Deno.test("what happens in ignored files starts no round", async () => {
  await using t = await tempProject();
  writeSources(t, { ".gitignore": "build/\n*.log\n", "src/.gitignore": "made.ts\n" });
  const ignored = [
    "node_modules/a/index.js",
    "build/deep/out.js",
    "test.log",
    "src/made.ts",
    ".git/index",
    ".contextfs/state.json",
  ];
  for (const path of ignored) assert.equal(await roundsAfter(t, [path]), 0, path);
  assert.equal(await roundsAfter(t, ["src/auth/token_store.ts"]), 1);
  assert.equal(await roundsAfter(t, [...ignored, "made.ts"]), 1);
  assert.equal(await roundsAfter(t, [".gitignore"]), 1);
  assert.equal(await roundsAfter(t, [""]), 1, "the workspace itself");
});

Deno.test("rules that changed hold from the round that they started", async () => {
  await using t = await tempProject();
  writeSources(t, { ".gitignore": "build/\n" });
  let rounds = 0;
  const rewrite = (): string[] => {
    writeSources(t, { ".gitignore": "" });
    return [".gitignore"];
  };
  await run(t, [() => ["build/a.js"], rewrite, () => ["build/a.js"]], () => rounds++);
  // At the start, right after it, for the rules, and for what they no longer ignore.
  assert.equal(rounds, 4);
});

/** How many rounds an event starts, besides those that run anyway. */
async function roundsAfter(t: TempStore, names: string[]): Promise<number> {
  let rounds = 0;
  await run(t, [() => names], () => rounds++);
  return rounds - 2;
}

/** Runs the loop for less than the time after which it looks anyway: one event each second. */
async function run(t: TempStore, events: (() => string[])[], round: () => void): Promise<void> {
  const { workspace, root } = layoutOf(t.workspace);
  const stop = new AbortController();
  const stream = new TransformStream<{ kind: "modify"; paths: string[] }>(
    undefined,
    undefined,
    { highWaterMark: 9 },
  );
  const writer = stream.writable.getWriter();
  let now = 0;
  await runWatchLoop({
    layout: { workspace, root },
    events: stream.readable,
    round: () => Promise.resolve((round(), {})),
    ready: () => {},
    async pause(ms) {
      now += ms;
      if (now % 1000 === 500) {
        const names = events.shift()?.();
        const paths = names?.map((name) => name === "" ? workspace : `${workspace}/${name}`);
        if (paths !== undefined) await writer.write({ kind: "modify", paths });
      }
      await new Promise((resolve) => setTimeout(resolve));
      if (now < 4000) return;
      stop.abort();
      await writer.close().catch(() => {});
    },
    signal: stop.signal,
    ticks: () => now,
  });
}
