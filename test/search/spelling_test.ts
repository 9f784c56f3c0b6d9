// A word that occurs nowhere is taken for the nearest that does, and the answer says so.

import assert from "node:assert/strict";
import fc from "fast-check";
import { briefRow } from "../../src/view/brief_answer.ts";
import { met } from "../../src/index/text/tokenize.ts";
import { searchEach } from "../../src/search/reach/search_each.ts";
import type { SearchRequest } from "../../src/search/request.ts";
import { search } from "../../src/search/run_search.ts";
import { editsBetween } from "../../src/search/spelling/correct_words.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const texts = [
  "we rotate refresh tokens; token rotation is safer than long sessions",
  "the deploy pipeline is green again",
  "the grade of the build was better",
  "contextfs keeps a log",
  "contextfs has an index",
  "contextfs is one file",
  "an eror slipped into this note",
  "sports are farther away; she was relieved",
  "a qinzubot moved in",
];

async function corrected(query: string): Promise<Record<string, string> | undefined> {
  await using t = new SearchStore(texts.map((text, i) => ({ id: `H-${i}`, text })));
  return (await search(t.store, request(query))).corrected;
}

Deno.test("search() corrects words that occur nowhere to near ones that do", async () => {
  const table: [query: string, words: Record<string, string>][] = [
    ["refresh tokne", { tokne: "token" }],
    ["what about rotaion of tokens?", { rotaion: "rotation" }],
    ["Pipelnie is green", { Pipelnie: "pipeline" }],
    ["pipelien refrehs", { pipelien: "pipeline", refrehs: "refresh" }],
    ["the contxtfs log", { contxtfs: "contextfs" }],
  ];
  for (const [query, words] of table) assert.deepEqual(await corrected(query), words, query);
});

Deno.test("a word is corrected in every scope that has what was meant", async () => {
  await using t = await tempStore({
    entries: [1, 2, 3].map((i) => `the playwright browser test number ${i} is flaky`),
  });
  for (const scope of ["all", "history", "hot"]) {
    const found = await t.run("search", { query: "playwrihgt", scope });
    assert.equal(found.total, 3, scope);
    assert.match(JSON.stringify(found.retrieval), /"corrected":\{"playwrihgt":"playwright"\}/);
  }
});

Deno.test("what other searches take for operators is said to be words, but not in code", async () => {
  await using t = new SearchStore(texts.map((text, i) => ({ id: `H-${i}`, text })));
  const notesOf = async (query: string) => (await search(t.store, request(query))).notes.join();
  assert.match(await notesOf("tokens OR pipeline"), /^"OR" is searched as a word/);
  assert.match(await notesOf("tokens AND pipeline"), /^"AND" is searched as a word/);
  assert.match(await notesOf("rotat*"), /^"rotat\*" is searched as a word/);
  for (const plain of ["SELECT * FROM A", "IS NULL OR B", "a * b", "src/*.ts token", "or tokens"]) {
    assert.doesNotMatch(await notesOf(plain), /searched as a word/, plain);
  }
});

Deno.test("search() leaves words, names, identifiers, numbers and quotes as they are", async () => {
  const asWritten = [
    "gradle build",
    "refresh token",
    '"tokne" rotation',
    "tokne_x token",
    "src/tokne.ts token",
    "TOKNE token",
    "the Tokne token",
    "tokn refresh",
    "tokne1 token",
    "father token",
    "spots token",
    "recieved token",
    "greed build",
    "error build",
    "xyzzyplugh token",
    "the qinzubat log",
    "tokne pipelien refrehs rotaion",
    "token NOT pipelnie",
    `token pipelnie${"etaoinshr".repeat(1000)}`,
    `token a${"!".repeat(9000)}a`,
  ];
  for (const query of asWritten) assert.equal(await corrected(query), undefined, query);
});

Deno.test("search() that finds nothing tries short words and words that are less near", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "a file was open; file descriptors ran out: exhaustion" },
    { id: "H-2", text: "the redactor hides keys, and what was redacted stays so" },
    { id: "H-3", text: "another file, closed" },
    { id: "H-4", text: "the grade of the reds" },
  ]);
  const table: [query: string, words: Record<string, string> | undefined][] = [
    ["fle", { fle: "file" }],
    ["desciptor", { desciptor: "descriptor" }],
    ["file descritpor", { descritpor: "descriptor" }],
    ["redacton", { redacton: "redaction" }],
    ["descirptros", { descirptros: "descriptors" }],
    ["fiel", { fiel: "file" }],
    ["(fle)", { fle: "file" }],
    ["fle fle", { fle: "file" }],
    ['"fle"', undefined],
    ["'fle'", undefined],
    ["`the fle of`", undefined],
    ["NOT fle", undefined],
    ['NOT "the fle"', undefined],
    ["gradle", undefined],
    ["redis", undefined],
    ["FLE", undefined],
    ["recieved", undefined],
  ];
  for (const [query, words] of table) {
    const { corrected, total } = await search(t.store, request(query));
    assert.deepEqual(corrected, words, query);
    assert.equal(total > 0, words !== undefined, query);
  }
  const found = await search(t.store, request("fle descriptor exhaustion"));
  assert.deepEqual([found.rows[0]?.id, found.corrected], ["H-1", undefined]);
});

Deno.test("several stores correct a query as one store with all their rows does", async () => {
  const rows = [...texts, "a file", "vector table", "segment merge", "prompt hook", "pinned note"]
    .map((text, i): RowDraft => ({ id: `H-${i}`, text }));
  const hidden = { id: "H-t", text: "they may mean pipelnie", type: "thinking" };
  const other = { id: "H-x", text: "nothing to see in here" };
  await using one = new SearchStore([...rows, hidden, other]);
  await using first = new SearchStore([...rows, hidden]);
  await using second = new SearchStore([other]);
  const table: [query: string, more: Partial<SearchRequest>, words?: Record<string, string>][] = [
    ["fle", {}, { fle: "file" }],
    ["fle", { unasked: true }],
    ["fle", { exact: true }],
    ["pipelnie", {}, { pipelnie: "pipeline" }],
    ["pipelnie green", {}],
    ["refresh tokne", {}, { tokne: "token" }],
    ["pipeline vector segment prompt pinned grade contextfs fle", { mode: "lexical" }],
  ];
  for (const [query, more, words] of table) {
    const asked = request(query, more);
    const alone = await search(one.store, asked);
    const each = await searchEach([first.store, second.store], asked, search);
    assert.deepEqual([alone.corrected, each.corrected], [words, words], query);
    assert.deepEqual(each.rows.map(({ id }) => id), alone.rows.map(({ id }) => id), query);
  }
});

Deno.test("search() takes only near words of long entries apart to spell one", async () => {
  const many = Array.from({ length: 2000 }, (_, i) => `w${(i * 7 + 1).toString(36)}`).join(" ");
  await using t = new SearchStore(
    [1, 2, 3].map((i) => ({ id: `H-${i}`, text: `descriptors exhaustions ${many} ${i}` })),
  );
  await search(t.store, request("descriptors"));
  const { open } = met;
  let texts = 0;
  met.open = () => (texts++, open.call(met));
  try {
    const { corrected } = await search(t.store, request("desciptor"));
    assert.deepEqual(corrected, { desciptor: "descriptor" });
  } finally {
    met.open = open;
  }
  assert.ok(texts < 100, String(texts));
});

Deno.test("search() that finds nothing corrects a word that only hidden rows have", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "the deploy pipeline is green" },
    { id: "H-2", text: "they may mean pipelnie", type: "thinking" },
  ]);
  const { corrected, rows } = await search(t.store, request("pipelnie"));
  assert.deepEqual([corrected, rows.map(({ id }) => id)], [{ pipelnie: "pipeline" }, ["H-1"]]);
});

Deno.test("search() takes no words from rows that it does not find: thinking", async () => {
  await using t = new SearchStore([
    { id: "H-1", text: "the deploy pipeline is green" },
    { id: "H-2", text: "quillominate, and a gateway", type: "thinking" },
  ]);
  for (const query of ["quillomintae", "gatewya"]) {
    const { corrected, coverage } = await search(t.store, request(query));
    assert.equal(corrected, undefined, query);
    assert.deepEqual(coverage.nearest_terms ?? {}, {}, query);
  }
});

Deno.test("search() answers a corrected query as the right one, and with exact as written", async () => {
  await using t = new SearchStore(texts.map((text, i) => ({ id: `H-${i}`, text })));
  const wrong = await search(t.store, request("refresh tokne"));
  const right = await search(t.store, request("refresh token"));
  assert.deepEqual(wrong.notes, [
    'no results for "tokne": showing results for "token" (--exact turns off spelling correction)',
  ]);
  assert.deepEqual({ ...wrong, corrected: undefined, notes: [] }, {
    ...right,
    corrected: undefined,
  });
  const exact = await search(t.store, request("refresh tokne", { exact: true }));
  assert.deepEqual([exact.corrected, exact.coverage.unknown_terms], [undefined, ["tokn"]]);
});

Deno.test("ctx search says what it corrected, as text, as data and over MCP", async () => {
  await using t = await tempStore({ entries: texts });
  const said = await t.shown(["search", "deploy pipelnie"]);
  assert.match(said.stdout, /^1\. /);
  assert.match(said.stderr, /no results for "pipelnie": showing results for "pipeline"/);
  const two = await t.shown(["search", "deploy pipelnie tokne"]);
  assert.match(
    two.stderr,
    /no results for "pipelnie" and "tokne": showing results for "pipeline" and "token"/,
  );
  const none = await t.shown(["search", "pipelnie", "--exact"]);
  assert.match(none.stdout, /No results for "pipelnie"; similar words: pipeline/);
  const json = await t.ctx(["search", "deploy pipelnie", "--json"]);
  assert.deepEqual(JSON.parse(json.stdout).retrieval.corrected, { pipelnie: "pipeline" });
  const exact = await t.ctx(["search", "deploy pipelnie", "--exact", "--json"]);
  assert.equal(JSON.parse(exact.stdout).retrieval.corrected, undefined);
  await using agent = await connectMcp(t.workspace);
  const { data } = await agent.call("search", { query: "deploy pipelnie" });
  assert.deepEqual(data.corrected, { pipelnie: "pipeline" });
  const asWritten = await agent.call("search", { query: "deploy pipelnie", exact: true });
  assert.equal(asWritten.data.corrected, undefined);
  const phrase = await t.ctx(["search", '+"token rotation" NOT pipeline', "--json"]);
  assert.equal(JSON.parse(phrase.stdout).total, 1);
});

Deno.test("the words of a brief row are those around what was corrected", () => {
  const filler = "it was a long day and nothing else happened that anybody would ask for. ";
  const snippet = `${filler.repeat(5)} the deploy pipeline is green`;
  const common = { id: "H-1", ts: "2026-01-01T00:00:00.000Z", type: "turn", role: "user" };
  const row = { ...common, snippet, score_final: 1 };
  const textOf = briefRow("what of the pipelnie", { corrected: { pipelnie: "pipeline" } });
  assert.match(JSON.stringify(textOf(row)), /pipeline/);
  assert.doesNotMatch(JSON.stringify(briefRow("what of the pipelnie")(row)), /pipeline/);
});

Deno.test("editsBetween() counts as the edits do", () => {
  const word = fc.stringMatching(/^[abc]{1,6}$/);
  fc.assert(fc.property(word, word, (a, b) => {
    assert.equal(editsBetween(a, b), editsBetween(b, a));
    assert.equal(editsBetween(a, b) === 0, a === b);
    const i = a.length >> 1;
    assert.equal(editsBetween(a, a.slice(0, i) + "z" + a.slice(i)), 1);
    const swapped = a.length < 2 ? a : a[1] + a[0] + a.slice(2);
    assert.equal(editsBetween(a, swapped), a === swapped ? 0 : 1);
  }));
});
