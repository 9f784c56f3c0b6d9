// Traces as commands: every retrieval leaves one, and a search can be replayed.

import assert from "node:assert/strict";
import { tempStore } from "../../support/stores/temp_store.ts";

interface TraceList {
  total: number;
  traces: { trace_id: string; command: string; ok: boolean; error?: { code: string } }[];
}

interface Traced {
  trace: { query: string };
  explained?: { id: string; explain: { terms: unknown[] } }[];
  replay?: { identical: boolean; rows: { id: string; change: string; reason?: string }[] };
}

const entries = [
  { id: "H-1", text: "rotate the refresh token" },
  { id: "H-2", text: "the token expires after 15 minutes" },
  { id: "H-3", text: "deploy on Friday" },
];

Deno.test("search, get and timeline leave traces, failures too", async () => {
  await using t = await tempStore({ entries });
  await t.run("search", { query: "token" });
  await t.run("get", { ids: ["H-1"] });
  await t.run("timeline", { id: "H-1" });
  await t.run("timeline", { id: "H-none" }).catch(() => {});
  const { traces } = await t.run<TraceList>("traces");
  assert.deepEqual(traces.map(({ command, ok, error }) => [command, ok, error?.code]), [
    ["search", true, undefined],
    ["get", true, undefined],
    ["timeline", true, undefined],
    ["timeline", false, "NOT_FOUND"],
  ]);
});

Deno.test("a trace says what was searched, under which caps, what was cut, and what rows are about", async () => {
  const key = "ghp_" + "a1B2".repeat(9);
  const long = `${"word ".repeat(20)}token=${key} ${"and so on ".repeat(400)}the end`;
  await using t = await tempStore({
    entries: [{ id: "H-1", text: long }, { id: "H-2", text: "token two" }],
    archive: [{ id: "H-3", text: "token three" }],
  });
  await t.run("search", { query: "token", mode: "lexical", budget: 2000 });
  await t.run("timeline", { id: "H-1", session: "all" });
  await t.run("get", { ids: ["H-1"], head: 40 });
  await t.run("get", { ids: ["H-2"] });
  const { traces } = await t.run<{ traces: Record<string, unknown>[] }>("traces");
  const pools = { hot: 2, archive: 1 };
  assert.deepEqual(traces.map(({ inputs, budgets, truncation }) => [inputs, budgets, truncation]), [
    [
      { ...pools, entries: 3 },
      { k: 50, summary_chars: 160, snippet_chars: 300, tokens: 2000 },
      { rows: 0, summaries: 1 },
    ],
    [pools, { entries: 50, summary_chars: 160 }, { rows: 0, summaries: 1 }],
    [pools, { head: 40 }, { texts: ["H-1"], missing: [], skipped_ids: [] }],
    [pools, { head: 1200 }, undefined],
  ]);
  const rows = traces[0].ranking as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ id, pool, summary }) => [id, pool, summary]).sort(),
    [
      ["H-1", "hot", `${"word ".repeat(20).trim()}…`],
      ["H-2", "hot", "token two"],
      ["H-3", "archive", "token three"],
    ],
  );
  assert.doesNotMatch(t.read("retrieval.traces.ndjson"), /ghp_|the end/);
});

Deno.test("traces does not count the rows of what ranks nothing", async () => {
  await using t = await tempStore({ entries: [{ text: "token rotation" }] });
  for (const words of [["pack"], ["search", "rotation"], ["search", "zzz"]]) await t.ctx(words);
  const { stdout } = await t.shown(["traces"]);
  const outcomes = stdout.trim().split("\n").map((line) => line.split(/ {2,}/)[3].trim());
  assert.deepEqual(outcomes, ["done", "1 row", "0 rows"]);
});

Deno.test("a replay is identical on the same store and a diff on a changed one", async () => {
  await using t = await tempStore({ entries });
  await t.run("search", { query: "token" });
  const { traces } = await t.run<TraceList>("traces");
  const id = traces[0].trace_id;
  const same = await t.run<Traced>("trace", { id, replay: true });
  assert.equal(same.replay?.identical, true);
  await t.run("save", { text: "a token is a token: the token decision" });
  const changed = await t.run<Traced>("trace", { id, replay: true });
  assert.equal(changed.replay?.identical, false);
  const changes = changed.replay?.rows.map(({ change }) => change).sort();
  assert.deepEqual(changes, ["new", "rescored", "rescored"]);
});

Deno.test("a trace explains the scores, and unknown traces are not found", async () => {
  await using t = await tempStore({ entries });
  await t.run("search", { query: "token" });
  const { traces } = await t.run<TraceList>("traces", { tail: 1 });
  const { explained } = await t.run<Traced>("trace", { id: traces[0].trace_id, explain: true });
  assert.equal(explained?.length, 2);
  assert.equal(explained?.[0].explain.terms.length, 1);
  await assert.rejects(() => t.run("trace", { id: "T-none" }), { code: "NOT_FOUND" });
});

Deno.test("reindex builds an index that searches use, with the same rows", async () => {
  await using t = await tempStore({ entries });
  interface Found {
    results: { id: string }[];
    retrieval: { engine: string; branch: string };
  }
  const before = await t.run<Found>("search", { query: "token", mode: "lexical" });
  assert.equal(before.retrieval.engine, "scan");
  const made = await t.run<{ rows: number; vectors: string }>("reindex", { full: true });
  assert.deepEqual([made.rows, made.vectors], [3, "local"]);
  const after = await t.run<Found>("search", { query: "token", mode: "lexical" });
  assert.equal(after.retrieval.engine, "index");
  assert.deepEqual(after.results, before.results);
  const hybrid = await t.run<Found>("search", { query: "token" });
  assert.equal(hybrid.retrieval.branch, "hybrid");
});
