import assert from "node:assert/strict";
import { tempStore } from "../support/temp_store.ts";

const entries = [
  { text: 'quotes " and \\ and\nnewlines', unknown: { deep: [1, null, "x"] }, tags: ["a"] },
  { text: "日本語 🎉 \u0000 \u2028", supersedes: "H-H1", source: { agent: "codex", path: "/x" } },
  { id: "legacy id 1", text: "lone \ud800 surrogate", v: 7 },
];

Deno.test("export as NDJSON, taken in as a log, exports the same bytes", async () => {
  await using t = await tempStore({ entries, archive: [{ text: "old", index: 3 }] });
  await t.run("forget", { ids: ["H-H2"] });
  const first = await t.ctx(["export"]);
  await using u = await tempStore({ files: { "history.ndjson": first.bytes } });
  const second = await u.ctx(["export"]);
  assert.deepEqual(second.bytes, first.bytes);
});

Deno.test("export is the same before and after compact", async () => {
  await using t = await tempStore({ entries });
  const before = await t.run("export");
  await t.run("compact", { keep: 1, older_than: 0 });
  assert.deepEqual(await t.run("export"), before);
});
