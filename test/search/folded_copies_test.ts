// Rows that say the same are shown once, with how many are like it; rows that only resemble are not.

import assert from "node:assert/strict";
import fc from "fast-check";
import { catchUp } from "../../src/index/catch_up.ts";
import { CorpusView } from "../../src/search/corpus_view.ts";
import { CopyKeys, isNear as isNearSaid } from "../../src/search/rank/copy_keys.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex, useIndex } from "../../src/search/use_index.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const long =
  "The exporter writes invoices as Parquet files every night, and the gateway reads them in the " +
  "morning; when a file is missing it waits for an hour and then asks the exporter again.";

const isNear = (a: string, b: string): boolean => isNearSaid({ text: a }, { text: b });

Deno.test("isNear() takes marks, case and a few words more for the same, and nothing else", () => {
  assert.ok(isNear(long, long.toUpperCase().replaceAll(",", "")));
  assert.ok(isNear(long, `Note: **${long}**`));
  for (
    const other of [
      long.replace("an hour", "1 hour"),
      long.replace("Parquet", "CSV"),
      long.replace("waits", "never waits"),
      `Not so: ${long}`,
      `${long} This failed.`,
      `${long} ${long}`,
      long.slice(0, long.length * 0.8),
      long.replace("morning;", "morning; x > y"),
    ]
  ) assert.ok(!isNear(long, other), other);
  assert.ok(!isNear("failed 3", "failed 4"));
  assert.ok(!isNear("東京で会う", "東京で会わない"));
});

const said = (id: string, session_id: string, rest: RowDraft = {}): RowDraft => ({
  id,
  session_id,
  role: "assistant",
  type: "turn",
  text: long,
  ...rest,
});
const edit = (id: string, new_string: string, old_string = ""): RowDraft => ({
  id,
  session_id: "S-5",
  role: "assistant",
  type: "tool_call",
  text: "Edit: src/exporter.ts",
  tool: { name: "Edit", input: { file_path: "src/exporter.ts", old_string, new_string } },
});
const filler = Array.from({ length: 12 }, (_, i) => ({ id: `H-f${i}`, text: `other matter ${i}` }));

async function find(t: SearchStore, query: string, rest: object = {}) {
  return await search(t.store, request(query, { k: 50, fold: true, mode: "lexical", ...rest }));
}

Deno.test("search() folds copies into the best of them, and never what only resembles", async () => {
  await using t = new SearchStore([
    ...filler,
    said("H-1", "S-1"),
    said("H-2", "S-2"),
    said("H-3", "S-3", { text: `So: ${long}` }),
    said("H-other", "S-4", { text: long.replace("hour", "minute") }),
    said("H-record", "S-1", {
      role: "note",
      type: "outcome",
      refs: ["H-1"],
      record: { by: "rules" },
    }),
    said("H-user", "S-6", { role: "user" }),
    said("H-old", "S-7", { role: "note", type: "decision" }),
    said("H-new", "S-7", { role: "note", type: "decision", supersedes: "H-old" }),
    edit("H-e1", "return exporter.parquet()"),
    edit("H-e2", "return exporter.parquet({ wait: true })"),
    edit("H-e3", "return exporter.parquet()"),
    edit("H-e4", "return exporter.parquet()", "return none"),
    edit("H-e5", `return exporter.parquet() ${"x ".repeat(5000)}`),
    edit("H-e6", `return exporter.parquet() ${"x ".repeat(5000)}y`),
  ]);
  const { rows, total, copies } = await find(t, "exporter parquet");
  const shown = rows.map(({ id }) => id);
  const like = new Map(rows.filter((row) => row.like).map(({ id, like }) => [id, like]));
  assert.deepEqual([total, copies, rows.length], [14, 3, 11]);
  assert.equal(like.size, 2);
  const [answer, call] = [...like.entries()].sort(([a], [b]) => a < b ? -1 : 1);
  assert.deepEqual([answer[0], ...answer[1]?.ids ?? []].sort(), ["H-1", "H-2", "H-3"]);
  assert.deepEqual([call[0], ...call[1]?.ids ?? []].sort(), ["H-e1", "H-e3"]);
  for (
    const id of ["H-other", "H-record", "H-user", "H-old", "H-new", "H-e2", "H-e4", "H-e5", "H-e6"]
  ) {
    assert.ok(shown.includes(id), id);
  }
  const all = await find(t, "exporter parquet", { fold: false });
  assert.deepEqual([all.rows.length, all.copies], [14, undefined]);
  // The first of the copies stands where it stood.
  assert.deepEqual(shown, all.rows.map(({ id }) => id).filter((id) => shown.includes(id)));
  closeIndex(t.store);
});

Deno.test("search() keeps a row apart that has one more word of the query", async () => {
  await using t = new SearchStore([
    ...filler,
    said("H-1", "S-1"),
    said("H-2", "S-2", { text: `${long} gladly` }),
  ]);
  assert.equal((await find(t, "exporter parquet")).rows.length, 1);
  assert.equal((await find(t, "exporter parquet gladly")).rows.length, 2);
  closeIndex(t.store);
});

Deno.test("search() looks further where copies take the places of a page", async () => {
  const copies = Array.from({ length: 120 }, (_, i) => said(`H-${i}`, `S-${i}`));
  const text = `${"something else that was said that day ".repeat(20)} exporter`;
  await using t = new SearchStore([...filler, said("H-low", "S-low", { text }), ...copies]);
  const { rows } = await find(t, "exporter parquet", { k: 2 });
  assert.deepEqual(rows.map(({ like }) => like?.count), [119, undefined]);
  assert.equal(rows[1].id, "H-low");
  closeIndex(t.store);
});

const word = fc.constantFrom("cache", "token", "retry");
const row = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" ")),
  session_id: fc.constantFrom("S-1", "S-2", undefined),
  role: fc.constantFrom("user", "assistant"),
  type: fc.constant("turn"),
});

Deno.test("pages of folded rows fit together, whatever their size, with an index and without", async () => {
  const property = fc.asyncProperty(
    fc.array(row, { minLength: 1, maxLength: 150 }),
    fc.integer({ min: 1, max: 9 }),
    async (drawn, k) => {
      await using t = new SearchStore(drawn.map((draft, i) => ({ ...draft, id: `H-${i}` })));
      const pages = async () => {
        const shown: string[] = [];
        const like: string[] = [];
        for (let offset = 0;; offset += k) {
          const { rows, total, copies = 0 } = await find(t, "cache", { k, offset });
          shown.push(...rows.map(({ id }) => id));
          like.push(...rows.flatMap((row) => row.like?.ids ?? []));
          if (offset + rows.length >= total - copies) return { shown, like, total, copies };
          assert.equal(rows.length, k, "a page that is not the last is full");
        }
      };
      const { shown, like, total, copies } = await pages();
      assert.equal(new Set(shown).size, shown.length);
      assert.equal(shown.length + copies, total);
      assert.ok(like.every((id) => !shown.includes(id)));
      await catchUp(t.store, { sealBytes: 1 });
      closeIndex(t.store);
      assert.deepEqual(await pages(), { shown, like, total, copies });
      closeIndex(t.store);
    },
  );
  await fc.assert(property, { numRuns: 30, seed: 3 });
});

Deno.test("folding reads each row once, however far down a page is", async () => {
  const count = 600;
  await using t = new SearchStore(
    Array.from({ length: count }, (_, i) => said(`H-${i}`, "S-1", { text: `${long} ${i % 500}` })),
  );
  const index = useIndex(t.store, () => {});
  await index.load();
  const view = new CorpusView(index, { text: "exporter" });
  let reads = 0;
  const readEntry = (global: number) => (reads++, view.readEntry(global));
  const copies = new CopyKeys({ corpus: view.corpus, readEntry }, count);
  const row = { timeMs: 0, lexical: 1, context: 0, share: 1, source: "lexical", final: 1 } as const;
  const ranked = Array.from({ length: count }, (_, global) => ({ ...row, global }));
  const keys = copies.keysOf(ranked);
  assert.deepEqual([new Set(keys).size, keys[0], keys[500]], [500, 0, 0]);
  assert.ok(reads <= count, `${reads} reads`);
});

Deno.test("copies are one row with a count on the terminal and over MCP; --all-copies shows them", async () => {
  const entries = [
    ...["S-1", "S-2", "S-3", "S-4"].map((session_id) => ({ text: long, session_id })),
    { text: "the exporter has a page in the handbook" },
  ];
  await using t = await tempStore({ entries });
  const { stdout } = await t.shown(["search", "exporter parquet invoices"]);
  assert.match(stdout, /^1\. .*\+3 like it$/m);
  assert.match(stdout, /^1 good, 1 weaker, 3 copies · read one: ctx get ID$/m);
  assert.equal(stdout.match(/^\d\. /gm)?.length, 2);
  const all = await t.shown(["search", "exporter parquet invoices", "--all-copies"]);
  assert.equal(all.stdout.match(/^\d\. /gm)?.length, 5);
  assert.ok(!all.stdout.includes("like it"));
  const { results, facets } = JSON.parse(
    (await t.ctx(["search", "exporter parquet invoices", "--facets", "session", "--json"])).stdout,
  );
  assert.deepEqual(results.map(({ like }: { like?: object }) => like !== undefined), [true, false]);
  assert.equal(results[0].like.ids.length, 3);
  assert.equal(facets.session.count, 5);
  await using mcp = await connectMcp(t.workspace);
  const { data, text } = await mcp.call("search", { query: "exporter parquet invoices" });
  assert.deepEqual([data.total, data.copies, data.results[0].like], [5, 3, 3]);
  assert.match(text, /like: 3/);
  const whole = await mcp.call("search", { query: "exporter parquet invoices", all_copies: true });
  assert.equal(whole.data.results.length, 5);
});
