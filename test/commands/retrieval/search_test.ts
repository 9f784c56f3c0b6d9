// `ctx search` as a process: bad options, nothing found, words in every script and spelling.

import assert from "node:assert/strict";
import { mergeFacets } from "../../../src/search/facets.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const memory = {
  archive: [{ text: "The old billing service used cron" }],
  entries: [
    { text: "renamed getSessionToken in the handler", session_id: "S-1" },
    { text: "call refresh_access_grant before the request" },
    { text: "see src/queue/worker_pool.ts for the retry loop" },
    { text: "決定：検索は日本語に対応する。丸の内の倉庫" },
    { text: "我们决定使用缓存来加速查询" },
    { text: "한국어 검색을 지원합니다" },
  ],
};

const refusals: [string[], string][] = [
  [
    ["--scope", "bogus"],
    '"scope" must be one of all, history, hot, archive, docs, chat, not "bogus"',
  ],
  [["--k", "0"], '"k" must be a whole number from 1 to 50, not 0'],
  [["--k", "51"], '"k" must be a whole number from 1 to 50, not 51'],
  [["--k", "x"], '"k" must be a whole number from 1 to 50, not "x"'],
  [["--k", "2.5"], '"k" must be a whole number from 1 to 50, not 2.5'],
  [["--offset", "-1"], '"offset" must be a whole number, 0 or more, not -1'],
  [["--mode", "psychic"], '"mode" must be one of auto, lexical, vector, hybrid, not "psychic"'],
];
for (const [words, complaint] of refusals) {
  Deno.test(`search ${words.join(" ")} is refused the same way as text and under --json`, async () => {
    await using t = await tempStore(memory);
    const message = `Cannot run search: ${complaint}`;
    const hint = "ctx search --help";
    const asText = await t.ctx(["search", "token", ...words]);
    assert.deepEqual([asText.code, asText.stdout, asText.stderr], [
      2,
      "",
      `ctx: ${message}\nhint: ${hint}\n`,
    ]);
    const asJson = await t.ctx(["search", "token", "--json", ...words]);
    const error = { code: "USAGE", message, hint, retryable: false };
    assert.deepEqual([asJson.code, asJson.stdout, JSON.parse(asJson.stderr)], [2, "", { error }]);
  });
}

Deno.test("an unrelated query finds nothing, exits 0 and says what was searched", async () => {
  await using t = await tempStore(memory);
  const { code, stdout, stderr } = await t.ctx(["search", "volcanic eruption forecast"]);
  assert.equal(code, 0);
  assert.match(stdout + stderr, /7 entries/);
  const json = JSON.parse((await t.ctx(["search", "volcanic eruption", "--json"])).stdout);
  assert.deepEqual([json.hits, json.total, json.results], [0, 0, []]);
  assert.equal(json.retrieval.coverage.entries, 7);
});

const finds: [string, string][] = [
  ["getSessionToken", "H-H1"],
  ["session token", "H-H1"],
  ["get_session_token", "H-H1"],
  ["refreshAccessGrant", "H-H2"],
  ["access grant", "H-H2"],
  ["src/queue/worker_pool.ts", "H-H3"],
  ["worker_pool", "H-H3"],
  ["WorkerPool", "H-H3"],
  ["検索", "H-H4"],
  ["丸の内", "H-H4"],
  ["缓存", "H-H5"],
  ["검색", "H-H6"],
  ["billing cron", "H-A1"],
];
for (const [query, id] of finds) {
  Deno.test(`search finds ${id} by ${query}`, async () => {
    await using t = await tempStore(memory);
    const { results } = await t.run<{ results: { id: string }[] }>("search", { query });
    assert.equal(results[0]?.id, id);
  });
}

Deno.test("search by scope and session acts before the cut", async () => {
  const rows = Array.from(
    { length: 30 },
    (_, n) => ({ text: `deploy pipeline ${n}`, session_id: "S-a" }),
  );
  await using t = await tempStore({
    entries: [...rows, {
      text: "deploy pipeline once, among many other words here",
      session_id: "S-b",
    }],
    archive: [{ text: "deploy pipeline in the archive, long ago and far away" }],
  });
  const ids = async (input: object): Promise<string[]> => {
    const found = await t.run<{ results: { id: string }[] }>("search", {
      query: "deploy",
      k: 1,
      ...input,
    });
    return found.results.map(({ id }) => id);
  };
  assert.deepEqual(await ids({ session: "S-b" }), ["H-H31"]);
  assert.deepEqual(await ids({ scope: "archive" }), ["H-A1"]);
});

Deno.test("the same search gives the same bytes every time", async () => {
  await using t = await tempStore(memory);
  const words = ["search", "session token 検索", "--json", "--k", "50"];
  const [first, second] = await Promise.all([t.ctx(words), t.ctx(words)]);
  assert.equal(first.stdout, second.stdout);
  assert.ok(JSON.parse(first.stdout).hits > 1, first.stdout);
});

Deno.test("embedder.kind none holds at once: vectors that are there count no more, and go", async () => {
  await using t = await tempStore(memory);
  const searched = async (mode: string) => {
    const input = { query: "session token", mode };
    const { retrieval } = await t.run<{ retrieval: { branch: string; notes: string[] } }>(
      "search",
      input,
    );
    const [trace] = (await t.run<{ traces: { branch: string }[] }>("traces", { tail: 1 })).traces;
    assert.equal(trace.branch, retrieval.branch);
    return [retrieval.branch, ...retrieval.notes];
  };
  const vectors = (): string[] =>
    [...Deno.readDirSync(`${t.root}/index`)].map(({ name }) => name).filter((name) =>
      name.endsWith(".vec")
    );
  await t.run("reindex");
  assert.ok(
    vectors().length > 0,
    [...Deno.readDirSync(`${t.root}/index`)].map((f) => f.name).join(),
  );
  assert.deepEqual(await searched("auto"), ["hybrid"]);
  t.write("config.jsonc", '{ "embedder": { "kind": "none" } }');
  assert.deepEqual(await searched("auto"), ["lexical"]);
  assert.deepEqual(await searched("vector"), [
    "lexical",
    "embedder.kind is none: searched by words only; for vectors: ctx config set embedder.kind local",
  ]);
  assert.equal((await t.run("reindex")).vectors, null);
  assert.deepEqual(vectors(), []);
  t.write("config.jsonc", "{}");
  await t.run("reindex");
  assert.deepEqual(await searched("auto"), ["hybrid"]);
});

Deno.test("what was indexed without vectors gets them from a plain reindex", async () => {
  await using t = await tempStore(memory);
  const branch = async (): Promise<string> => {
    const { stdout } = await t.ctx(["search", "session token", "--json"]);
    return JSON.parse(stdout).retrieval.branch;
  };
  await t.ctx(["config", "set", "embedder.kind", "none"]);
  assert.equal((await t.ctx(["reindex"])).code, 0);
  assert.equal(await branch(), "lexical");
  await t.ctx(["config", "set", "embedder.kind", "local"]);
  assert.match((await t.ctx(["reindex"])).stdout, /vectors by local/);
  assert.equal(await branch(), "hybrid");
});

Deno.test("a search that finds nothing is short beside a very long random word", async () => {
  let seed = 1;
  const letter = (): string => {
    seed = (seed * 48271) % 0x7fffffff;
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[seed % 52];
  };
  const blob = Array.from({ length: 300_000 }, letter).join("");
  await using t = await tempStore({ entries: [blob, "the wordless answer"] });
  const found = await t.ctx(["search", "wordlesz", "--mode", "lexical"]);
  assert.match(found.stdout + found.stderr, /wordless\b/);
  const { stdout, stderr } = await t.ctx(["search", "wqjz", "--mode", "lexical"]);
  assert.match(stderr, /^No results for/);
  assert.ok((stdout + stderr).length < 500, "a blob is printed");
});

interface Explained {
  terms: { term: string; df: number; idf: number; contribution: number }[];
  context: number;
  matched_share: number;
  floor: number;
  steps: { name: string; op: string; value: number }[];
  score: number;
}

Deno.test("search --explain shows under each row all that made its score", async () => {
  await using t = await tempStore({
    entries: [
      { text: "how do we rotate session tokens", session_id: "S-1", role: "user" },
      {
        text: "renamed getSessionToken so that sessions rotate the token",
        title: "Token rotation",
        session_id: "S-1",
        role: "assistant",
      },
      { text: "the token of the billing service", session_id: "S-2" },
    ],
    files: { "pins.md": "- [H-H2] Token rotation\n" },
  });
  type Found = { id: string; score_final: number; explain: Omit<Explained, "score"> };
  const find = async (...words: string[]): Promise<[string, Map<string, Explained>]> => {
    const argv = ["search", "getSessionToken rotation", "--explain", ...words];
    const env = { CTX_SESSION: "S-2" };
    const { results } = JSON.parse((await t.ctx([...argv, "--json"], { env })).stdout);
    const explained = results.map(({ id, score_final: score, explain }: Found) =>
      [id, { ...explain, score }] as const
    );
    return [(await t.ctx(argv, { env })).stdout, new Map(explained)];
  };
  const three = (value: number): string => value.toFixed(3);
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
  const stepsOf = ({ steps, score }: Explained): string =>
    [...steps.map(({ name, op, value }) => `${op} ${name} ${three(value)}`), `= ${three(score)}`]
      .join(" ").slice(2);

  const [text, explained] = await find("--mode", "hybrid");
  const pinned = explained.get("H-H2")!;
  const row = text.split("\n\n2. ")[0].split("\n").slice(1);
  assert.deepEqual(row.slice(0, 3), [
    "   Token rotation",
    "   renamed getSessionToken so that sessions rotate the token",
    "   #2 how do we rotate session tokens",
  ]);
  const found = ["text×1", "text×2", "title×1 text×2", "text×1", "title×1 text×1"];
  const terms = ["get", "session", "token", "getsessiontoken (whole)", "rotat"];
  assert.deepEqual(row.slice(3).map((line) => line.trim().split(/ {2,}/)), [
    ["term", "in", "entries", "idf", "adds"],
    ...pinned.terms.map(({ df, idf, contribution }, i) => [
      terms[i],
      found[i],
      String(df),
      three(idf),
      three(contribution),
    ]),
    [`matches ${percent(pinned.matched_share)} of the query (floor ${percent(pinned.floor)})`],
    ...row.slice(10).map((line) => [line.trim()]),
  ]);
  assert.ok(row.slice(3).every((line) => line.startsWith("     ") && line.length <= 80));
  const idle =
    "× 1.000: session superseded saved record timed bare announcement times length echo stale";
  assert.equal(row.slice(10).map((line) => line.trim()).join(" "), `${stepsOf(pinned)} ${idle}`);
  const names =
    "words context ideal vector fusion recency pin later session+best exchange+best session+share beside";
  assert.deepEqual(pinned.steps.map(({ name }) => name.replace(" ", "+")).join(" "), names);

  const [lexical, alone] = await find("--mode", "lexical");
  const own = alone.get("H-H3")!;
  assert.equal(own.context, 0);
  const shown = lexical.split("H-H3")[1].split("\n").map((line) => line.trim()).join(" ");
  assert.ok(shown.includes(stepsOf(own)), shown);
  assert.ok(!lexical.includes("vector"));
});

Deno.test("search --facets counts all matches by property, whatever the page and the filters show", async () => {
  const entries = Array.from({ length: 30 }, (_, i) => ({
    text: `the cache of shard ${i}`,
    session_id: `S-${i % 12}`,
    type: i % 3 === 0 ? "decision" : "note",
    tags: i % 2 === 0 ? ["Ops", "db"] : [],
  }));
  await using t = await tempStore({ entries, archive: [{ text: "an older cache" }] });
  const find = async (...words: string[]) =>
    JSON.parse((await t.ctx(["search", "cache", "--k", "1", "--json", ...words])).stdout);
  for (const step of ["without an index", "with one"]) {
    const { total, facets } = await find("--facets", "session, type,tag,pool");
    assert.equal(total, 31, step);
    assert.deepEqual(Object.keys(facets), ["session", "type", "tag", "pool"]);
    assert.equal(facets.session.count, 13);
    assert.equal(Object.keys(facets.session.values).length, 10);
    assert.deepEqual(facets.type, { count: 2, values: { note: 21, decision: 10 } });
    assert.deepEqual(facets.tag, { count: 2, values: { ops: 15, db: 15 } });
    assert.deepEqual(facets.pool.values, { hot: 30, archive: 1 });
    const filtered = await find("--facets", "type", "--session", "S-0", "--scope", "hot");
    assert.deepEqual(filtered.facets.type, { count: 1, values: { decision: 3 } });
    assert.deepEqual(Object.keys(facets.session.values).slice(0, 2), ["S-5", "S-4"]);
    for (const query of ['cache +"older cache"', "cache NOT shard", 'cache -"shard 3"']) {
      const found = JSON.parse(
        (await t.ctx(["search", query, "--json", "--facets", "pool"])).stdout,
      );
      const counted = Object.values<number>(found.facets.pool.values);
      assert.equal(counted.reduce((sum, rows) => sum + rows, 0), found.total, query);
      assert.ok(found.total > 0 && found.total < 31, query);
    }
    await t.ctx(["reindex"]);
  }
  const { stdout } = await t.ctx(["search", "cache", "--k", "1", "--facets", "type,session"]);
  assert.match(
    stdout,
    /\ntype: note 21 · decision 10\nsession: S-\d+ \d.* · 3 more\n31 entries found/,
  );
  assert.equal("facets" in await find(), false);
  const wrong = await t.ctx(["search", "cache", "--facets", "typ"]);
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /Cannot count by "typ".*did you mean "type"/);
});

Deno.test("search --facets counts a value named like a member of every object, in two stores too", async () => {
  await using t = await tempStore({
    entries: [1, 2].map(() => ({ text: "a zebra", type: "constructor", tags: ["constructor"] })),
  });
  const { facets } = JSON.parse(
    (await t.ctx(["search", "zebra", "--facets", "type,tag", "--json"])).stdout,
  );
  const counts = (rows: number) => ({ count: 1, values: { constructor: rows } });
  assert.deepEqual(facets, { type: counts(2), tag: counts(2) });
  const none = { tag: { count: 1, values: { ops: 1 } } };
  assert.deepEqual(mergeFacets(none, facets).tag.values, { ops: 1, constructor: 2 });
});
