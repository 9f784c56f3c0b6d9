// `ctx timeline`: the window around an entry, across the border of the pools, within its session.

import assert from "node:assert/strict";
import { tempStore } from "../../support/stores/temp_store.ts";

const border = {
  archive: [
    { text: "a1", session_id: "S-1" },
    { text: "other", session_id: "S-2" },
    { text: "a3", session_id: "S-1" },
  ],
  entries: [
    { text: "h1", session_id: "S-1" },
    { text: "loose" },
    { text: "h3", session_id: "S-1" },
  ],
};

Deno.test("timeline crosses the border between archive and hot and stays in the session", async () => {
  await using t = await tempStore(border);
  const window = await t.run<Window>("timeline", { id: "H-H1", before: 1, after: 5 });
  assert.deepEqual(shown(window), [
    ["H-A3", "archive", 2, false],
    ["H-H1", "hot", 3, true],
    ["H-H3", "hot", 4, false],
  ]);
  assert.deepEqual(
    [window.session_id, window.total, window.has_more_before, window.has_more_after],
    ["S-1", 4, true, false],
  );
});

Deno.test("timeline --session all shows every entry in order of time", async () => {
  await using t = await tempStore(border);
  const window = await t.run<Window>("timeline", {
    id: "H-A3",
    before: 2,
    after: 2,
    session: "all",
  });
  assert.deepEqual(shown(window).map(([id]) => id), ["H-A1", "H-A2", "H-A3", "H-H1", "H-H2"]);
});

Deno.test("timeline of an entry without a session shows the entries without one", async () => {
  await using t = await tempStore(border);
  const window = await t.run<Window>("timeline", { id: "H-H2" });
  assert.deepEqual(shown(window), [["H-H2", "hot", 1, true]]);
  assert.equal(window.session_id, null);
});

Deno.test("timeline refuses an entry of another session", async () => {
  await using t = await tempStore(border);
  assert.deepEqual(await t.fail("timeline", { id: "H-A2", session: "S-1" }), {
    code: "NOT_FOUND",
    message: 'Cannot show the timeline of "H-A2": no such entry in session "S-1"',
    hint: "ctx search QUERY finds ids",
    retryable: false,
  });
});

Deno.test("timeline leaves out forgotten entries and closes the gap", async () => {
  await using t = await tempStore(border);
  await t.run("forget", { ids: ["H-A3"] });
  const window = await t.run<Window>("timeline", { id: "H-H1", before: 1, after: 0 });
  assert.deepEqual(shown(window).map(([id]) => id), ["H-A1", "H-H1"]);
});

Deno.test("timeline orders entries of one moment by their index, then by the log", async () => {
  const ts = "2026-01-01T00:00:00.000Z";
  await using t = await tempStore({
    entries: [
      { text: "third", ts, session_id: "S", index: 3 },
      { text: "first", ts, session_id: "S", index: 1 },
      { text: "second", ts, session_id: "S", index: 2 },
    ],
  });
  const window = await t.run<Window>("timeline", { id: "H-H3" });
  assert.deepEqual(shown(window).map(([id]) => id), ["H-H2", "H-H3", "H-H1"]);
});

Deno.test("timeline prints the window with an arrow at the anchor", async () => {
  await using t = await tempStore(border);
  const { code, stdout, stderr } = await t.shown(["timeline", "H-A3", "-b", "1", "-a", "1"]);
  assert.deepEqual({ code, stdout, stderr }, {
    code: 0,
    stdout: "S-1\n" +
      "4 entries\n\n" +
      "   #1  H-A1  2026-01-01T00:00:00.000Z  note  a1\n" +
      "→  #2  H-A3  2026-01-01T00:02:00.000Z  note  a3\n" +
      "   #3  H-H1  2026-01-01T10:00:00.000Z  note  h1\n\n" +
      "later: --after N\n",
    stderr: "",
  });
});

interface Window {
  session_id: string | null;
  total: number;
  has_more_before: boolean;
  has_more_after: boolean;
  results: { id: string; pool: string; message_index: number; anchor: boolean }[];
}

function shown(window: Window): [string, string, number, boolean][] {
  return window.results.map((row) => [row.id, row.pool, row.message_index, row.anchor]);
}
