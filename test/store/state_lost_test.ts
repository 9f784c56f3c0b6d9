// Where `state.json` is lost, reads go by the counts in the index's manifest: they answer the same and
// do not read the log for it.

import assert from "node:assert/strict";
import { diskFiles, type FileReader, type Files } from "../../src/disk/files.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

/** Enough that looking into the index pays for every reader. */
const entries = Array.from({ length: 600 }, (_, i) => ({
  id: `H-${i}`,
  role: i % 2 === 0 ? "user" as const : "assistant" as const,
  session_id: `S-${i >> 5}`,
  text: `row${i} about deploys ${"and what they did ".repeat(450)}`,
}));

const reads: Record<string, [string, object]> = {
  search: ["search", { query: "row77", mode: "lexical" }],
  get: ["get", { ids: ["H-77"] }],
  timeline: ["timeline", { id: "H-77" }],
};

for (const [name, [command, input]] of Object.entries(reads)) {
  Deno.test(`${name} without state.json reads a few rows of the log, not all of it`, async () => {
    await using t = await tempStore({ entries });
    await t.run("reindex");
    const expected = await t.run(command, input);
    const before = await countBytes(t, command, input);
    diskFiles.remove(t.path("state.json"));
    const after = await countBytes(t, command, input);
    assert.deepEqual(after.answer, expected);
    assert.ok(after.bytes < t.bytes("history.ndjson").length / 4, `${after.bytes} bytes were read`);
    assert.ok(after.bytes <= before.bytes + 8192, `${after.bytes} after ${before.bytes}`);
    assert.equal(t.exists("state.json"), false);
  });
}

Deno.test("what came after the index is counted, and a log that was rewritten is counted anew", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  diskFiles.remove(t.path("state.json"));
  t.append("history.ndjson", toLog([{ id: "H-new", text: "one more" }]));
  assert.equal(t.open().readState().logs.hot.rows, 601);
  t.write("history.ndjson", toLog(entries.slice(0, 300)));
  assert.equal(t.open().readState().logs.hot.rows, 300);
});

Deno.test("counts of a damaged manifest are not believed", async () => {
  await using t = await tempStore({ entries });
  await t.run("reindex");
  const manifest = t.read("index/manifest.json");
  assert.match(manifest, /"rows":600,"tombstones":0/);
  t.write("index/manifest.json", manifest.replace('"rows":600,"tom', '"rows":999,"tom'));
  diskFiles.remove(t.path("state.json"));
  assert.equal(t.open().readState().logs.hot.rows, 600);
});

Deno.test("the built file answers the same without state.json; reindex and doctor --fix write it", async () => {
  await using t = await tempStore({ entries });
  await t.open().write("test", () => {});
  await t.ctx(["reindex"]);
  const state = JSON.parse(t.read("state.json")).logs;
  const words = ["search", "row77 deploys"];
  const expected = await t.ctx(words);
  assert.equal(expected.code, 0);
  for (const command of [["reindex"], ["doctor", "--fix"]]) {
    diskFiles.remove(t.path("state.json"));
    assert.deepEqual(await t.ctx(words), expected);
    assert.equal(t.exists("state.json"), false);
    assert.equal((await t.ctx(command)).code, 0);
    assert.deepEqual(JSON.parse(t.read("state.json")).logs, state);
  }
});

/** Runs a command and counts the bytes that it reads of the log. */
async function countBytes(
  t: TempStore,
  command: string,
  input: object,
): Promise<{ answer: object; bytes: number }> {
  let bytes = 0;
  const files: Files = {
    ...diskFiles,
    openReader(path) {
      const reader = diskFiles.openReader(path);
      if (reader === undefined || path !== t.path("history.ndjson")) return reader;
      const counting: FileReader = {
        size: reader.size,
        isCurrent: () => reader.isCurrent(),
        readAt(offset, buffer) {
          const count = reader.readAt(offset, buffer);
          bytes += count;
          return count;
        },
        [Symbol.dispose]: () => reader[Symbol.dispose](),
      };
      return counting;
    },
  };
  return { answer: await t.run(command, input, { files }), bytes };
}
