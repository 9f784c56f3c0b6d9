// The index finds rows by the beginning of their id: the same rows as the log has, odd ids, a tail and
// forgotten rows included.

import assert from "node:assert/strict";
import { makeId } from "../../src/core/id.ts";
import { useLogIndex } from "../../src/index/log_index.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const start = Date.parse("2026-01-01T10:00:00.000Z");

Deno.test("rows are found by any beginning of their id, through the index as in the log", async () => {
  const made = Array.from({ length: 40 }, (_, i) => {
    const ms = start + i ** 4 * 7;
    return { id: makeId("H", ms, `${i}`), ts: new Date(ms).toISOString(), text: `row ${i}` };
  });
  const odd = [
    { id: "H-Q12", text: "legacy" },
    { id: "msg_17", text: "of another product" },
    {
      id: made[3].id.slice(0, 12) + "zzzzzzz",
      ts: "2020-05-05T00:00:00Z",
      text: "of another time",
    },
    { id: "H-1kd", ts: "no time", text: "without a time" },
  ];
  await using t = await tempStore({ entries: [...made, ...odd] });
  await t.run("reindex", { full: true });
  await t.run("forget", { ids: [made[5].id, "H-Q12"] });
  await t.run("save", { text: "in the tail" });
  const store = t.open();
  using snapshot = store.openSnapshot();
  const live = [...store.entries()].map(({ entry }) => entry.id);
  const beginnings = new Set(
    [...live, made[5].id, "H-Q12"].flatMap((id) =>
      Array.from(id, (_, i) => id.slice(0, i + 1)).flatMap((one) => [one, one.toUpperCase()])
    ),
  );
  for (const beginning of beginnings) {
    const rows = useLogIndex(store, snapshot, (index) => index.rowsFrom(beginning, 1000));
    const said = beginning.toLowerCase();
    assert.deepEqual(
      rows?.map(({ entry }) => entry.id),
      live.filter((id) => id.toLowerCase().startsWith(said)),
      beginning,
    );
  }
  const few = useLogIndex(store, snapshot, (index) => index.rowsFrom("H-", 3));
  assert.equal(few?.length, 3);
});
