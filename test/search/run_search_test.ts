import assert from "node:assert/strict";
import fc from "fast-check";
import { search } from "../../src/search/run_search.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";

async function ids(t: SearchStore, query: string, rest: Partial<SearchRequest> = {}) {
  return (await search(t.store, request(query, rest))).rows.map(({ id }) => id);
}

Deno.test("search() finds identifiers in any spelling, and paths by their parts", async () => {
  await using t = new SearchStore([
    { id: "H-camel", text: "renamed getSessionToken in the handler" },
    { id: "H-snake", text: "call get_session_token first" },
    { id: "H-path", text: "see src/auth/session_store.ts for details" },
    { id: "H-none", text: "nothing to see" },
  ]);
  assert.deepEqual((await ids(t, "get_session_token")).slice(0, 2).sort(), ["H-camel", "H-snake"]);
  assert.deepEqual((await ids(t, "session_store.ts"))[0], "H-path");
  assert.deepEqual((await ids(t, "src/auth/session_store.ts"))[0], "H-path");
  assert.deepEqual(await ids(t, "sess"), []);
});

Deno.test("search() finds CJK words inside running text", async () => {
  await using t = new SearchStore([
    { id: "H-ja", text: "これは日本語のテストです" },
    { id: "H-zh", text: "我们决定使用缓存" },
    { id: "H-ko", text: "한국어 검색을 지원합니다" },
  ]);
  assert.deepEqual(await ids(t, "日本語"), ["H-ja"]);
  assert.deepEqual(await ids(t, "缓存"), ["H-zh"]);
  assert.deepEqual(await ids(t, "검색"), ["H-ko"]);
  assert.deepEqual(await ids(t, "語"), ["H-ja"]);
});

Deno.test("search() answers an unrelated query with zero rows and says what was searched", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "we use rotating refresh tokens", session_id: "S-1" },
    { id: "H-2", text: "the deploy pipeline is green", session_id: "S-2" },
  ]);
  const answer = await search(t.store, request("quantum chromodynamics recipe tokens pasta rome"));
  assert.deepEqual([answer.hits, answer.total, answer.rows], [0, 0, []]);
  assert.equal(answer.coverage.entries, 2);
  assert.equal(answer.coverage.sessions, 2);
  assert.equal(answer.coverage.below_floor, 1);
  assert.deepEqual(answer.coverage.pools, ["archive", "hot"]);
  assert.equal((await search(t.store, request("zebra"))).total, 0);
});

Deno.test("search() by words answers a long question of which a row has a part", async () => {
  const topics =
    "token rotation,pipeline cache,vector table,segment merge,prompt hook,pinned note," +
    "dark theme,team invite";
  await using t = new SearchStore(
    topics.split(",").map((topic, i) => ({ id: `H-${i}`, text: `${topic}: see release ${i}` })),
  );
  const { rows } = await search(t.store, request(topics, { mode: "lexical" }));
  assert.equal(rows.length, 5);
  const strange = "who renamed, measured, broke or mended a kafka table?";
  assert.equal((await search(t.store, request(strange, { mode: "lexical" }))).total, 0);
});

Deno.test("search() names the nearest words when a word is unknown", async () => {
  const text = "getOrAssumePipelineFirst of the deployment pipeline";
  await using t = new SearchStore([{ id: "H-1", text }]);
  const answer = await search(t.store, request("pipelnie", { exact: true }));
  assert.deepEqual(answer.coverage.nearest_terms, { pipelni: ["pipeline"] });
});

Deno.test("search() breaks ties by time, newest first, then by id", async () => {
  const same = { text: "rotate the signing key" };
  await using t = new SearchStore([
    { ...same, id: "H-b", ts: "2026-01-01T00:00:00.000Z" },
    { ...same, id: "H-c", ts: "2026-01-01T00:00:00.001Z" },
    { ...same, id: "H-a", ts: "2026-01-01T00:00:00.000Z" },
  ]);
  assert.deepEqual(await ids(t, "signing key"), ["H-c", "H-a", "H-b"]);
});

Deno.test("search() applies filters before the cut, so that k, offset and total are true", async () => {
  const rows: RowDraft[] = [];
  for (let i = 0; i < 40; i++) {
    rows.push({
      id: `H-${String(i).padStart(2, "0")}`,
      ts: `2026-01-${String(1 + i % 28).padStart(2, "0")}T00:00:00.000Z`,
      text: `cache note ${i}`,
      role: i % 4 === 0 ? "user" : "assistant",
      session_id: i % 2 === 0 ? "S-even" : "S-odd",
      tags: i % 10 === 0 ? ["Ten"] : undefined,
      files: i % 5 === 0 ? ["src/cache/store.ts"] : undefined,
    });
  }
  await using t = new SearchStore(rows);
  const all = await search(t.store, request("cache", { k: 50 }));
  assert.deepEqual([all.hits, all.total], [40, 40]);
  const user = await search(t.store, request("cache", { role: "user", k: 3 }));
  assert.deepEqual([user.hits, user.total], [3, 10]);
  assert.ok(user.rows.every(({ role }) => role === "user"));
  assert.equal((await search(t.store, request("cache role:user", { k: 3 }))).total, 10);
  assert.equal((await search(t.store, request("cache", { session: "S-odd" }))).total, 20);
  assert.equal((await search(t.store, request("cache", { exclude_session: "S-odd" }))).total, 20);
  assert.equal((await search(t.store, request("cache", { tag: "ten" }))).total, 4);
  assert.equal((await search(t.store, request("cache", { file: "store.ts" }))).total, 8);
  assert.equal((await search(t.store, request("cache", { file: "src/" }))).total, 8);
  assert.equal((await search(t.store, request("cache", { file: "src/*.ts" }))).total, 8);
  assert.equal((await search(t.store, request("cache", { file: "ore.ts" }))).total, 0);
  assert.equal((await search(t.store, request("cache", { until: "2026-01-02" }))).total, 4);
  assert.equal((await search(t.store, request("cache since:2026-01-28"))).total, 1);
  const pages: string[] = [];
  for (let offset = 0; offset < 20; offset += 7) {
    pages.push(...await ids(t, "cache", { session: "S-even", k: 7, offset }));
  }
  assert.equal(new Set(pages).size, 20);
  assert.deepEqual(pages, await ids(t, "cache", { session: "S-even", k: 20 }));
  const removed = await search(t.store, request("cache", { tag: "ten", role: "tool" }));
  assert.deepEqual(removed.coverage.removed_by_filter, { role: 40 });
});

Deno.test("search() searches both pools, and one when asked", async () => {
  await using t = new SearchStore([{ id: "H-hot", text: "token rotation" }], [
    { id: "H-old", text: "token rotation" },
  ]);
  assert.deepEqual((await ids(t, "rotation")).sort(), ["H-hot", "H-old"]);
  assert.deepEqual(await ids(t, "rotation", { scope: "archive" }), ["H-old"]);
  assert.deepEqual(await ids(t, "rotation scope:hot"), ["H-hot"]);
});

Deno.test("search() leaves out what is forgotten, repeated or thought", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "token one" },
    { id: "H-2", text: "token two" },
    { id: "H-2", text: "token two again" },
    { id: "H-3", text: "token three", type: "thinking" },
    { id: "H-t", text: "", type: "tombstone", refs: ["H-1"] },
  ]);
  assert.deepEqual(await ids(t, "token"), ["H-2"]);
  assert.deepEqual((await ids(t, "token", { include_thinking: true })).sort(), ["H-2", "H-3"]);
  assert.deepEqual(await ids(t, "again"), []);
});

Deno.test("search() ranks a superseded entry below its replacement", async () => {
  await using t = new SearchStore([
    { id: "H-old", text: "auth decision: auth uses sessions auth", title: "auth" },
    { id: "H-new", text: "we moved on; the auth choice is now tokens", supersedes: "H-old" },
    { id: "H-x", text: "unrelated words" },
  ]);
  const { rows } = await search(t.store, request("auth"));
  assert.deepEqual(rows.map(({ id }) => id), ["H-new", "H-old"]);
  assert.equal(rows[1].superseded_by, "H-new");
});

Deno.test("search() ranks it below although its session has the best row", async () => {
  const talk = { session_id: "S-1", role: "assistant" };
  await using t = new SearchStore([
    { id: "H-best", text: "auth auth choice: cookies, cookies, auth cookies", ...talk },
    { id: "H-old", text: "the auth choice is cookies", ...talk },
    { id: "H-new", text: "auth: tokens", supersedes: "H-old" },
    ...Array.from({ length: 9 }, (_, i) => ({ id: `H-${i}`, text: `unrelated words ${i}` })),
  ]);
  const found = await ids(t, "auth choice cookies");
  assert.deepEqual(found, ["H-best", "H-new", "H-old"]);
});

Deno.test("search() survives entries that supersede each other", async () => {
  await using t = new SearchStore([
    { id: "H-a", text: "auth one", supersedes: "H-b" },
    { id: "H-b", text: "auth two", supersedes: "H-a" },
  ]);
  assert.equal((await search(t.store, request("auth"))).total, 2);
});

Deno.test("search() requires and excludes what it is told to, and says what that removed", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "the retry loop hangs" },
    { id: "H-2", text: "retry the outer loop" },
    { id: "H-3", text: "the retry loop in legacy code", role: "user" },
  ]);
  const found = async (query: string): Promise<unknown> => {
    const { rows, coverage } = await search(t.store, request(query));
    return [rows.map(({ id }) => id).sort(), coverage.removed_by_filter];
  };
  assert.deepEqual(await found('"retry loop"'), [["H-1", "H-2", "H-3"], {}]);
  assert.deepEqual(await found('"retry loop" role:user'), [["H-3"], { role: 2 }]);
  assert.deepEqual(await found('"retry loop" NOT legacy'), [["H-1", "H-2"], { excluded_words: 1 }]);
  assert.deepEqual(await found('+"retry loop"'), [["H-1", "H-3"], { phrase: 1 }]);
  assert.deepEqual(await found("retry NOT legacy"), [["H-1", "H-2"], { excluded_words: 1 }]);
  assert.deepEqual(await found('retry NOT "retry loop"'), [["H-2"], { excluded_words: 2 }]);
  assert.deepEqual(await found('retry -"outer loop"'), [["H-1", "H-3"], { excluded_words: 1 }]);
  assert.deepEqual(await found("retry NOT role:user"), [["H-1", "H-2"], { exclude_role: 1 }]);
  assert.deepEqual(await found("retry -legacy"), [["H-1", "H-2", "H-3"], {}]);
});

Deno.test("search() takes NOT before a time or a scope for all but that", async () => {
  await using t = new SearchStore([
    { id: "H-old", text: "retry one", ts: "2024-05-01T10:00:00.000Z" },
    { id: "H-new", text: "retry two", ts: "2026-05-01T10:00:00.000Z" },
  ]);
  const found = async (query: string): Promise<string> =>
    (await search(t.store, request(query))).rows.map(({ id }) => id).join();
  assert.equal(await found("retry since:2025"), "H-new");
  assert.equal(await found("retry NOT since:2025"), "H-old");
  assert.equal(await found("retry NOT until:2025"), "H-new");
  assert.equal(await found("retry NOT since:2024-05-01T10:00:00.000Z"), "");
  assert.equal(await found("retry NOT until:2024-05-01T10:00:00.000Z"), "H-new");
  assert.equal(await found("retry NOT scope:docs"), "H-new,H-old");
  assert.equal(await found("retry NOT scope:archive"), "H-new,H-old");
  assert.equal(await found("retry NOT scope:hot"), "");
});

Deno.test("search() puts rows that hold a phrase first, page by page, and explains it", async () => {
  const filler = Array.from({ length: 120 }, (_, i) => ({
    id: `H-f${i}`,
    text: i % 2 === 0 ? `loop and retry, retry and loop: budget of the retry ${i}` : `note ${i}`,
  }));
  const long = "words about something else altogether ".repeat(40);
  await using t = new SearchStore([
    { id: "H-low", text: `${long} a Retry-Loop ${long}` },
    ...filler,
    { id: "H-both", text: `${long} one retry loop, its outer budget ${long}` },
    { id: "H-old", text: "the retry loop budget" },
    { id: "H-new", text: "the budget of retry and loop", supersedes: "H-old" },
  ]);
  const query = 'retry budget "retry loop" "outer budget"';
  const { rows } = await search(t.store, request(query, { k: 50, explain: true }));
  assert.deepEqual(rows.slice(0, 2).map(({ id }) => id), ["H-both", "H-low"]);
  const lifts = rows.slice(0, 3).map(({ explain }) =>
    explain?.steps.find(({ name }) => name === "phrase")?.value
  );
  assert.ok(lifts[1] !== undefined && lifts[1] > 0);
  assert.deepEqual(lifts, [2 * lifts[1], lifts[1], undefined]);
  assert.ok(rows[1].score_final > rows[2].score_final);
  const pages: string[] = [];
  for (let offset = 0; offset < 50; offset += 7) {
    pages.push(...await ids(t, query, { k: 7, offset }));
  }
  assert.deepEqual(pages.slice(0, 50), rows.map(({ id }) => id));
  const all = await ids(t, query, { k: 100 });
  assert.ok(all.indexOf("H-old") > all.indexOf("H-new") && all.includes("H-new"));
});

Deno.test("search() boosts pins, titles and recent entries within bounds", async () => {
  const text = "the cache policy";
  await using t = new SearchStore([
    { id: "H-a", text, ts: "2025-01-01T00:00:00.000Z" },
    { id: "H-b", text, ts: "2026-01-01T00:00:00.000Z" },
    { id: "H-c", text, title: "cache policy", ts: "2025-01-01T00:00:00.000Z" },
  ]);
  assert.deepEqual(await ids(t, "cache policy"), ["H-c", "H-b", "H-a"]);
  assert.deepEqual(await ids(t, "cache policy", { pins: new Set(["H-a"]) }), ["H-c", "H-a", "H-b"]);
});

Deno.test("search() puts an answer above the question before it", async () => {
  const filler = Array.from({ length: 20 }, (_, i) => ({
    id: `H-f${i}`,
    text: i % 4 === 0 ? `paris note ${i} about something` : `other note ${i}`,
    session_id: "S-f",
    role: "user",
  }));
  await using t = new SearchStore([
    ...filler,
    { id: "H-q", role: "user", session_id: "S-1", text: "Which hotel did you book in Paris?" },
    { id: "H-a", role: "assistant", session_id: "S-1", text: "The Lutetia, in Paris" },
  ]);
  assert.deepEqual(await ids(t, "hotel booked in Paris", { k: 2 }), ["H-a", "H-q"]);
});

Deno.test("search() explains the score of each row", async () => {
  await using t = new SearchStore([
    { id: "H-1", title: "Token rotation", text: "we rotate tokens. tokens expire" },
    { id: "H-2", text: "something else" },
  ]);
  const { rows } = await search(t.store, request("token", { explain: true }));
  const explain = rows[0].explain;
  assert.deepEqual(explain?.terms.map(({ term, df, tf }) => ({ term, df, tf })), [
    { term: "token", df: 1, tf: { title: 1, text: 2 } },
  ]);
  const sum = explain?.terms.reduce((all, { contribution }) => all + contribution, 0) ?? 0;
  assert.ok(Math.abs(sum - rows[0].score_lex) < 1e-5);
});

Deno.test("search() cuts the snippet around the match", async () => {
  const text = "filler words here. ".repeat(200) + "the zanzibar incident " +
    "more words. ".repeat(200);
  await using t = new SearchStore([{ id: "H-1", text }]);
  const { rows } = await search(t.store, request("zanzibar"));
  assert.match(rows[0].snippet, /^….*zanzibar incident.*…$/);
  assert.ok(rows[0].snippet.length <= 310);
});

Deno.test("search() answers hostile queries", async () => {
  await using t = new SearchStore([{ id: "H-1", text: "plain text (a+)+$ [x] \u05d0\u05d1 🙂" }]);
  const queries = [
    "",
    "   ",
    "the of and",
    "!!! ??? ...",
    "(a+)+$ [x",
    "\0",
    "\u202E\u05d0\u05d1",
    "🙂",
    "plain ".repeat(2000),
    Array.from({ length: 1500 }, (_, i) => `word${i}`).join(" "),
    '"' + "a ".repeat(4000),
  ];
  for (const query of queries) {
    const answer = await search(t.store, request(query));
    assert.equal(answer.hits, answer.rows.length, query.slice(0, 20));
  }
  const noteOf = async (query: string) => (await search(t.store, request(query))).notes[0];
  assert.match(await noteOf("the of and"), /no words to search for: only common words/);
  assert.match(await noteOf("role:user"), /no words to search for: only filters \(ctx records/);
});

Deno.test("search() gives the same answer however rows are spread over the pools", async () => {
  const word = fc.constantFrom("auth", "token", "cache", "deploy", "retry", "日本", "userStore");
  const row = fc.record({
    text: fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")),
    title: fc.option(word, { nil: undefined }),
    session_id: fc.constantFrom("S-1", "S-2"),
    role: fc.constantFrom("user", "assistant", "tool"),
    ts: fc.integer({ min: 0, max: 3 }).map((day) => `2026-01-0${day + 1}T00:00:00.000Z`),
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(rows, word, fc.nat(25), async (drafts, query, cut) => {
      const named = drafts.map((draft, i) => ({ ...draft, id: `H-${i}` }));
      await using one = new SearchStore(named);
      await using two = new SearchStore(named.slice(cut), named.slice(0, cut));
      const answers = await Promise.all(
        [one, two].map(async (t) => {
          const answer = await search(t.store, request(query, { k: 50 }));
          return t.placeless(answer.rows).map(({ pool: _pool, ...rest }) => rest);
        }),
      );
      assert.deepEqual(answers[0], answers[1]);
    }),
    { numRuns: 40, seed: 7 },
  );
});
