// How talk is found: the answer after its question, what was said when, and when something was.

import assert from "node:assert/strict";
import { reindex } from "../../src/index/reindex_store.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { asksForTime } from "../../src/search/rank/asks_for.ts";
import { namesTime } from "../../src/core/time/names_time.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";

function say(id: string, text: string, more: RowDraft = {}): RowDraft {
  return { id, text, session_id: "S-1", role: id.includes("a") ? "assistant" : "user", ...more };
}

const filler: RowDraft[] = Array.from(
  { length: 30 },
  (_, i) => say(`H-f${i}`, `a remark number ${i} on something else`, { session_id: "S-f" }),
);

/** The rows of a search by words, once without an index and once with it: both must be the same. */
async function find(rows: RowDraft[], query: string) {
  await using t = new SearchStore([...filler, ...rows]);
  const how = request(query, { mode: "lexical", explain: true });
  const scanned = await search(t.store, how);
  await reindex(t.store);
  const answer = await search(t.store, how);
  closeIndex(t.store);
  assert.deepEqual(answer.rows, scanned.rows);
  return answer.rows;
}

Deno.test("a turn takes more of a question just before it than of a remark", async () => {
  const contextAfter = async (mark: string) => {
    const before = say("H-a1", `the pottery course of Maria${mark}`);
    const rows = await find(
      [before, say("H-2", "Maria liked the kiln best")],
      "pottery course Maria",
    );
    return rows.find(({ id }) => id === "H-2")?.explain?.context ?? 0;
  };
  const [asked, told] = [await contextAfter("?"), await contextAfter(".")];
  assert.ok(asked > 2 * told && told > 0, `${asked} after a question, ${told} after a remark`);
});

Deno.test("where a question names a time, rows of it come first, then those of the days around it", async () => {
  const on = (id: string, day: string) =>
    say(id, "Maria did see the shelter", { ts: `${day}T12:00:00.000Z` });
  const rows = [on("H-1", "2023-05-03"), on("H-2", "2023-05-10"), on("H-3", "2023-08-20")];
  const found = await find(rows, "Which shelter did Maria see on 3 May 2023?");
  assert.deepEqual(found.map(({ id }) => id), ["H-1", "H-2", "H-3"]);
  assert.deepEqual(found.map(({ explain }) => explain?.boosts.times), [2, 1.3, 1]);
  assert.equal(found[0].explain?.matched_share, 1, "the words of the date are none to match");
  const [other] = await find(rows, "Where did Maria go in August 2023?");
  assert.equal(other.id, "H-3");
  const [twice] = await find(rows, "Which 2023 shelter did Maria see on 3 May 2023?");
  assert.ok(Number(twice.explain?.matched_share) < 1, "what stands elsewhere too is to be matched");
});

Deno.test("a query that names a time and nothing else says what lists that time", async () => {
  await using t = new SearchStore([...filler, say("H-1", "two weeks of rain")]);
  const note = /^the query only names a time: ctx sessions --since/;
  const notesOf = async (query: string) =>
    (await search(t.store, request(query, { mode: "lexical" }))).notes;
  assert.match((await notesOf("what did we do last week")).join(), note);
  assert.match(
    (await notesOf("what did we do in may")).join(),
    /--since … --until … lists its sessions$/,
  );
  const now_ms = new Date(2026, 10, 16, 12).getTime();
  const { notes } = await search(t.store, request("last week", { mode: "lexical", now_ms }));
  assert.match(notes.join(), /--since 2026-11-09 --until 2026-11-15 lists its sessions$/);
  assert.deepEqual(await notesOf("where was the rain last week"), []);
  assert.deepEqual(await notesOf("rain"), []);
  closeIndex(t.store);
});

Deno.test("where a question asks when, turns that name a time gain", async () => {
  const rows = [
    say("H-1", "Maria went to the shelter yesterday"),
    say("H-2", "Maria went to the shelter gladly"),
  ];
  const boosts = async (query: string) =>
    Object.fromEntries((await find(rows, query)).map((row) => [row.id, row.explain?.boosts.timed]));
  assert.deepEqual(await boosts("When did Maria go to the shelter?"), {
    "H-1": 1.2,
    "H-2": 1,
  });
  assert.deepEqual(await boosts("Why did Maria go to the shelter?"), {
    "H-1": 1,
    "H-2": 1,
  });
});

Deno.test("what asks for a time, and what names one", () => {
  for (const query of ["When did we ship?", "how long did it take", "which day was it"]) {
    assert.ok(asksForTime(query), query);
  }
  for (const query of ["what happens when the token expires", "whenever it fails", "long tests"]) {
    assert.ok(!asksForTime(query), query);
  }
  for (const text of ["two weeks ago", "on Friday", "in 2023", "last weekend", "3 days later"]) {
    assert.ok(namesTime(text), text);
  }
  for (const text of ["it may fail", "the fridays.ts file", "port 20231", "a day-dream of agony"]) {
    assert.equal(namesTime(text), text.includes("day-"), text);
  }
});
