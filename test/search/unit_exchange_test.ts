// `--unit exchange`: a prompt and what follows it is one result, with other rows of it quoted.

import assert from "node:assert/strict";
import fc from "fast-check";
import { catchUp } from "../../src/index/catch_up.ts";
import { applySteps } from "../../src/search/rank/steps.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
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
  assert.deepEqual(quoted.slice(0, 2), rows.rows.slice(1, 3).map(({ id }) => id));
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

Deno.test("a question quotes what the call returned and the last answer, a subject the rows that match", async () => {
  const rows = [
    prompt("get the zeppelin into the air"), // 0
    call("zeppelin check hull --full"), // 1
    printed("3 holes found"), // 2
    said("The zeppelin hull has holes, so I patch the hull with canvas next and then check again."),
    call("zeppelin patch"), // 4
    printed("ok"),
    said("It flies."), // 6
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  const find = async (query: string) =>
    (await search(t.store, request(query, { unit: "exchange" }))).rows
      .map(({ id, quotes = [] }) => [id, ...quotes.map((quote) => quote.id)]);
  const [[best, ...subject]] = await find("check zeppelin hull --full");
  assert.deepEqual([best, subject.includes("H-3")], ["H-1", true]);
  assert.deepEqual(await find("what did check zeppelin hull --full say"), [[
    "H-1",
    "H-2",
    "H-6",
    "H-3",
  ]]);
  closeIndex(t.store);
});

Deno.test("where one row matches, what its call returned and the last answer are quoted", async () => {
  await using t = new SearchStore(work);
  const find = async (query: string) =>
    (await search(t.store, request(query, { unit: "exchange" }))).rows
      .map(({ id, quotes = [] }) => [id, ...quotes.map((quote) => quote.id)]);
  assert.deepEqual(await find("scanimage"), [["H-8", "H-9", "H-10", "H-7"]]);
  assert.deepEqual(await find("sane"), [["H-10", "H-7"]]);
  closeIndex(t.store);
});

Deno.test("a third row is quoted only in the room that two leave, and all are no longer than two", async () => {
  const long = (start: string) => `${start} ${"and so on, for as long as it takes ".repeat(20)}`;
  const quotesOf = async (closing: string): Promise<string[]> => {
    const rows = [prompt(long("the balloon")), call("balloon inflate"), printed(long("gas"))];
    await using t = new SearchStore(numbered([...rows, said(closing), ...notes]));
    const asked = request("what did balloon inflate print", { unit: "exchange" });
    const { rows: [{ quotes = [] }] } = await search(t.store, asked);
    closeIndex(t.store);
    return quotes.map(({ snippet }) => snippet);
  };
  assert.equal((await quotesOf(long("It is full"))).length, 2);
  const three = await quotesOf("It is full.");
  assert.deepEqual([three.length, three[1]], [3, "It is full."]);
  assert.ok(three.join("").length <= 2 * 162, `${three.join("").length}`);
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

const other = <T extends object>(session: string, row: T) => ({ ...row, session_id: session });
const notes = Array.from({ length: 20 }, (_, i) => ({ text: `a note on the garden ${i}` }));
const numbered = (rows: RowDraft[]) => rows.map((row, i) => ({ ...row, id: `H-${i}` }));

Deno.test("what shows only columns has no quotes; a template, --explain, --facets and --json have", async () => {
  await using t = await tempStore({ entries: work });
  const find = async (...argv: string[]): Promise<string> =>
    (await t.ctx(["search", "printer queue", "--unit", "exchange", ...argv])).stdout;
  const [{ quotes: [{ id, snippet }] }] = JSON.parse(await find("--json")).results;
  assert.ok(!(await find()).includes(id));
  for (const argv of [["--format", "{quotes}"], ["--explain"], ["--facets", "role"]]) {
    assert.ok((await find(...argv)).includes(id), argv.join(" "));
  }
  assert.ok((await find("--format", "{quotes}")).includes(snippet));
});

Deno.test("a prompt more than 64 rows before its answer is of the same exchange", async () => {
  const far = Array.from({ length: 100 }, (_, i) => printed(`line ${i} of the log`));
  await using t = new SearchStore([
    prompt("the zeppelin leaks"),
    call("zeppelin check"),
    ...far,
    said("The zeppelin leaks at its keel."),
  ]);
  const { rows: [{ id, quotes = [] }] } = await search(
    t.store,
    request("what did the user want with the zeppelin keel", { unit: "exchange" }),
  );
  assert.deepEqual([id, quotes[0]?.snippet], ["H-102", "the zeppelin leaks"]);
  closeIndex(t.store);
});

Deno.test("what a search leaves out is not quoted beside what it finds", async () => {
  const [alpha, beta] = ["/work/alpha", "/work/beta"];
  const rows = [
    { ...prompt("open the vault"), project: beta }, // 0
    { ...call("vault read"), project: alpha }, // 1
    { ...printed("a zebra came out"), project: beta, ts: "2026-02-01T00:00:00.000Z" },
    { ...said("All zebra secrets are out."), project: beta, ts: "2026-02-01T00:00:00.000Z" }, // 3
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  const quotes = async (query: string, rest: object = {}) =>
    (await search(t.store, request(query, { unit: "exchange", ...rest }))).rows
      .map(({ id, quotes = [] }) => [id, ...quotes.map((quote) => quote.id)]);
  assert.deepEqual(await quotes("vault read"), [["H-1", "H-0", "H-2", "H-3"]]);
  assert.deepEqual(await quotes("vault read NOT zebra"), [["H-1", "H-0"]]);
  assert.deepEqual(await quotes("read", { until: "2026-01-15" }), [["H-1", "H-0"]]);
  assert.deepEqual(await quotes("read", { project: alpha }), [["H-1"]]);
  assert.deepEqual(await quotes("read", { type: ["tool_call"] }), [["H-1"]]);
  closeIndex(t.store);
});

Deno.test("what was corrected later is not quoted", async () => {
  const rows = [
    prompt("deploy it"), // 0
    call("make zeta"),
    said("It runs on port 80."), // 2
    prompt("next"),
    { ...said("It runs on port 443."), supersedes: "H-2" },
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  const { rows: [{ id, quotes }] } = await search(
    t.store,
    request("make zeta", { unit: "exchange" }),
  );
  assert.deepEqual([id, quotes?.map((quote) => quote.id)], ["H-1", ["H-0"]]);
  closeIndex(t.store);
});

Deno.test("of parallel calls each is quoted with its own output", async () => {
  const under = (row: ReturnType<typeof call | typeof printed>, call_id: string) => ({
    ...row,
    tool: { ...row.tool, call_id },
  });
  const [first, second] = [call("make alpha"), call("make omega")];
  const outputs = [printed("the first is built"), printed("the second is built")];
  const find = async (rows: RowDraft[]) => {
    await using t = new SearchStore(numbered([prompt("build both"), ...rows, ...notes]));
    const asked = request("omega", { unit: "exchange" });
    const { rows: [{ quotes = [] }] } = await search(t.store, asked);
    closeIndex(t.store);
    return quotes.map(({ snippet }) => snippet);
  };
  const named = [under(first, "a"), under(second, "b")];
  const [a, b] = [under(outputs[0], "a"), under(outputs[1], "b")];
  assert.deepEqual(await find([...named, a, b]), ["the second is built", "build both"]);
  assert.deepEqual(await find([second, outputs[1], first, outputs[0]]), [
    "the second is built",
    "build both",
  ]);
  // Without ids it is not known whose the output is.
  assert.deepEqual(await find([second, first, ...outputs]), ["build both"]);
});

Deno.test("an exchange with hundreds of matching rows hides no other, on no page", async () => {
  const large = (session: string, name: string) => [
    other(session, prompt(`run the zygote ${name}`)),
    ...Array.from({ length: 450 }, (_, i) => other(session, call(`zygote ${name} ${i}`))),
  ];
  const small = (session: string) => [
    other(session, prompt("is there a faster way to start workers in production")),
    other(session, call("perf record")),
    other(
      session,
      said(
        "Yes: the zygote process forks workers, which is faster than exec in production for most of the workers that we run here, and it needs less memory too.",
      ),
    ),
  ];
  const rows = [
    ...["A", "B", "C", "D", "E", "F"].flatMap((name) => large(`S-${name}`, name)),
    ...small("S-0"),
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  const find = async (k: number, offset: number) =>
    (await search(t.store, request("zygote", { unit: "exchange", mode: "lexical", k, offset })))
      .rows.map(({ session_id }) => session_id);
  const all = await find(20, 0);
  assert.deepEqual(all.toSorted(), ["S-0", "S-A", "S-B", "S-C", "S-D", "S-E", "S-F"]);
  const paged = [];
  for (let offset = 0; offset < 8; offset += 2) paged.push(...await find(2, offset));
  assert.deepEqual(paged, all);
  closeIndex(t.store);
});

Deno.test("exchanges that start alike and end otherwise are two; those that are the same are one", async () => {
  const ended = (session: string, text: string) =>
    [
      prompt("users see errors"),
      call("kubectl rollout restart api gateway"),
      said(text),
    ].map((row) => other(session, row));
  const raised = "The api gateway had a limit of 64Mi; raised it.";
  const rows = [
    ...ended("S-a", raised),
    ...ended("S-b", "The api gateway could not pull its image: the token had expired."),
    ...ended("S-c", raised),
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  for (const k of [2, 10]) {
    const asked = request("kubectl rollout api gateway", { unit: "exchange", fold: true, k });
    const answer = await search(t.store, asked);
    assert.deepEqual([answer.rows.length, answer.copies], [2, 1], `k ${k}`);
  }
  closeIndex(t.store);
});

for (
  const notice of [
    "[Request interrupted by user]",
    "<system-reminder>a task in the background is done</system-reminder>",
    "<task-notification>task 7 finished</task-notification>",
  ]
) {
  Deno.test(`a client's notice is not quoted as the prompt: ${notice}`, async () => {
    const rows = [
      prompt("migrate billing to stripe"), // 0
      call("npm i stripe"),
      prompt(notice),
      call("npm run quokka"), // 3
      said("The migration is finished."), // 4
    ];
    await using t = new SearchStore(numbered([...rows, ...notes]));
    const asked = request("quokka", { unit: "exchange" });
    const { rows: [{ id, quotes }] } = await search(t.store, asked);
    assert.deepEqual([id, quotes?.map((quote) => quote.id)], ["H-3", ["H-4"]]);
    closeIndex(t.store);
  });
}

Deno.test("what a sub-agent was asked is not quoted as what the user asked", async () => {
  const side = <T extends object>(row: T) => ({ ...row, sidechain: true });
  const rows = [
    prompt("migrate billing to stripe"),
    side(prompt("list all invoices that are open")), // 1
    side(call("grep walrus invoices")),
    call("npm run quokka"), // 3
    said("The migration is finished."), // 4
  ];
  await using t = new SearchStore(numbered([...rows, ...notes]));
  const find = async (query: string) =>
    (await search(t.store, request(query, { unit: "exchange" }))).rows
      .map(({ id, quotes }) => [id, ...quotes?.map((quote) => quote.id) ?? []]);
  assert.deepEqual(await find("quokka"), [["H-3", "H-4"]]);
  assert.ok((await find("walrus"))[0].includes("H-1"));
  closeIndex(t.store);
});
