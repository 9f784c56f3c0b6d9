// The index follows a log while it is written: full segments are shown to readers on the way, a log
// that is rewritten meanwhile is begun again, and in the end it is the index of the whole log.

import assert from "node:assert/strict";
import { catchUp } from "../../src/index/catch_up.ts";
import { compactStore } from "../../src/store/lifecycle/compact_store.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

/** More than one segment takes. */
const many = 9000;

Deno.test("readers are shown full segments while the log grows; the end is as if it was read at once", async () => {
  await using t = await tempStore({ entries: ["the first row"] });
  const shown: number[] = [];
  await catchUp(t.open(), {
    more: steps(
      () => write(t, 100),
      () => write(t, many),
      () => shown.push(sealedRows(t)),
      () => write(t, many),
      () => shown.push(sealedRows(t)),
    ),
  });
  assert.deepEqual(shown, [8192, 16384]);
  assert.equal(sealedRows(t), 1 + 100 + 2 * many);
  await assertAsWhole(t);
});

Deno.test("a log that is rewritten while the index follows it is begun again", async () => {
  await using t = await tempStore({ entries: ["the first row"] });
  let shown = 0;
  await catchUp(t.open(), {
    more: steps(
      () => write(t, many),
      () => shown = sealedRows(t),
      () => compactStore(t.open(), { keep: many / 2, beforeMs: Infinity }),
      () => write(t, many),
    ),
  });
  assert.equal(shown, 8192);
  assert.equal(sealedRows(t), 1 + 2 * many);
  await assertAsWhole(t);
});

Deno.test("whoever stops following leaves what readers were shown, and no file beside it", async () => {
  await using t = await tempStore({ entries: ["the first row"] });
  const stop = new AbortController();
  const following = catchUp(t.open(), {
    signal: stop.signal,
    more: steps(() => write(t, many), () => write(t, many), () => {
      stop.abort();
      stop.signal.throwIfAborted();
    }),
  });
  await assert.rejects(following, { name: "AbortError" });
  assert.equal(sealedRows(t), 16384);
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  const named = manifest.segments.map(({ name }: { name: string }) => name);
  assert.deepEqual(segments(t), named.sort());
});

Deno.test("what is built in the background stays when that is stopped, and no file beside it", async () => {
  await using t = await tempStore({ entries: ["the first row"] });
  await write(t, 2 * many);
  const stop = new AbortController();
  const building = catchUp(t.open(), {
    signal: stop.signal,
    publishes: true,
    progress: () => stop.abort(),
  });
  await assert.rejects(building, { name: "AbortError" });
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  assert.ok(sealedRows(t) >= 8192);
  const named = manifest.segments.map(({ name }: { name: string }) => name);
  assert.deepEqual(segments(t), named.sort());
  await catchUp(t.open(), { publishes: true });
  assert.equal(sealedRows(t), 1 + 2 * many);
  await assertAsWhole(t);
});

Deno.test("an index that is made anew is laid out at once as others are merged, to the last byte", async () => {
  await using t = await tempStore({ entries: ["the first row"] });
  const words = Array.from({ length: 24 }, (_, i) => `common${i} some${i}thing`).join(" ");
  await write(t, 4 * 8192, words);
  await catchUp(t.open(), { publishes: true });
  const merged = segments(t);
  assert.equal(merged.length, 1);
  const shown: number[] = [];
  const progress = (done: number): void => void shown.push(done);
  const report = await catchUp(t.open(), { full: true, progress });
  assert.deepEqual([report.merged_segments, report.segments], [0, 1]);
  assert.deepEqual(segments(t), merged);
  // One segment, and yet it tells how far it is.
  assert.ok(new Set(shown).size > 3, String(shown));
});

/** Does one thing after the other at the end of the log, then says that there is no more. */
function steps(...actions: (() => unknown)[]): () => Promise<boolean> {
  return async () => {
    const action = actions.shift();
    await action?.();
    return action !== undefined;
  };
}

async function write(t: TempStore, rows: number, words = ""): Promise<void> {
  await t.open().write(
    "save",
    (writer) =>
      writer.append(Array.from({ length: rows }, (_, i) => ({
        role: "note",
        type: "note",
        text: `row ${i} of word${i % 50} ${words}`,
      }))),
  );
}

function sealedRows(t: TempStore): number {
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  return manifest.segments.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
}

/** Names are made from content. */
function segments(t: TempStore): string[] {
  return [...Deno.readDirSync(t.path("index"))].map(({ name }) => name)
    .filter((name) => name.endsWith(".seg")).sort();
}

async function assertAsWhole(t: TempStore): Promise<void> {
  const followed = segments(t);
  await catchUp(t.open(), { full: true, publishes: true });
  assert.deepEqual(segments(t), followed);
}
