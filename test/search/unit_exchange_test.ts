// `--unit exchange`: a prompt and what follows it is one result, with other rows of it quoted.

import assert from "node:assert/strict";
import fc from "fast-check";
import { catchUp } from "../../src/index/catch_up.ts";
import { applySteps } from "../../src/search/rank/steps.ts";
import { closeIndex, search } from "../../src/search/run_search.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const session_id = "S-1m2few700s4d0k3nc";
const prompt = (text: string) => ({ session_id, role: "user" as const, type: "turn", text });
const said = (text: string) => ({ session_id, role: "assistant" as const, type: "turn", text });
const call = (command: string) => ({
  session_id,
  role: "assistant" as const,
  type: "tool_call",
  text: `Bash: ${command}`,
  tool: { name: "Bash", input: { command }, effect: "run" },
});
const printed = (text: string) => ({
  session_id,
  role: "tool" as const,
  type: "tool_output",
  text,
  tool: { name: "Bash" },
});

const work = [
  prompt("the printer queue is stuck, please look"), // 0
  call("lpstat -o printer"),
  printed("printer-4 stalled since Monday"),
  said("The printer queue stalled because the spooler ran out of file descriptors."), // 3
  call("systemctl restart cups && lpstat -o printer"),
  printed("printer queue is empty"), // 5
  said("I restarted the spooler; the queue drains again."), // 6
  prompt("thanks, now the scanner"), // 7
  call("scanimage --list"),
  printed("no scanner was found"),
  said("The scanner needs the sane backend."), // 10
].map((row, i) => ({ ...row, id: `H-${i}` }));

Deno.test("rows of one exchange are one result: its best row, with others quoted", async () => {
  await using t = new SearchStore(work);
  const find = (rest: object) => search(t.store, request("printer queue", rest));
  const rows = await find({ unit: "row" });
  const { rows: [first, ...more], total } = await find({ unit: "exchange" });
  assert.ok(rows.rows.length > 2);
  assert.deepEqual([first.id, more.length, total], [rows.rows[0].id, 0, rows.total]);
  const quoted = first.quotes?.map(({ id }) => id) ?? [];
  assert.deepEqual(quoted, rows.rows.slice(1, 3).map(({ id }) => id));
  assert.ok(first.quotes?.every(({ snippet }) => snippet.length > 0));
  closeIndex(t.store);
});

Deno.test("a question about a wish quotes the prompt", async () => {
  await using t = new SearchStore(work);
  const asked = request("what did the user want from the spooler queue", { unit: "exchange" });
  const { rows: [{ id, quotes = [] }] } = await search(t.store, asked);
  assert.ok([id, quotes[0]?.id].includes("H-0"), JSON.stringify([id, quotes]));
  closeIndex(t.store);
});

Deno.test("where one row matches, what its call returned and the last answer are quoted", async () => {
  await using t = new SearchStore(work);
  const find = async (query: string) =>
    (await search(t.store, request(query, { unit: "exchange" }))).rows
      .map(({ id, quotes = [] }) => [id, ...quotes.map((quote) => quote.id)]);
  assert.deepEqual(await find("scanimage"), [["H-8", "H-9", "H-10"]]);
  assert.deepEqual(await find("sane"), [["H-10", "H-7"]]);
  closeIndex(t.store);
});

Deno.test("messages that only answer each other, notes and records stay results of their own", async () => {
  const chat = [
    prompt("Caroline: I adopted a puppy"),
    said("Melanie: a puppy, how sweet"),
    prompt("Caroline: the puppy eats shoes"),
    said("Melanie: puppy teeth are sharp"),
    { text: "a note on the puppy" },
  ].map((row, i) => ({ ...row, id: `H-${i}` }));
  await using t = new SearchStore(chat);
  const find = (unit: "row" | "exchange") => search(t.store, request("puppy", { unit }));
  assert.deepEqual(await find("exchange"), await find("row"));
  closeIndex(t.store);
});

Deno.test("an exchange's score is its steps, and it gains by words that its best row lacks", async () => {
  await using t = new SearchStore(work);
  const asked = request("spooler descriptors empty", { unit: "exchange", explain: true });
  const { rows } = await search(t.store, asked);
  assert.ok(rows[0].explain?.steps.some(({ name }) => name === "exchange"));
  for (const { explain, score_final } of rows) {
    assert.equal(applySteps(explain?.steps ?? []), score_final);
  }
  closeIndex(t.store);
});

const word = fc.constantFrom("cache", "token", "retry", "deploy", "the");
const draft = fc.record({
  text: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" ")),
  session_id: fc.option(fc.nat(4).map((n) => `S-${n}`), { nil: undefined, freq: 8 }),
  kind: fc.constantFrom("prompt", "said", "call", "printed"),
});
const kinds: Record<string, RowDraft> = {
  prompt: { role: "user", type: "turn" },
  said: { role: "assistant", type: "turn" },
  call: { role: "assistant", type: "tool_call", tool: { name: "Bash", effect: "edit" } },
  printed: { role: "tool", type: "tool_output", tool: { name: "Bash" } },
};

Deno.test("pages of exchanges fit together, with and without an index, and lose no match", async () => {
  const property = fc.asyncProperty(
    fc.array(draft, { minLength: 1, maxLength: 60 }),
    fc.integer({ min: 1, max: 7 }),
    async (drafts, k) => {
      const rows = drafts.map(({ kind, ...row }, i) => ({ ...row, ...kinds[kind], id: `H-${i}` }));
      await using t = new SearchStore(rows);
      const find = (rest: object) =>
        search(t.store, request("cache token", { mode: "lexical", unit: "exchange", ...rest }));
      const all = await find({ k: 50 });
      await catchUp(t.store, { sealBytes: 1 });
      const paged = [];
      for (let offset = 0; offset < Math.max(1, all.rows.length); offset += k) {
        paged.push(...(await find({ k, offset })).rows);
      }
      assert.deepEqual(paged, all.rows);
      // Every row that matches is in the exchange of a result.
      const shown = new Set(all.rows.map(({ id }) => exchangeOf(rows, id)));
      const found = await find({ k: 50, unit: "row" });
      for (const { id } of found.rows) assert.ok(shown.has(exchangeOf(rows, id)), id);
      assert.equal(shown.size, all.rows.length);
      closeIndex(t.store);
    },
  );
  await fc.assert(property, { numRuns: 60, seed: 8 });
});

/** The definition, once more: from a prompt to the next of its session, where a tool was used. */
function exchangeOf(rows: readonly RowDraft[], id: string): unknown {
  const at = rows.findIndex((row) => row.id === id);
  const own = rows.filter((row) => row.session_id !== undefined);
  const mates = own.filter((row) => row.session_id === rows[at].session_id);
  const start = mates.findLastIndex((row, i) =>
    row.role === "user" && i <= mates.indexOf(rows[at])
  );
  if (start < 0 || rows[at].session_id === undefined) return id;
  const next = mates.findIndex((row, i) => i > start && row.role === "user");
  const exchange = mates.slice(start, next < 0 ? undefined : next);
  return exchange.some(({ tool }) => tool !== undefined) ? exchange[0].id : id;
}

Deno.test("ctx search shows exchanges, rows where a kind is asked for, and --unit and search.unit say which", async () => {
  await using t = await tempStore({ entries: work });
  const ids = async (...argv: string[]): Promise<string[]> => {
    const { stdout } = await t.ctx(["search", "printer queue", "--k", "9", "--json", ...argv]);
    return JSON.parse(stdout).results.map(({ id }: { id: string }) => id);
  };
  const rows = await ids("--unit", "row");
  assert.ok(rows.length > 2);
  assert.deepEqual(await ids(), rows.slice(0, 1));
  assert.deepEqual(await ids("--type", "turn"), await ids("--type", "turn", "--unit", "row"));
  assert.deepEqual(await ids("--group", "session"), await ids("--unit", "session"));
  await t.ctx(["config", "set", "search.unit", "row"]);
  assert.deepEqual(await ids(), rows);
  const { stdout } = await t.shown(["search", "printer queue", "--unit", "exchange"]);
  assert.match(stdout, /^ {3}(?:user|assistant|tool_output|tool_call) H-\w+ {2}\S.*printer/m);
});
