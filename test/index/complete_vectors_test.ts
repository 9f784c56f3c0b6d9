// Vectors that are made after their rows were indexed: segment by segment, whatever happens in between.

import assert from "node:assert/strict";
import { catchUp } from "../../src/index/catch_up.ts";
import { takeLock } from "../../src/disk/lock.ts";
import { completeVectors, countUnembedded } from "../../src/index/complete_vectors.ts";
import { openIndex } from "../../src/index/search_index.ts";
import { reindex, type ReindexOptions } from "../../src/index/reindex_store.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import type { Store } from "../../src/store/store.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";
import { wordEmbedder } from "../support/stores/word_embedder.ts";

const rows = Array.from({ length: 60 }, (_, i) => `row ${i} ${"z".repeat(600)}`);

/** Three segments of twenty rows, without vectors. */
async function indexed(): Promise<TempStore> {
  const t = await tempStore({ entries: rows });
  for (let i = 0; i < 3; i++) {
    await catchUp(t.open(), { sealBytes: 1, maxRows: 20, mergesLater: true });
  }
  assert.deepEqual(embedded(t), [false, false, false]);
  return t;
}

/** Which segments have vectors; there must be no file beside those that the manifest names. */
function embedded(t: TempStore): boolean[] {
  const { segments } = JSON.parse(t.read("index/manifest.json")).manifest;
  const named = segments.flatMap(({ name, vectors }: Named) =>
    vectors ? [name, vectors.name] : name
  );
  const there = [...Deno.readDirSync(t.path("index"))].map(({ name }) => name)
    .filter((name) => /\.(seg|vec)/.test(name));
  assert.deepEqual(there.sort(), named.sort());
  return segments.map(({ vectors }: Named) => vectors !== undefined);
}

interface Named {
  name: string;
  vectors?: { name: string };
}

const plain = wordEmbedder([["row"], ["later", "meanwhile"]]);

/** An embedder that does something at its calls. */
function acting(action: (call: number) => unknown): Embedder & { calls: number } {
  const embedder = {
    ...plain,
    calls: 0,
    async embed(texts: string[]): Promise<Float32Array[]> {
      await action(++embedder.calls);
      return await plain.embed(texts);
    },
  };
  return embedder;
}

Deno.test("what is stopped keeps the vectors of whole segments, and the next call goes on", async () => {
  await using t = await indexed();
  const stopped = acting((call) => {
    if (call === 2) throw new Error("stopped");
  });
  await assert.rejects(completeVectors(t.open(), stopped), /stopped/);
  assert.deepEqual(embedded(t), [true, false, false]);
  const next = acting(() => {});
  assert.equal(await completeVectors(t.open(), next), 40);
  assert.deepEqual([embedded(t), next.calls], [[true, true, true], 2]);
});

Deno.test("vectors are compared once half of the rows have them, and the others are said to lack them", async () => {
  await using t = await indexed();
  const states: [boolean, boolean][] = [];
  for (let done = 0; done <= 3; done++) {
    if (done > 0) await completeVectors(t.open(), plain, { maxRows: 20 });
    using index = openIndex(t.open(), { warn: () => {} });
    states.push([index.model !== undefined, index.isPartlyEmbedded]);
  }
  assert.deepEqual(states, [[false, false], [false, true], [true, true], [true, false]]);
});

Deno.test("rows whose vectors another model made are counted among those without", async () => {
  await using t = await indexed();
  assert.equal(countUnembedded(t.open()), 60);
  await completeVectors(t.open(), plain);
  assert.equal(countUnembedded(t.open()), 60);
  await completeVectors(t.open(), openLocalEmbedder({ whole: true }), { maxRows: 40 });
  assert.equal(countUnembedded(t.open()), 20);
});

Deno.test("rows that are indexed meanwhile stay, and those who index keep the vectors", async () => {
  await using t = await indexed();
  const save = (text: string) =>
    t.open().write("save", (writer) => writer.append([{ role: "note", type: "note", text }]));
  // Indexing comes in between.
  const first = acting(async () => {
    await save("meanwhile");
    await catchUp(t.open(), { sealBytes: 1, mergesLater: true });
  });
  assert.equal(await completeVectors(t.open(), first, { maxRows: 20 }), 20);
  assert.deepEqual(embedded(t), [true, false, false, false]);
  // Vectors come in between.
  await save("later");
  const second = acting(() => completeVectors(t.open(), plain));
  const report = await catchUp(t.open(), { sealBytes: 1, embedder: second, mergesLater: true });
  assert.deepEqual([report.busy, report.sealed_rows, second.calls], [false, 1, 1]);
  assert.deepEqual(embedded(t), [true, true, true, true, true]);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("a row that was edited since, or a damaged segment, has the index rebuilt with vectors", async () => {
  const harms: ((t: TempStore) => void)[] = [
    (t) => t.write("history.ndjson", t.read("history.ndjson").replace("row 30 z", "row 30 q")),
    (t) => {
      const name = JSON.parse(t.read("index/manifest.json")).manifest.segments[1].name;
      const bytes = Deno.readFileSync(t.path(`index/${name}`));
      Deno.writeFileSync(t.path(`index/${name}`), bytes.fill(7, bytes.length / 2));
    },
  ];
  for (const harm of harms) {
    for (const make of [completeVectors, reindexWith]) {
      await using t = await indexed();
      harm(t);
      const warnings: string[] = [];
      await make(t.open(), plain, { warn: (message) => warnings.push(message) });
      assert.match(warnings.join(), /^the index was rebuilt \([^,]+\)$/);
      assert.ok(embedded(t).every((has) => has));
    }
  }
});

function reindexWith(store: Store, embedder: Embedder, options: ReindexOptions) {
  return reindex(store, { ...options, embedder });
}

Deno.test("vectors that cannot be kept because the store stays locked are an error", async () => {
  await using t = await indexed();
  const store = t.open();
  using _ = await takeLock(store.layout.lock, {
    holder: { pid: Deno.pid, command: "test", since: "" },
    timeoutMs: 1000,
  });
  await assert.rejects(
    completeVectors(store, plain, { lockTimeoutMs: 0 }),
    { code: "STORE_LOCKED", message: /^Cannot add vectors to the index: another process/ },
  );
  assert.deepEqual(embedded(t), [false, false, false]);
});

Deno.test("reindex makes vectors of segments that others merge meanwhile, or says that it could not", async () => {
  await using t = await indexed();
  const once = acting((call) => call === 1 ? mergeAll(t) : undefined);
  await reindex(t.open(), { embedder: once });
  assert.ok(embedded(t).every((has) => has));
  await mergeAll(t);
  const always = acting(() => mergeAll(t));
  await assert.rejects(reindex(t.open(), { embedder: always }), { code: "STORE_LOCKED" });
});

/** As another process does that makes no vectors. */
async function mergeAll(t: TempStore): Promise<void> {
  const text = "meanwhile";
  await t.open().write("save", (writer) => writer.append([{ role: "note", type: "note", text }]));
  await catchUp(t.open(), { sealBytes: 1, purge: true, full: true });
}
