// How rows of agents' sessions are found: what calls contain, what answers, what shows nothing.

import assert from "node:assert/strict";
import { reindex } from "../../src/index/reindex_store.ts";
import { search } from "../../src/search/run_search.ts";
import { closeIndex } from "../../src/search/use_index.ts";
import { request, type RowDraft, SearchStore } from "../support/stores/search_store.ts";

const filler: RowDraft[] = Array.from({ length: 30 }, (_, i) => ({
  id: `H-f${i}`,
  text: `an unrelated remark number ${i} about the weather`,
  session_id: "S-f",
  role: "user",
}));

/** The rows of a search, once without an index and once with it: both must be the same. */
async function find(t: SearchStore, query: string, rest = {}) {
  const scanned = await search(t.store, request(query, { mode: "lexical", ...rest }));
  await reindex(t.store);
  const answer = await search(t.store, request(query, { mode: "lexical", ...rest }));
  closeIndex(t.store);
  assert.equal(answer.engine, "index");
  assert.deepEqual(answer.rows, scanned.rows);
  return answer.rows;
}

function call(id: string, input: unknown, more: RowDraft = {}): RowDraft {
  const tool = { name: "Edit", input, effect: "edit" };
  return {
    id,
    type: "tool_call",
    role: "assistant",
    session_id: "S-1",
    tool,
    text: "Edit",
    ...more,
  };
}

Deno.test("what an edit contains is found, shown, and ranks below the same words in prose", async () => {
  await using t = new SearchStore([
    ...filler,
    call("H-edit", { file_path: "a.ts", old_string: "gone", new_string: "retryBudget = 7" }),
    { id: "H-said", role: "assistant", session_id: "S-1", text: "the retry budget is seven now" },
  ]);
  const rows = await find(t, "retry budget", { explain: true });
  assert.deepEqual(rows.map(({ id }) => id), ["H-said", "H-edit"]);
  assert.equal(rows[1].snippet, "Edit retryBudget = 7");
  assert.deepEqual(rows[1].explain?.terms[0].tf, { content: 1 });
  assert.deepEqual((await find(t, "gone")).map(({ id }) => id), []);
  assert.deepEqual((await find(t, '+"retryBudget = 7"')).map(({ id }) => id), ["H-edit"]);
});

Deno.test("a row that answers takes the words of its prompt that it lacks, up to the next prompt", async () => {
  const said = (id: string, role: string, text: string) => ({ id, role, text, session_id: "S-1" });
  const rows = [
    ...filler,
    said("H-ask", "user", "Which quota did the billing exporter hit?"),
    said("H-answer", "assistant", "It is the quota of 40 requests per minute, set by the provider"),
    said("H-next", "user", "Thanks. And the colour of the banner?"),
    said("H-other", "assistant", "A quota is not involved, it is green as the guide says"),
  ];
  await using t = new SearchStore(rows);
  const found = await find(t, "billing exporter quota", { explain: true });
  assert.deepEqual(found.map(({ id }) => id), ["H-answer", "H-ask", "H-other"]);
  const [answer, , other] = found;
  assert.ok((answer.explain?.context ?? 0) > 2 * (other.explain?.context ?? 0));
});

Deno.test("an announcement and a call that only looks stay below what says the same", async () => {
  const text = "check the cache size of the gateway";
  const own = { session_id: "S-1", role: "assistant" };
  const look = { ...own, type: "tool_call", tool: { name: "Read", effect: "read" } };
  await using t = new SearchStore([
    ...filler,
    { ...own, id: "H-plain", text },
    { ...own, id: "H-note", role: "note", text: "between" },
    { ...own, id: "H-announce", text, ts: "2026-01-02T00:00:00.000Z" },
    { ...own, id: "H-thought", type: "thinking", text: "hm" },
    { ...look, id: "H-look", text, ts: "2026-01-02T00:00:00.000Z" },
  ]);
  const rows = await find(t, "cache size gateway", { explain: true });
  const applied = ({ later: _later, ...boosts }: Record<string, number> = {}): string[] =>
    Object.keys(boosts).filter((name) => boosts[name] !== 1);
  assert.deepEqual(rows.map(({ id, explain }) => [id, applied(explain?.boosts)]), [
    ["H-plain", ["recency"]],
    ["H-announce", ["recency", "announcement"]],
    ["H-look", ["recency", "bare"]],
  ]);
});

Deno.test("calls of ctx itself are found only when their type is asked for", async () => {
  const own = { session_id: "S-1", role: "tool", text: "ctx search: cache size" };
  await using t = new SearchStore([
    ...filler,
    { ...own, id: "H-recall", type: "recall" },
    call("H-old", { query: "cache size" }, {
      tool: { name: "mcp__ctx__search" },
      text: "cache size",
    }),
    { id: "H-said", text: "the cache size is 5" },
  ]);
  assert.deepEqual((await find(t, "cache size")).map(({ id }) => id), ["H-said"]);
  assert.deepEqual((await find(t, "cache size", { type: "recall" })).map(({ id }) => id), [
    "H-recall",
  ]);
});

Deno.test("of one session's rows the later counts more, and evidence is lifted by its record", async () => {
  const text = "the export of invoices runs nightly";
  const said = (id: string, session_id: string) => ({ id, role: "assistant", session_id, text });
  const record = { by: "rules" };
  await using t = new SearchStore([
    ...filler,
    said("H-first", "S-1"),
    { ...said("H-between", "S-1"), text: "green, as the guide says" },
    { ...said("H-third", "S-1"), text: "and a wide one" },
    said("H-later", "S-1"),
    said("H-cited", "S-2"),
    { ...said("H-record", "S-2"), role: "note", type: "outcome", refs: ["H-cited"], record },
  ]);
  const rows = await find(t, "export of invoices nightly", { explain: true });
  assert.deepEqual(rows.map(({ id }) => id), ["H-cited", "H-later", "H-first", "H-record"]);
  const [cited, later, first] = rows.map(({ explain }) => explain);
  assert.ok((cited?.lent ?? 0) > (later?.lent ?? 0), "by its record too");
  assert.deepEqual([later?.later, first?.later], [1.15, 1.05]);
});

Deno.test("asked for the matter, search gives what answers it; asked for a wish, a prompt keeps its words; a goal stands below", async () => {
  const own = { session_id: "S-1" };
  const words = "export invoices as parquet files";
  await using t = new SearchStore([
    ...filler,
    { ...own, id: "H-ask", role: "user", text: `Please ${words}, never as CSV` },
    { ...own, id: "H-said", role: "assistant", text: `Done: the nightly job now does ${words}` },
    {
      ...own,
      id: "H-goal",
      role: "note",
      type: "goal",
      text: `Please ${words}, never as CSV`,
      refs: ["H-ask"],
      record: { by: "rules" },
    },
  ]);
  const rows = async (query: string) => await find(t, query, { explain: true });
  const found = await rows("export of invoices parquet");
  assert.equal(found[0].id, "H-said");
  assert.equal(found.at(-1)?.id, "H-goal");
  const lentTo = (answer: typeof found) =>
    answer.find(({ id }) => id === "H-said")?.explain?.context ?? 0;
  const asked = await rows("invoices never CSV");
  assert.ok(lentTo(asked) > lentTo(await rows("does the user want invoices never CSV")));
});

Deno.test("a note of no session is not set back by rows that stand together", async () => {
  const row = { role: "assistant", session_id: "S-1", type: "turn" };
  await using t = new SearchStore([
    ...filler,
    { ...row, id: "H-one", text: "the gateway listens somewhere" },
    { ...row, id: "H-two", text: "the gateway was started" },
    { id: "H-note", role: "note", type: "note", text: "gateway listens on port 8443" },
  ]);
  assert.equal((await find(t, "gateway listens port"))[0].id, "H-note");
});

Deno.test("what somebody wrote down as a decision stands above talk that says as much, and above what it replaced", async () => {
  const text = "retries wait with a growing delay";
  await using t = new SearchStore([
    ...filler,
    { id: "H-turn", role: "assistant", session_id: "S-1", text },
    { id: "H-old", role: "note", type: "decision", text: "retries wait with a fixed delay" },
    { id: "H-now", role: "note", type: "decision", text, supersedes: "H-old" },
    { id: "H-talk", role: "assistant", session_id: "S-2", text },
  ]);
  const found = (await find(t, "delay of retries")).map(({ id }) => id);
  assert.equal(found[0], "H-now");
  assert.equal(found.at(-1), "H-old");
});

Deno.test("who searches again in one process is told the title that a session has got meanwhile", async () => {
  await using t = new SearchStore([
    ...filler,
    { id: "H-a", role: "user", session_id: "S-1", text: "how are tides predicted?" },
  ]);
  await reindex(t.store);
  const titleOf = async (): Promise<string | undefined> => {
    const { rows } = await search(t.store, request("tides", { mode: "lexical", sessions: true }));
    return rows[0].session_title;
  };
  const first = await titleOf();
  assert.equal(await titleOf(), first);
  const ts = "2026-05-01T00:00:00.000Z";
  const event = { session_id: "S-1", event: "titled", ts, title: "Tides" };
  Deno.writeTextFileSync(
    `${t.workspace}/.contextfs/sessions.ndjson`,
    JSON.stringify(event) + "\n",
  );
  assert.equal(await titleOf(), "Tides");
  closeIndex(t.store);
});

Deno.test("in a chat a long reply loses by what its prompt already said", async () => {
  const said = (id: string, role: "user" | "assistant", text: string): RowDraft => (
    { id, role, type: "turn", session_id: "S-chat", text }
  );
  const padding = " timber nails hammer paint".repeat(40);
  const echoOf = async (reply: string) => {
    const prompt = said("H-said", "user", "my budget for the garden fence is 400 euros");
    await using t = new SearchStore([prompt, said("H-reply", "assistant", reply), ...filler]);
    const asked = request("garden fence budget euros oak", { explain: true });
    const { rows } = await search(t.store, asked);
    closeIndex(t.store);
    const echo = (id: string) => rows.find((row) => row.id === id)?.explain?.boosts.echo;
    assert.equal(echo("H-said"), 1);
    return echo("H-reply") ?? 0;
  };
  const repeated = "a garden fence budget of 400 euros";
  assert.equal(await echoOf(repeated), 1);
  assert.equal(await echoOf(repeated + padding), 0.7);
  const added = await echoOf(`${repeated} buys oak${padding}`);
  assert.ok(added > 0.7 && added < 1);
});
