// A filter is one fact with two spellings: a flag of `search` and `field:value` in its query. Both
// must find the same rows, and so must the flags of other commands that mean the same time.

import assert from "node:assert/strict";
import { search } from "../../../src/commands/retrieval/search.ts";
import { sessions } from "../../../src/commands/sessions/sessions.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { type QueryField, queryFields } from "../../../src/search/query.ts";
import { type TempStore, tempStore, toLog } from "../../support/stores/temp_store.ts";

/** The parameters of `search` that leave out no row that was asked for. */
const noFilters = [
  "fresh",
  "query",
  "k",
  "offset",
  "mode",
  "global",
  "all_projects",
  "mine",
  "include_current",
  "include_thinking",
  "exact",
  "explain",
  "facets",
  "marks",
  "typing",
  "all_copies",
  "unit",
  "budget",
];

/** Filters that are asked of the sessions before the search: rows of the index do not hold them. */
const ofSessions = ["model"];

/** Values that some rows have, and others have not. */
const values: Record<QueryField, string[]> = {
  session: ["S-1", "S-1,S-2"],
  role: ["user", "user,note"],
  type: ["decision", "doc"],
  source: ["codex"],
  project: ["/work/one", "one"],
  branch: ["main", "ma*"],
  file: ["auth.ts", "src/", "src/*.ts"],
  tag: ["ten"],
  collection: ["rules"],
  author: ["ann"],
  since: ["2026-01-01", "2026-01-01T12:00:00.000Z", "2026-01-01T12:00:00+02:00", "1d", "12h"],
  until: ["2026-01-01", "2026-01-01T12:00:00.000Z", "2026-01-01T12:00:00+02:00", "1d", "12h"],
  scope: ["all", "history", "hot", "archive", "docs", "chat"],
};

const entries: Partial<Entry>[] = [
  { ts: "2025-12-31T23:59:59.999Z", session_id: "S-1", role: "user", branch: "main" },
  { ts: "2026-01-01T00:00:00.000Z", session_id: "S-2", type: "decision", tags: ["ten"] },
  { ts: "2026-01-01T10:00:00.000Z", project: "/work/one", files: ["src/auth.ts"] },
  { ts: "2026-01-01T12:00:00.000Z", session_id: "S-3", role: "user" },
  { ts: "2026-01-01T23:59:59.999Z", source: { agent: "codex" }, files: ["lib/auth.ts"] },
  { ts: "2026-01-02T00:00:00.000Z", session_id: "S-1", branch: "master" },
  { type: "doc", collection: "rules" },
];

Deno.test("every filter of search is a flag and a field of the query, and has values here", () => {
  const flags: Record<string, string | undefined> = search.flags ?? {};
  const named = Object.keys(search.input).filter((name) =>
    ![...noFilters, ...ofSessions].includes(name)
  )
    .map((name) => flags[name] ?? name);
  assert.deepEqual(named.sort(), [...queryFields].sort());
  assert.deepEqual(Object.keys(values).sort(), [...queryFields].sort());
});

for (const field of queryFields) {
  Deno.test(`search --${field} finds what ${field}: in the query finds`, async () => {
    await using t = await storeOfAll();
    const find = async (input: Record<string, unknown>): Promise<string[]> => {
      const found = await t.run<{ results: { id: string }[] }>("search", { k: 50, ...input });
      return found.results.map(({ id }) => id);
    };
    const all = await find({ query: "beacon" });
    const counts = new Set<number>();
    for (const value of values[field]) {
      const flag = field === "collection" ? { collections: [value] } : { [field]: value };
      const found = await find({ query: "beacon", ...flag });
      assert.deepEqual(await find({ query: `beacon ${field}:${value}` }), found, value);
      counts.add(found.length);
    }
    assert.ok(counts.size > 1 || !counts.has(all.length), "its values tell rows apart");
  });
}

Deno.test("a date alone includes its day as an upper bound, wherever it is said", async () => {
  await using t = await tempStore({
    entries: ["2026-01-01T00:00:00.000Z", "2026-01-01T23:59:59.999Z", "2026-01-02T00:00:00.000Z"]
      .map((ts, i) => ({ ts, session_id: `S-${i}`, text: "beacon" })),
  });
  const bounds = { "2026-01-01": 2, "2026-01-01T23:59:59.999Z": 2, "2026-01-01T00:00:00Z": 1 };
  for (const [until, total] of Object.entries(bounds)) {
    const listed = await t.run<{ total: number }>("sessions", { until });
    const found = await t.run<{ total: number }>("search", { query: "beacon", until });
    const asked = await t.run<{ total: number }>("search", { query: `beacon until:${until}` });
    assert.deepEqual([listed.total, found.total, asked.total], [total, total, total], until);
  }
});

Deno.test("a time that cannot be read fails alike in a flag and in a query", async () => {
  await using t = await storeOfAll();
  for (const name of ["since", "until"]) {
    const flag = await t.fail("search", { query: "beacon", [name]: "someday" });
    assert.deepEqual(await t.fail("search", { query: `beacon ${name}:someday` }), flag);
    assert.deepEqual(await t.fail(sessions.name, { [name]: "someday" }), flag);
    assert.equal(flag.code, "USAGE");
  }
});

async function storeOfAll(): Promise<TempStore> {
  const t = await tempStore({
    entries: entries.map((fields, i) => ({ text: "the beacon is lit", id: `H-${i}`, ...fields })),
    archive: [{ id: "H-old", text: "an old beacon", session_id: "S-1" }],
  });
  Deno.mkdirSync(t.path("chat"));
  t.write("chat/C-1.ndjson", toLog([{ id: "H-said", text: "we talked of the beacon" }]));
  return t;
}
