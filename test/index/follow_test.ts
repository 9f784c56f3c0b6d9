// The index follows the logs whatever happens between reading and saving it. Interleavings are
// stepped by hand: an indexer waits for its embedder and nowhere else, so what the embedder does is
// what other processes do meanwhile.

import assert from "node:assert/strict";
import { catchUp, type CatchUpReport } from "../../src/index/catch_up.ts";
import type { Embedder } from "../../src/index/vectors/embedder.ts";
import { reindex } from "../../src/index/reindex_store.ts";
import { compactStore } from "../../src/store/lifecycle/compact_store.ts";
import { checksum } from "../../src/core/checksum.ts";
import { CtxError } from "../../src/core/errors.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";
import { wordEmbedder } from "../support/stores/word_embedder.ts";

const rows = Array.from({ length: 40 }, (_, i) => `row ${i} ${"z".repeat(600)}`);

Deno.test("after compact a small store's index is of the logs that are there", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  await t.run("compact", { keep: 20, older_than: 0 });
  assert.deepEqual(await t.ailments(), []);
  assert.equal(sealedRows(t), rows.length);
});

Deno.test("a rewritten log that has grown back is not taken for the one that was indexed", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  const size = t.bytes("history.ndjson").length;
  // As a compact that was killed before its index could follow.
  await compactStore(t.open(), { keep: 20, beforeMs: Infinity });
  const lost = size - t.bytes("history.ndjson").length;
  await t.open().write(
    "save",
    (writer) => writer.append([{ role: "note", type: "note", text: "g".repeat(lost + 1000) }]),
  );
  assert.ok(t.bytes("history.ndjson").length > size);
  assert.deepEqual(await t.ailments(), ["index"]);
  await t.run("gc");
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("after an upgrade the next save builds the index anew, however little it adds", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  const body = JSON.stringify({ ...manifest, version: manifest.version - 1 });
  const sum = checksum(new TextEncoder().encode(body));
  t.write("index/manifest.json", `{"checksum":${sum},"manifest":${body}}\n`);
  assert.ok((await t.ailments()).includes("index"));
  await t.run("save", { text: "one more" });
  assert.ok(!(await t.ailments()).includes("index"));
  assert.equal(sealedRows(t), rows.length + 1);
});

Deno.test("a follow-up that loses to a rewrite does it again", async () => {
  await using t = await tempStore({ entries: rows });
  const embedder = interrupted(1, () => compact(t, 20));
  const report = await catchUp(t.open(), { sealBytes: 1, embedder });
  assert.equal(report.busy, false);
  assert.equal(report.rows, rows.length);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("a follow-up that loses to another one leaves its work alone", async () => {
  await using t = await tempStore({ entries: rows });
  let other: CatchUpReport | undefined;
  const embedder = interrupted(1, async () => {
    other = await catchUp(t.open(), { sealBytes: 1 });
  });
  const report = await catchUp(t.open(), { sealBytes: 1, embedder });
  assert.deepEqual([other?.rows, report.busy, report.sealed_rows], [rows.length, false, 0]);
  assert.equal(sealedRows(t), rows.length);
});

Deno.test("a follow-up gives up after a few attempts: the last rewriter follows too", async () => {
  await using t = await tempStore({ entries: rows });
  let keep = rows.length;
  const embedder = interrupted(Infinity, () => compact(t, keep -= 2));
  const report = await catchUp(t.open(), { sealBytes: 1, embedder });
  assert.equal(report.busy, true);
  assert.ok(embedder.calls <= 12, `${embedder.calls} calls`);
  assert.deepEqual(t.list().includes("index") ? [...Deno.readDirSync(t.path("index"))] : [], []);
});

for (const full of [true, false]) {
  Deno.test(`reindex${full ? " --full" : ""} wins against writers that index each time`, async () => {
    await using t = await tempStore({ entries: rows });
    await t.run("reindex");
    await save(t, "before");
    const embedder = interrupted(Infinity, async () => {
      await save(t, "meanwhile");
      await catchUp(t.open(), { sealBytes: 1 });
    });
    const report = await reindex(t.open(), { full, embedder });
    assert.equal(report.busy, false);
    assert.ok(embedder.calls <= 20, `${embedder.calls} calls`);
    assert.deepEqual(await t.ailments(), []);
    assert.equal(t.ids().length, rows.length + 1 + embedder.calls);
  });

  Deno.test(`reindex${full ? " --full" : ""} wins against writers that rewrite each time`, async () => {
    await using t = await tempStore({ entries: rows });
    await t.run("reindex");
    await save(t, "before");
    let keep = rows.length;
    const embedder = interrupted(Infinity, () => compact(t, keep -= 2));
    const report = await reindex(t.open(), { full, embedder });
    assert.equal(report.busy, false);
    assert.equal(report.rows, rows.length + 1);
    assert.deepEqual(await t.ailments(), []);
  });
}

Deno.test("while the lock is held for reindex, nothing is asked of a remote embedder", async () => {
  await using t = await tempStore({ entries: rows });
  let keep = rows.length;
  const embedder = interrupted(Infinity, () => compact(t, keep -= 2), { isLocal: false });
  const warnings: string[] = [];
  const report = await reindex(t.open(), { embedder, warn: (message) => warnings.push(message) });
  assert.equal(report.rows, rows.length);
  assert.equal(embedder.refused, 0);
  assert.match(warnings.join(), /missing vectors will be added/);
});

/** An embedder during whose first calls something else happens. */
interface Interrupted extends Embedder {
  calls: number;
  /** How often the other found the store locked. */
  refused: number;
}

function interrupted(
  times: number,
  action: () => Promise<unknown>,
  { isLocal = true }: { isLocal?: boolean } = {},
): Interrupted {
  const plain = wordEmbedder([["row"]]);
  return {
    ...plain,
    isLocal,
    calls: 0,
    refused: 0,
    async embed(texts) {
      if (this.calls++ < times) {
        await action().catch((error) => {
          if (!(error instanceof CtxError) || error.code !== "STORE_LOCKED") throw error;
          this.refused++;
        });
      }
      return await plain.embed(texts);
    },
  };
}

/** As another process that is killed before its index follows. */
async function compact(t: TempStore, keep: number): Promise<void> {
  const { moved } = await compactStore(t.open({ lockTimeoutMs: 0 }), { keep, beforeMs: Infinity });
  assert.ok(moved > 0, "nothing was rewritten");
}

async function save(t: TempStore, text: string): Promise<void> {
  await t.open({ lockTimeoutMs: 0 }).write(
    "save",
    (writer) => writer.append([{ role: "note", type: "note", text }]),
  );
}

function sealedRows(t: TempStore): number {
  const { manifest } = JSON.parse(t.read("index/manifest.json"));
  return manifest.segments.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
}
