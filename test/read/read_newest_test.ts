import assert from "node:assert/strict";
import { readNewest } from "../../src/read/read_newest.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const day = (n: number): string => `2026-01-0${n}T00:00:00.000Z`;

Deno.test("readNewest() gives the latest first, with and without the index", async () => {
  await using t = await tempStore({
    archive: [{ id: "H-old", ts: day(1), text: "old" }],
    entries: [
      { id: "H-late", ts: day(5), text: "late" },
      { id: "H-early", ts: day(2), text: "early" },
      { id: "H-same", ts: day(5), text: "as late, and later in the log" },
      { id: "H-thought", ts: day(6), type: "thinking", text: "hm" },
      { id: "H-section", ts: day(7), type: "doc", text: "a section" },
      { id: "H-gone", ts: day(8), text: "gone" },
    ],
  });
  await t.run("forget", { ids: ["H-gone"] });
  const expected = { ids: ["H-same", "H-late", "H-early", "H-old"], total: 6 };
  const read = async (limit: number, minBytes?: number) => {
    const { rows, total } = await readNewest(t.open(), limit, { minBytes });
    return { ids: rows.map(({ entry }) => entry.id), total };
  };
  assert.deepEqual(await read(10), expected);
  await t.run("reindex");
  assert.deepEqual(await read(10, 0), expected);
  assert.deepEqual((await read(2, 0)).ids, ["H-same", "H-late"]);
});

Deno.test("readNewest() of an empty store is empty", async () => {
  await using t = await tempStore();
  assert.deepEqual(await readNewest(t.open(), 5), { rows: [], total: 0 });
});
