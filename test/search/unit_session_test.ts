// `--unit session`: the ranking with one row of each session, on every surface.

import assert from "node:assert/strict";
import fc from "fast-check";
import { catchUp } from "../../src/index/catch_up.ts";
import { openLocalEmbedder } from "../../src/index/vectors/embedder_local.ts";
import type { SearchRow } from "../../src/search/row_shape.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { request, SearchStore } from "../support/stores/search_store.ts";
import { startServer } from "../support/processes/start_server.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const word = fc.constantFrom("cache", "token", "retry", "deploy", "日本", "the");
const row = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" ")),
  session_id: fc.option(fc.nat(20).map((n) => `S-${n}`), { nil: undefined, freq: 6 }),
  role: fc.constantFrom("user", "assistant", "tool"),
  type: fc.constantFrom("turn", "turn", "decision"),
  ts: fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00.000Z`),
  supersedes: fc.option(fc.nat(90).map((n) => `H-${n}`), { nil: undefined, freq: 8 }),
});

Deno.test("groups are the ranking with the best row of each session, whatever the page", async () => {
  const property = fc.asyncProperty(
    fc.array(row, { minLength: 1, maxLength: 120 }),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
    fc.constantFrom("lexical", "vector", "hybrid"),
    fc.constantFrom(undefined, "turn"),
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    async (drawn, query, mode, type, isIndexed, k) => {
      await using t = new SearchStore(drawn.map((draft, i) => ({ ...draft, id: `H-${i}` })));
      const embedder = openLocalEmbedder({ whole: true });
      if (isIndexed) await catchUp(t.store, { sealBytes: 1, embedder });
      const find = (rest: object) =>
        search(t.store, request(query, { mode, type, ...rest }), { isLocal: true });
      const all = await find({ k: 1000 });
      const expected = groupRows(all.rows);
      const found: SearchRow[] = [];
      for (let offset = 0; offset === 0 || offset < expected.length; offset += k) {
        const page = await find({ k, offset, unit: "session" });
        assert.deepEqual([page.total, page.matches], [expected.length, all.total]);
        found.push(...page.rows);
      }
      assert.deepEqual(found, expected);
      closeIndex(t.store);
    },
  );
  await fc.assert(property, { numRuns: 60, seed: 8 });
});

function groupRows(rows: SearchRow[]): SearchRow[] {
  const seen = new Map<string, SearchRow>();
  for (const row of rows) {
    const group = row.session_id ?? row.id;
    const best = seen.get(group);
    if (best === undefined) seen.set(group, { ...row });
    else best.more_in_session = (best.more_in_session ?? 0) + 1;
  }
  return [...seen.values()].map(({ more_in_session, estimated_tokens, ...row }) => ({
    ...row,
    ...(more_in_session ? { more_in_session } : {}),
    estimated_tokens,
  }));
}

const entries = [
  ...Array.from({ length: 9 }, (_, i) => ({
    text: `the cache of shard ${i} is cold`,
    session_id: `S-${i % 2}`,
    type: i % 3 === 0 ? "decision" : "turn",
  })),
  { text: "a cache that stands alone" },
  { text: "and one more cache" },
];

interface Found {
  total: number;
  matches: number;
  results: { id: string; session_id?: string; more_in_session?: number }[];
  facets?: Record<string, { count: number; values: Record<string, number> }>;
}

const facets = {
  session: { count: 3, values: { "S-0": 5, "S-1": 4, "": 2 } },
  type: { count: 3, values: { turn: 6, decision: 3, note: 2 } },
};

Deno.test("search --unit session shows the best row of each session, and facets of all rows", async () => {
  await using t = await tempStore({ entries });
  for (const step of ["without an index", "with one"]) {
    const { stdout } = await t.shown(["search", "cache", "--unit", "session", "--k", "3"]);
    assert.match(stdout, /^\d\. .* H-\w+ .* · \+[34] in this session\n.*\n.* S-[01]$/m, step);
    assert.equal(stdout.match(/in this session/g)?.length, 2);
    assert.match(stdout, /^4 groups of 11 entries · more: --offset 3 · read one: ctx get ID$/m);
    const argv = ["search", "cache", "--unit", "session", "--facets", "session,type", "--json"];
    const found: Found = JSON.parse((await t.ctx(argv)).stdout);
    assert.deepEqual([found.total, found.matches, found.results.length], [4, 11, 4]);
    assert.deepEqual(found.results.map((row) => row.more_in_session ?? 0).sort(), [0, 0, 3, 4]);
    assert.deepEqual(normal(found.facets), normal(facets));
    const last: Found = JSON.parse((await t.ctx([...argv, "--offset", "3"])).stdout);
    assert.deepEqual(last.results.map(({ id }) => id), [found.results[3].id]);
    assert.deepEqual(normal(last.facets), normal(facets));
    await t.ctx(["reindex"]);
  }
  const { code, stderr } = await t.ctx(["search", "cache", "--unit", "sesion"]);
  assert.equal(code, 2);
  assert.match(stderr, /session/);
});

Deno.test("groups and facets are the same over MCP, behind the marker, and over HTTP", async () => {
  await using t = await tempStore({ entries });
  const input = { query: "cache", unit: "session", facets: "session,type" };
  await using mcp = await connectMcp(t.workspace);
  const { data, text } = await mcp.call("search", input);
  assert.deepEqual([data.total, data.matches], [4, 11]);
  const more = (found: Found) => found.results.map((row) => row.more_in_session ?? 0).sort();
  assert.deepEqual(more(data), [0, 0, 3, 4]);
  assert.deepEqual(normal(data.facets), normal(facets));
  const [head, ...rows] = text.split("\n");
  assert.match(head, /total: 4; matches: 11/);
  assert.ok(!head.includes("S-0"), "values of facets are stored text");
  assert.match(rows.join("\n"), /more_in_session: 4/);
  assert.match(rows.join("\n"), /S-0/);

  await using server = await startServer(t.workspace);
  const argv = ["search", "cache", "--unit", "session", "--facets", "session,type", "--json"];
  const { stdout } = await t.ctx(argv);
  assert.equal(await (await server.post("/api/search", input)).text(), stdout);
  const query = new URLSearchParams(input);
  assert.equal(await (await server.get(`/api/search?${query}`)).text(), stdout);
});

/** Values of equal counts come in the order in which they were met. */
function normal(facets: Found["facets"]): unknown {
  return Object.entries(facets ?? {}).map(([name, { count, values }]) =>
    [name, count, Object.entries(values).sort()] as const
  );
}
