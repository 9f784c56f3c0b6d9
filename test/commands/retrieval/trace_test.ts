// Traces as commands: every retrieval leaves one, and a search can be replayed.

import assert from "node:assert/strict";
import { tempStore } from "../../support/temp_store.ts";

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

Deno.test("search, get and timeline leave traces, failures too, without any text", async () => {
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
  assert.ok(!t.read("retrieval.traces.ndjson").includes("expires"));
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
