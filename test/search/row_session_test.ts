// What rows of a search tell of their session is what the other commands say of it, with an index and
// without.

import assert from "node:assert/strict";
import type { Entry } from "../../src/core/entry.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const numbered = ["one lamp", "two lamps", "three lamps", "four lamps"].map((
  text,
  i,
): Partial<Entry> => ({
  ...{ id: `H-n${i}`, role: i % 2 ? "assistant" : "user", type: "turn", text },
  ...{ session_id: "S-numbered", index: i + 1, ts: `2026-01-01T10:0${i * 2}:00.000Z` },
}));

/** Saved meanwhile: after the second and after the last message. */
const notes = ["10:03", "10:09"].map((time, i): Partial<Entry> => ({
  ...{ id: `H-s${i}`, text: `saved lamp ${i}`, session_id: "S-numbered" },
  ...{ role: "note", type: "decision", ts: `2026-01-01T${time}:00.000Z` },
}));

/** In one minute, and not in the order of time. */
const live = ["10:05", "10:01", "10:01"].map((time, i): Partial<Entry> => ({
  ...{ id: `H-l${i}`, text: `live lamp ${i}`, session_id: "S-live", project: "/work/lamps" },
  ...{ role: "user", type: "turn", ts: `2026-01-02T${time}:00.000Z` },
}));

interface Row {
  id: string;
  session_id?: string;
  session_title?: string;
  session_tokens?: number;
  project: string;
  message_index: number;
}

async function checkRows(t: TempStore): Promise<void> {
  const { results } = await t.run<{ results: Row[] }>("search", { query: "lamp", k: 50 });
  assert.equal(results.length, 10);
  const { sessions } = await t.run<{ sessions: (Row & Listed)[] }>("sessions");
  for (const row of results) {
    const session = sessions.find(({ id }) => id === row.session_id);
    assert.deepEqual(
      [row.session_title, row.session_tokens, row.project],
      [session?.title, session?.estimated_tokens, session?.project ?? t.workspace],
    );
    const { results: around } = row.session_id
      ? await t.run<{ results: Row[] }>("timeline", { id: row.id, before: 0, after: 0 })
      : { results: [{ message_index: 0 }] };
    assert.equal(row.message_index, around[0].message_index, row.id);
  }
  const numberOf = (id: string) => results.find((row) => row.id === id)?.message_index;
  assert.deepEqual(["H-n2", "H-n3", "H-s0", "H-s1"].map(numberOf), [3, 4, 2, 4]);
  assert.deepEqual(["H-l0", "H-l1", "H-l2"].map(numberOf), [3, 1, 2]);
}

interface Listed {
  title: string;
  estimated_tokens: number;
}

Deno.test("rows tell the number, title, size and project that lists and timelines do", async () => {
  const files = {
    "sessions.ndjson": `${
      JSON.stringify({ event: "titled", session_id: "S-live", ts: "2026-01-03", title: "Lamps" })
    }\n`,
  };
  const entries = [...numbered, ...live, ...notes, { text: "a lamp of no session" }];
  await using t = await tempStore({ entries, files });
  await checkRows(t);
  await t.run("reindex");
  await checkRows(t);
});

Deno.test("a note saved in a session changes no message's number", async () => {
  await using t = await tempStore({ entries: [...numbered, ...notes] });
  const { sessions: [{ messages }] } = await t.run<{
    sessions: { messages: { index: number; content: string }[] }[];
  }>("show", { sessions: ["S-numbered"] });
  assert.deepEqual(messages.map(({ index, content }) => `${index} ${content}`), [
    "1 one lamp",
    "2 two lamps",
    "2 saved lamp 0",
    "3 three lamps",
    "4 four lamps",
    "4 saved lamp 1",
  ]);
});

Deno.test("get reads sessions and the messages around an entry, and says what is not there", async () => {
  await using t = await tempStore({ entries: [...numbered, ...live] });
  const get = (input: object) => t.run<Got>("get", input);
  const around = await get({ ids: ["H-n1"], before: 1, after: 0 });
  assert.deepEqual(indexesOf(around), [[1, 2]]);
  const several = await get({ ids: ["S-live", "H-n0", "S-nope"], format: "outline" });
  assert.deepEqual(
    [indexesOf(several), several.results.length, several.missing],
    [[[1, 2, 3]], 1, ["S-nope"]],
  );
  const small = await get({ ids: ["S-numbered", "S-live"], max_tokens: 150 });
  assert.deepEqual([small.sessions.length, small.skipped_ids], [1, ["S-live"]]);
  assert.ok(small.estimated_tokens <= 150, `${small.estimated_tokens}`);
  const held = await t.fail("get", { ids: ["S-live"], session: "S-numbered" });
  assert.equal(held.code, "NOT_FOUND");
});

interface Got {
  results: Row[];
  missing: string[];
  skipped_ids: string[];
  estimated_tokens: number;
  sessions: { messages: { index: number }[] }[];
}

function indexesOf({ sessions }: Got): number[][] {
  return sessions.map(({ messages }) => messages.map(({ index }) => index));
}
