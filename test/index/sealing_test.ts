// Rows are sealed once, soon after they came: by the writes that bring them, or by the first search that
// meets what another program appended.

import assert from "node:assert/strict";
import { findDueRun, type Mergeable } from "../../src/index/segment/merge_policy.ts";
import type { SegmentRecord } from "../../src/index/manifest.ts";
import { takeLock } from "../../src/disk/lock.ts";
import { type TempStore, tempStore, toLog } from "../support/stores/temp_store.ts";

const rows = Array.from(
  { length: 30 },
  (_, i) => `row ${i} about tides ${"and weather ".repeat(20)}`,
);

Deno.test("a few saves are sealed together, with their vectors, and never wait long", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  const most: number[] = [];
  for (let i = 0; i < 20; i++) {
    await t.run("save", { text: `saved ${i}: ${"the harbour freezes in winter ".repeat(10)}` });
    most.push(t.bytes("history.ndjson").length - manifestOf(t).covered.hot);
  }
  assert.ok(Math.max(...most) < 2048, `${most}`);
  assert.ok(most.some((bytes) => bytes > 0), "every save was sealed by itself");
  const { segments } = manifestOf(t);
  assert.ok(segments.every(({ vectors }) => vectors !== undefined));
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("the first search of what another program appended seals it, and answers the same after", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  t.append("history.ndjson", toLog(rows.map((text) => `${text} from elsewhere`), "T"));
  const ask = async () => JSON.parse((await t.ctx(["search", "elsewhere tides", "--json"])).stdout);
  const first = await ask();
  assert.ok(first.retrieval.index.tail_bytes > 2048);
  const { segments, covered } = manifestOf(t);
  assert.equal(covered.hot, t.bytes("history.ndjson").length);
  assert.ok(segments.every(({ vectors }) => vectors !== undefined));
  const second = await ask();
  assert.equal(second.retrieval.index.tail_bytes, 0);
  assert.deepEqual(second.results, first.results);
  assert.equal(second.total, first.total);
});

Deno.test("a search leaves a store without an index, or that somebody else writes, as it is", async () => {
  await using t = await tempStore({ entries: rows });
  await t.ctx(["search", "tides"]);
  assert.equal(t.exists("index/manifest.json"), false);
  await t.run("reindex");
  t.append("history.ndjson", toLog(rows, "T"));
  const before = t.read("index/manifest.json");
  const holder = { pid: Deno.pid, command: "test", since: new Date(0).toISOString() };
  using _lock = await takeLock(t.path(".lock"), { holder, timeoutMs: 0 });
  const { code, stdout, stderr } = await t.ctx(["search", "tides"]);
  assert.equal(code, 0);
  assert.match(stdout, /tides/);
  assert.equal(stderr.includes("warning"), false, stderr);
  assert.equal(t.read("index/manifest.json"), before);
});

Deno.test("few rows are merged with each other, not into a large segment again and again", () => {
  const pieces = (...sizes: number[]): Mergeable[] => sizes.map((rows) => ({ segment: { rows } }));
  const due = (found: Mergeable[], crowded = false): number[] | undefined =>
    findDueRun(found, { maxRows: 4096, purge: false, crowded })?.map(({ segment }) => segment.rows);
  assert.deepEqual(due(pieces(3000, 5, 5, 5)), undefined);
  assert.deepEqual(due(pieces(936, 1164, 9, 9)), undefined);
  assert.deepEqual(due(pieces(3000, 5, 5, 5, 5)), [5, 5, 5, 5]);
  assert.deepEqual(due(pieces(900, 800, 700, 600)), [900, 800, 700, 600]);
  assert.deepEqual(due(pieces(3000, 5, 5, 5), true), [3000, 5, 5, 5]);
});

interface Sealed {
  covered: { hot: number };
  segments: Pick<SegmentRecord, "rows" | "vectors" | "dead" | "live">[];
}

function manifestOf(t: TempStore): Sealed {
  return JSON.parse(t.read("index/manifest.json")).manifest;
}

Deno.test("the manifest keeps the sums over rows that count, and a search that finds nothing tells them", async () => {
  const day = (i: number): string => new Date(Date.UTC(2026, 0, i + 1)).toISOString();
  const entries = rows.map((text, i) => ({ id: `H-${i}`, ts: day(i), text }));
  await using t = await tempStore({ entries });
  await t.run("reindex");
  const added = [{ id: "H-new", ts: day(40), text: rows.join() }, { ...entries[0], ts: day(50) }];
  t.append("history.ndjson", toLog(added));
  assert.equal((await t.ctx(["search", "weather"])).code, 0);
  const { dead, live } = manifestOf(t).segments[1];
  assert.deepEqual([dead, live?.entries, live?.newestMs], [[1], 1, Date.parse(day(40))]);
  const { retrieval } = JSON.parse((await t.ctx(["search", "zebra", "--json"])).stdout);
  const { coverage } = retrieval;
  assert.deepEqual(
    [coverage.entries, coverage.first_ts, coverage.last_ts],
    [rows.length + 1, day(0), day(40)],
  );
});

Deno.test("what a hook leaves for later seals the few rows of a turn, so that no search indexes them", async () => {
  await using t = await tempStore({ entries: rows });
  await t.run("reindex");
  t.append("history.ndjson", toLog(["a short one"], "T"));
  const left = { workspace: t.workspace, agent: "claude-code", moment: "turn" };
  const { code, stderr } = await t.ctx(["hook", "follow", JSON.stringify(left)]);
  assert.equal(code, 0, stderr);
  assert.equal(manifestOf(t).covered.hot, t.bytes("history.ndjson").length);
});
