// How much of an id has to be typed: what is shown suffices, whatever stands beside it in the log.

import assert from "node:assert/strict";
import { makeId } from "../../../src/core/id.ts";
import { findSufficient } from "../../../src/app/names/sufficient.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

const day = Date.parse("2026-01-01T10:00:00.000Z");

/** Entries of these milliseconds after a time, with ids as ctx makes them. */
function entriesAt(...offsets: number[]) {
  return offsets.map((offset, i) => {
    const ms = day + offset;
    return { id: makeId("H", ms, `text ${i}`), ts: new Date(ms).toISOString(), text: `text ${i}` };
  });
}

/** What suffices for each id; that each beginning is found, and is no other's, is checked. */
async function beginningsOf(t: TempStore): Promise<string[]> {
  const ids = t.ids();
  const suffices = findSufficient(t.open());
  const beginnings = ids.map((id) => id.slice(0, suffices(id)));
  for (const [i, beginning] of beginnings.entries()) {
    assert.deepEqual(ids.filter((id) => id.startsWith(beginning)), [ids[i]]);
    const { results } = await t.run<{ results: { id: string }[] }>("get", { ids: [beginning] });
    assert.deepEqual(results.map(({ id }) => id), [ids[i]]);
  }
  return beginnings;
}

Deno.test("five digits suffice where no other entry is near", async () => {
  await using t = await tempStore({ entries: entriesAt(0, 40 * 86_400_000) });
  assert.deepEqual((await beginningsOf(t)).map(({ length }) => length), [7, 7]);
});

Deno.test("neighbours in time take as many digits as tell them apart, with an index and without", async () => {
  await using t = await tempStore({ entries: entriesAt(0, 1, 40, 2000, 70_000, 3_600_000) });
  const scanned = await beginningsOf(t);
  assert.ok(scanned[0].length > scanned[5].length, scanned.join(" "));
  await t.run("reindex");
  assert.deepEqual(await beginningsOf(t), scanned);
  // What came after the index counts too.
  const [, late] = entriesAt(0, 3_600_001);
  t.append("history.ndjson", toLog([late]));
  const wider = await beginningsOf(t);
  assert.ok(wider[5].length > scanned[5].length, wider.join(" "));
});

Deno.test("entries of one millisecond are told apart by digits of their hash", async () => {
  await using t = await tempStore({ entries: entriesAt(0, 0, 0) });
  assert.deepEqual((await beginningsOf(t)).map(({ length }) => length), [15, 15, 15]);
});

Deno.test("in a long log, where it is not looked up, what is shown suffices too", async () => {
  const [first, second] = entriesAt(0, 0);
  const long = { id: "H-long", text: "x".repeat(5 << 20) };
  await using t = await tempStore({ entries: [first, second, long] });
  const shown = await beginningsOf(t);
  assert.deepEqual(shown.map(({ length }) => length), [15, 15, "H-long".length]);
});

Deno.test("of ids that ctx did not make, and of sessions, it does not know", async () => {
  await using t = await tempStore({ entries: ["one"] });
  const session = makeId("S", day, "one");
  const suffices = findSufficient(t.open());
  assert.deepEqual(["H-H1", session].map(suffices), [undefined, undefined]);
});
