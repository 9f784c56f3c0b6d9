// The document of ContextFS, from top to bottom: each phrase called as it is written there, with the
// built file on the command line and over MCP.

import assert from "node:assert/strict";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { traceFileBytes } from "../../../src/store/logs/trace_log.ts";
import { connectMcp, type ToolReply } from "../../support/processes/mcp_client.ts";
import { checkPhrases, different, phrase as phraseOf } from "../../support/phrases.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const doc = "ContextFS";
const phrase = (said: string, check: () => void | Promise<void>): void =>
  phraseOf(doc, said, check);

// deno-lint-ignore no-explicit-any
type Data = any;

const uuid = "S-0b0e8f0c-3d4e-4f5a-9b6c-7d8e9f0a1b2c";
const long = `The retry queue drains slowly. ${
  "It waits for the next worker. ".repeat(60)
}The end.`;
const entries = [
  // Rows of the original: no session, and an id that two sessions use.
  { id: "H-old", ts: "2026-01-01T08:00:00.000Z", text: "Deploy from tags only" },
  { id: "H-1", ts: "2026-01-01T09:00:00.000Z", text: "Tokens rotate daily", session_id: "S-a" },
  { id: "H-2", ts: "2026-01-01T09:01:00.000Z", text: "Rotate tokens weekly", session_id: "S-a" },
  { id: "H-3", ts: "2026-01-01T10:00:00.000Z", text: "Before the clash", session_id: uuid },
  { id: "H-1", ts: "2026-01-01T10:01:00.000Z", text: "Tokens are opaque", session_id: uuid },
  { id: "H-4", ts: "2026-01-01T10:02:00.000Z", text: "Tokens expire", session_id: uuid },
  { id: "H-5", ts: "2026-01-01T10:03:00.000Z", text: long, session_id: uuid },
  { id: "H-y", ts: "2026-01-02T00:00:00.000Z", text: "zebra crossing", session_id: "S-a" },
  { id: "H-x", ts: "2026-01-02T00:00:00.000Z", text: "zebra crossing", session_id: "S-a" },
  { id: "H-z", ts: "2026-01-03T00:00:00.000Z", text: "zebra crossing", session_id: "S-a" },
];
const archive = [
  { id: "H-6", ts: "2025-01-01T00:00:00.000Z", text: "Tokens were cookies", session_id: "S-a" },
];

/** A store as ContextFS left it: rows and a state that names the running session. */
async function legacyStore(): Promise<TempStore> {
  const t = await tempStore({ entries, archive });
  const state = JSON.parse(t.read("state.json"));
  t.write("state.json", JSON.stringify({ ...state, session_id: uuid }));
  return t;
}

/** What a command prints with `--json`. */
async function json(t: TempStore, line: string): Promise<Data> {
  const { code, stdout, stderr } = await t.ctx([...line.split(" ").slice(1), "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function lastTrace(t: TempStore): Promise<Data> {
  return (await json(t, "ctx traces --tail 1")).traces[0];
}

function idsOf({ results }: Data): string[] {
  return results.map(({ id }: Data) => id);
}

// Feature 2: sessions.

const t = await legacyStore();
const before = t.read("history.ndjson");
const all = await json(t, "ctx search tokens");
const allSaid = await json(t, "ctx search tokens --session all");
const current = await json(t, "ctx search tokens --session current");
const currentTrace = await lastTrace(t);
const named = await json(t, "ctx search tokens --session S-a");
const ls = await json(t, "ctx ls");
const stats = await json(t, "ctx stats");
const first = await json(t, "ctx get H-1 --session S-a");
const second = await json(t, `ctx get H-1 --session ${uuid}`);
const around = await json(t, `ctx timeline H-1 --before 1 --after 1 --session ${uuid}`);
const aroundTrace = await lastTrace(t);
const aroundFirst = await json(t, "ctx timeline H-1 --session S-a");
const old = await json(t, "ctx get H-old");

phrase("History entry optional field: `session_id`", () => {
  assert.equal("session_id" in old.results[0], false);
  assert.equal(first.results[0].session_id, "S-a");
});
phrase("session ids persisted in `.contextfs/state.json`", async () => {
  assert.equal(ls.session_id, uuid);
  await using own = await tempStore();
  const { session_id } = await json(own, "ctx session start");
  assert.equal(JSON.parse(own.read("state.json")).session_id, session_id);
});
different(
  doc,
  "S-<uuid>",
  "those are read; new ids are `S-` and 17 characters that begin with the time, so that they sort and cost fewer tokens.",
  async () => {
    await using own = await tempStore();
    assert.match((await json(own, "ctx session start")).session_id, /^S-[0-9a-z]{17}$/);
  },
);
phrase("`ctx search --session all`", () => {
  assert.deepEqual(new Set(idsOf(allSaid)), new Set(["H-1", "H-2", "H-4", "H-6"]));
});
phrase("`ctx search --session current`", () => {
  assert.deepEqual([current.session, ...idsOf(current).sort()], [uuid, "H-1", "H-4"]);
});
phrase("`ctx search --session <id>`", () => {
  assert.deepEqual(new Set(idsOf(named)), new Set(["H-1", "H-2", "H-6"]));
});
phrase("`--session` (default `all`)", () => assert.deepEqual(all, allSaid));
phrase("`ctx get --session ...` (used to disambiguate id conflicts)", () => {
  assert.deepEqual([first, second].map(({ results }) => results[0].text), [
    "Tokens rotate daily",
    "Tokens are opaque",
  ]);
});
phrase("`ctx timeline --session ...` (used to disambiguate id conflicts)", () => {
  assert.deepEqual(around.results.map(({ summary, anchor }: Data) => [summary, anchor]), [
    ["Before the clash", false],
    ["Tokens are opaque", true],
    ["Tokens expire", false],
  ]);
  assert.deepEqual(idsOf(aroundFirst).slice(0, 3), ["H-6", "H-1", "H-2"]);
});
phrase("`ctx ls` exposes current `session_id`", async () => {
  assert.equal(ls.session_id, uuid);
  assert.match((await t.ctx(["ls"])).stderr, new RegExp(`^ctx: current session: ${uuid}$`, "m"));
  assert.match((await t.shown(["ls"])).stdout, new RegExp(`current session ${uuid}\n`));
});
phrase("`ctx stats --json` exposes current `session_id`", () => {
  assert.equal(stats.session_id, uuid);
});
phrase("old rows without `session_id` remain readable", () => {
  assert.equal(old.results[0].text, "Deploy from tags only");
});
phrase("No automatic backfill/migration is performed", () => {
  assert.equal(t.read("history.ndjson"), before);
});

// Feature 5: traces.

const headed = await json(t, "ctx get H-5 --head 40");
const headTrace = await lastTrace(t);
const packed = await json(t, "ctx pack");
const packTrace = await lastTrace(t);
await t.ctx(["get", "H-nope"]);
const failTrace = await lastTrace(t);
await json(t, "ctx search retry queue");
const cutTrace = await lastTrace(t);
const traces = await json(t, "ctx traces --tail 3");
const one = await json(t, `ctx trace ${currentTrace.trace_id}`);

phrase("append-only NDJSON: `.contextfs/retrieval.traces.ndjson`", async () => {
  const kept = t.read("retrieval.traces.ndjson");
  await json(t, "ctx search zebra");
  const grown = t.read("retrieval.traces.ndjson");
  assert.ok(grown.startsWith(kept) && grown.length > kept.length);
  for (const line of grown.trimEnd().split("\n")) JSON.parse(line);
});
phrase("`trace_id`: stable id (e.g. `T-<hash>`)", () => {
  assert.match(currentTrace.trace_id, /^T-\w+$/);
  assert.equal(one.trace.trace_id, currentTrace.trace_id);
});
phrase("`ts`: ISO8601", () => {
  assert.equal(new Date(currentTrace.ts).toISOString(), currentTrace.ts);
});
phrase("`command`: `search|timeline|get|pack|compact|reindex|gc`", async () => {
  await using own = await tempStore({ entries: ["one", "two"] });
  for (const line of ["search one", "timeline H-H1", "get H-H1", "pack", "compact", "reindex"]) {
    await json(own, `ctx ${line}`);
  }
  await own.ctx(["gc", "--yes"]);
  const seen = (await json(own, "ctx traces")).traces.map(({ command }: Data) => command);
  assert.deepEqual(seen, ["search", "timeline", "get", "pack", "compact", "reindex", "gc"]);
});
phrase("`args`: normalized args (`k`, `scope`, `before`, `after`, `head`, `session`)", () => {
  const { k, scope, session } = currentTrace.args;
  assert.deepEqual({ k, scope, session }, { k: 5, scope: "all", session: "current" });
  assert.deepEqual([aroundTrace.args.before, aroundTrace.args.after], [1, 1]);
  assert.equal(headTrace.args.head, 40);
});
phrase("`query`: for search only", () => {
  assert.deepEqual([currentTrace.query, headTrace.query], ["tokens", undefined]);
});
phrase("`inputs`: searched pool sizes/counts", async () => {
  assert.deepEqual(currentTrace.inputs, { hot: 10, archive: 1, entries: 11 });
  assert.deepEqual(headTrace.inputs, { hot: 10, archive: 1 });
  await using own = await tempStore({ entries, archive });
  await own.ctx(["forget", "H-old", "--yes"]);
  Deno.writeTextFileSync(`${own.workspace}/tokens.md`, "# Tokens\n\nTokens expire.\n");
  await own.run("docs add", { name: "docs", paths: ["tokens.md"] });
  const searched = {
    all: { hot: 10, archive: 1, entries: 11 },
    history: { hot: 9, archive: 1, entries: 10 },
    hot: { hot: 9, archive: 0, entries: 9 },
    archive: { hot: 0, archive: 1, entries: 1 },
    docs: { hot: 1, archive: 0, entries: 1 },
  };
  for (const [scope, inputs] of Object.entries(searched)) {
    await json(own, `ctx search tokens --scope ${scope}`);
    assert.deepEqual((await lastTrace(own)).inputs, inputs, scope);
  }
});
phrase("`ranking`: top-k results (id/source/score/summary)", () => {
  const rows = currentTrace.ranking.map(({ id, rank_source, score_final, summary }: Data) =>
    [id, typeof rank_source, typeof score_final, summary].join()
  );
  assert.deepEqual(rows.sort(), [
    "H-1,string,number,Tokens are opaque",
    "H-4,string,number,Tokens expire",
  ]);
});
phrase("which pool(s) were searched (hot/archive/all)", async () => {
  const [found] = (await json(t, "ctx search cookies")).results;
  assert.equal(found.pool, "archive");
  assert.equal((await lastTrace(t)).ranking[0].pool, "archive");
});
phrase("`budgets`: caps used (k cap, summary cap, pack threshold, json head)", () => {
  assert.deepEqual(currentTrace.budgets, { k: 50, summary_chars: 160, snippet_chars: 300 });
  assert.equal(packTrace.budgets.tokens, packed.budget);
  assert.deepEqual(headTrace.budgets, { head: 40 });
});
phrase("`truncation`: what was truncated (if any)", () => {
  assert.equal(currentTrace.truncation, undefined);
  assert.equal(headed.results[0].truncated, true);
  assert.deepEqual(headTrace.truncation.texts, ["H-5"]);
  assert.equal(cutTrace.truncation.summaries, 1);
});
phrase("`state_revision`: correlates to `.contextfs/state.json`", () => {
  assert.equal(currentTrace.state_revision, stats.revision);
});
phrase("optional: `duration_ms`", () => assert.equal(typeof currentTrace.duration_ms, "number"));
phrase("which `session_id` filter was applied (if any)", () => {
  assert.deepEqual([currentTrace.session, aroundTrace.session], [uuid, uuid]);
});
phrase("store IDs + short summaries only", () => {
  const summaries = cutTrace.ranking.map(({ summary }: Data) => summary);
  assert.ok(summaries.every((line: string) => line.length <= 121), summaries);
});
phrase("do not store full L2 turn text in traces by default", () => {
  assert.doesNotMatch(t.read("retrieval.traces.ndjson"), /The end\./);
});
phrase("what query ran (and args)", () => {
  const { query, args, command } = cutTrace;
  assert.deepEqual([command, query, args.query, args.k], [
    "search",
    "retry queue",
    "retry queue",
    5,
  ]);
});
phrase("why the top results won (IDs + bounded summaries)", () => {
  const [first] = cutTrace.ranking;
  assert.equal(first.id, "H-5");
  assert.match(first.summary, /^The retry queue drains slowly\./);
  assert.match(first.rank_source, /^(lexical|vector|hybrid)$/);
  assert.ok(first.score_lex > 0 && first.score_final > 0);
});
phrase("whether budgets/truncation affected output", async () => {
  await json(t, "ctx search tokens --k 1 --budget 50");
  const { budgets, truncation } = await lastTrace(t);
  assert.deepEqual([budgets.tokens, truncation.rows], [50, 1]);
});
phrase("`ctx traces [--tail N] [--json]`", async () => {
  assert.equal(traces.traces.length, 3);
  assert.match((await t.ctx(["traces", "--tail", "1"])).stdout, /^T-\S+\t.*\tsearch\t/);
});
phrase("`ctx trace <trace_id> [--json]`", async () => {
  assert.deepEqual(one.trace, currentTrace);
  assert.match((await t.ctx(["trace", currentTrace.trace_id])).stdout, /H-4/);
});
phrase("Traces are written for `search/timeline/get` (and meaningful errors)", () => {
  assert.deepEqual([failTrace.command, failTrace.ok, failTrace.error.code], [
    "get",
    false,
    "NOT_FOUND",
  ]);
});
phrase("Traces with stable schema", () => {
  const names = ["trace_id", "ts", "command", "args", "inputs", "ranking", "budgets"];
  const each = [...names, "state_revision", "duration_ms"];
  for (const trace of [currentTrace, aroundTrace, headTrace, failTrace]) {
    assert.deepEqual(each.filter((name) => !(name in trace)), [], trace.command);
  }
});
phrase("Trace writes are atomic/append-only and lock-aware", async () => {
  await using own = await tempStore({ entries: ["one beacon"] });
  const runs = Array.from({ length: 6 }, () => own.ctx(["search", "beacon"]));
  assert.ok((await Promise.all(runs)).every(({ code }) => code === 0));
  const lines = own.read("retrieval.traces.ndjson").trimEnd().split("\n");
  assert.equal(new Set(lines.map((line) => JSON.parse(line).trace_id)).size, 6);
});
phrase("Growth is bounded deterministically (rotation or max entries)", async () => {
  await using own = await tempStore({ entries: ["one beacon"] });
  own.write("retrieval.traces.ndjson", `${" ".repeat(traceFileBytes)}\n`);
  await own.run("search", { query: "beacon" });
  assert.ok(own.read("retrieval.traces.ndjson.1").length > traceFileBytes);
  await own.run("search", { query: "beacon" });
  assert.equal((await own.run<Data>("traces")).traces.length, 2);
  assert.ok(own.read("retrieval.traces.ndjson").length < 5000);
});

// Feature 3: MCP.

/** Everything that is asked over MCP, by one client. */
async function talk(): Promise<Record<string, ToolReply> & { tools: Data }> {
  await using mcp = await connectMcp(t.workspace);
  const { tools } = await mcp.client.listTools();
  const calls: [string, string, Record<string, unknown>][] = [
    ["search", "search", { query: "tokens", k: 2, scope: "all", session: "S-a" }],
    ["everywhere", "search", { query: "tokens" }],
    ["current", "search", { query: "tokens", session_id: "current" }],
    ["timeline", "timeline", { anchor_id: "H-1", before: 1, after: 1, session: uuid }],
    ["get", "get", { id: "H-5", head: 40, session: uuid }],
    ["second", "get", { id: "H-1", head: 100, session: uuid }],
    ["guide", "__IMPORTANT", {}],
    ["wrong", "search", { query: "tokens", k: "many" }],
    ["unknown", "get", { id: "H-4", path: "/etc/passwd" }],
    ["outside", "get", { id: "../../../etc/passwd", head: 100 }],
    ["elsewhere", "docs add", { name: "secrets", paths: ["/etc/hosts"] }],
  ];
  const replies: [string, ToolReply][] = [];
  for (const [name, tool, input] of calls) {
    const reply = await mcp.call(tool, input).catch((error): ToolReply => ({
      isError: true,
      text: String(error),
      data: undefined,
    }));
    replies.push([name, reply]);
  }
  return Object.assign(Object.fromEntries(replies), { tools });
}
const mcp = await talk();
const tools: string[] = mcp.tools.map(({ name }: Data) => name);

phrase("MCP server can be launched via a config entry and responds over stdio", () => {
  assert.ok(tools.length > 3, tools.join());
});
phrase("Tools exist for `search`, `timeline`, `get`, plus `__IMPORTANT`", () => {
  const wanted = ["search", "timeline", "get", "__IMPORTANT"];
  assert.deepEqual(wanted.filter((name) => !tools.includes(name)), []);
});
phrase("`search(query, k, scope, session?)` -> compact index rows (IDs + summaries)", () => {
  const { results } = mcp.search.data;
  assert.equal(results.length, 2);
  assert.ok(results.every(({ id, ts }: Data) => /^H-/.test(id) && typeof ts === "string"));
  assert.match(mcp.search.text, /Tokens rotate daily/);
});
phrase(
  "`timeline(anchor_id, before, after, session?)` -> chronological window around anchor",
  () => {
    assert.deepEqual(idsOf(mcp.timeline.data), ["H-3", "H-1", "H-4"]);
    assert.match(mcp.timeline.text, /Tokens are opaque/);
  },
);
phrase("`get(id, head, session?)` -> full record detail for a single ID", () => {
  const [row] = mcp.get.data.results;
  assert.deepEqual([row.id, row.text, row.next_offset], ["H-5", long.slice(0, 40), 40]);
  assert.equal(mcp.second.data.results[0].text, "Tokens are opaque");
});
phrase("`__IMPORTANT` -> returns workflow documentation for the agent", () => {
  assert.match(mcp.guide.text, /search[\s\S]*timeline[\s\S]*get/);
});
phrase("JSON responses matching our `ctx ... --json` shapes", () => {
  const [ours] = headed.results;
  const [theirs] = mcp.get.data.results;
  for (const name of ["id", "text", "session_id", "next_offset"]) {
    assert.equal(theirs[name], ours[name], name);
  }
  assert.deepEqual(mcp.get.data.missing ?? [], headed.missing);
});
different(
  doc,
  "MCP rows with all names of --json",
  "rows are brief: `kind` stands for `role` and `type`, `text` for `snippet`, `score` for `score_final`, `session` for the session's title, a day for `ts`; `messages` and `tokens` of a session for `message_count` and `estimated_tokens`. Five rows of a search are 356 tokens with everything around them; under the names of `--json`, with its values, they would be 469, and the complete rows are 1,953 (o200k). A tool that is called by a document's name answers with that document's names.",
  async () => {
    const [brief, named, whole] = await measureRows();
    const isNear = (tokens: number, said: number): boolean => Math.abs(tokens - said) <= 25;
    assert.ok(
      isNear(brief, 356) && isNear(named, 469) && isNear(whole, 1953),
      `${brief} ${named} ${whole}`,
    );
  },
);

/** The tokens of five rows over MCP: as they are, with the names and values of `--json`, and whole. */
async function measureRows(): Promise<number[]> {
  const said = Array.from({ length: 8 }, (_, i) => ({
    id: `H-1m2ff20hgvzrprjc${i}`,
    ts: `2026-01-0${i + 1}T10:00:00.000Z`,
    role: i % 2 ? "assistant" as const : "user" as const,
    type: "turn",
    session_id: `S-1m2few700s4d0k3n${i % 3}`,
    index: i + 1,
    project: "/home/user/project",
    source: { agent: "claude-code", conversation: "40ff2f49-95f2-453b-8b21-9f5d77937a83" },
    text: `We rotate the refresh token on every use, number ${i}. ${"It is revoked. ".repeat(40)}`,
  }));
  await using own = await tempStore({ entries: said });
  await using mcp = await connectMcp(own.workspace);
  const { data } = await mcp.call("search", { query: "refresh token" });
  const whole = await json(own, "ctx search refresh token");
  const results = data.results.map(({ id, text, score, message_index }: Data, i: number) => {
    const { ts, role, type, session_id } = whole.results[i];
    const told = { id, ts, role, type, session_id, message_index };
    return { ...told, snippet: text, score_final: score };
  });
  return [data, { ...data, results }, whole].map((one) => countTokens(JSON.stringify(one)));
}
phrase("Avoid returning massive strings by default", async () => {
  await using own = await tempStore({ entries: [{ id: "H-big", text: "x".repeat(100_000) }] });
  await using server = await connectMcp(own.workspace);
  const { data, text } = await server.call("get", { id: "H-big" });
  assert.ok(text.length < 2000 && data.results[0].text.length < 2000);
  assert.equal(data.results[0].next_offset, data.results[0].text.length);
});
phrase("always support budgeting (`head`)", () => {
  assert.equal(mcp.get.data.results[0].text.length, 40);
});
phrase("MCP server only reads/writes `.contextfs/` under a chosen workspace", () => {
  assert.equal(mcp.elsewhere.isError, true);
  assert.doesNotMatch(mcp.elsewhere.text, /localhost/);
});
phrase("No arbitrary file reads", () => {
  assert.equal(mcp.unknown.isError, true);
  assert.doesNotMatch(mcp.unknown.text, /root:/);
});
phrase("no path traversal", () => {
  assert.equal(mcp.outside.isError, true);
  assert.match(mcp.outside.text, /no such entry/);
});
phrase("session filtering via `session_id` (same semantics as CLI `--session`)", () => {
  assert.deepEqual(idsOf(mcp.current.data), idsOf(current));
});
phrase("Results match CLI behavior closely (same ranking)", () => {
  assert.deepEqual(idsOf(mcp.everywhere.data), idsOf(all));
});
phrase("parameter validation", () => {
  assert.equal(mcp.wrong.isError, true);
  assert.match(mcp.wrong.text, /USAGE/);
});

// Feature 6: vectors and hybrid search. First there is no index at all.

const unindexed = await json(t, "ctx search zebra crossing");
const indexed = await json(t, "ctx reindex");
const manifest = JSON.parse(t.read("index/manifest.json")).manifest;
const hybrid = await json(t, "ctx search rotate tokens --mode hybrid");
const hybridTrace = await lastTrace(t);
const again = await json(t, "ctx search rotate tokens --mode hybrid");
const explained = await json(t, "ctx search tokens --explain --session current");
const inSession = await json(t, "ctx search tokens --mode hybrid --session current");
const indexFiles = [...Deno.readDirSync(`${t.root}/index`)].map(({ name }) => name);

different(
  doc,
  ".contextfs/index.sqlite with an FTS5 table",
  "the index is our own, in files under `.contextfs/index/` that many processes read at once, and is searched through Orama's `search()`; a cold search of 100,000 rows takes a fifth of the time that FTS5 took.",
  () => {
    assert.ok(indexFiles.includes("manifest.json") && indexFiles.some((f) => f.endsWith(".seg")));
    assert.throws(() => Deno.statSync(`${t.root}/index.sqlite`), Deno.errors.NotFound);
  },
);
phrase("the vector index is derived and safe to delete/rebuild", async () => {
  const kept = await json(t, "ctx search tokens");
  Deno.removeSync(`${t.root}/index`, { recursive: true });
  assert.deepEqual(idsOf(await json(t, "ctx search tokens")), idsOf(kept));
  await json(t, "ctx reindex");
  assert.deepEqual((await json(t, "ctx search tokens")).results, kept.results);
});
phrase("durable, local, no external services required", () => {
  assert.equal(indexed.vectors, "local");
});
phrase("Lock-aware writes (reuse `.contextfs/.lock`)", async () => {
  using lock = await Deno.open(`${t.root}/.lock`, { read: true, write: true, create: true });
  await lock.lock(true);
  const { code, stderr } = await t.ctx(["save", "blocked"], { env: { CTX_LOCK_TIMEOUT_MS: "1" } });
  assert.equal(code, 4);
  assert.match(stderr, /Cannot lock the store/);
});
phrase("Deterministic rebuild (`ctx reindex` can recreate it)", async () => {
  await json(t, "ctx reindex --full");
  assert.deepEqual(JSON.parse(t.read("index/manifest.json")).manifest.segments, manifest.segments);
});
phrase("index rows: `id`, `ts`, `session_id`, `type`, `role`, `summary`", () => {
  const [row] = named.results;
  const names = ["id", "ts", "session_id", "type", "role", "summary"];
  assert.deepEqual(names.map((name) => typeof row[name]), names.map(() => "string"));
});
phrase("optional `text_preview`", async () => {
  const words = ["search", "tokens", "--session", "S-a", "--format", "{id} {text_preview}"];
  const { stdout } = await t.ctx(words);
  const rows = named.results.map(({ id, snippet }: Data) => `${id} ${snippet}\n`);
  assert.equal(stdout, rows.join(""));
  assert.match(stdout, /[Tt]okens/);
});
phrase("`bm25()` scoring plus small, bounded boosts (recency, source, session filter)", () => {
  const { terms, boosts } = explained.results[0].explain;
  assert.ok(terms[0].idf > 0 && terms[0].contribution > 0);
  assert.ok(boosts.recency >= 1 && boosts.recency <= 1.05, boosts.recency);
  assert.equal(boosts.session, 1.05);
  assert.deepEqual([boosts.saved, boosts.record], [1, 1]);
});
phrase("Providers: `none`: lexical only", async () => {
  const { stdout } = await t.ctx(["search", "tokens", "--json"], {
    env: { CTX_EMBEDDER_KIND: "none" },
  });
  const { retrieval, results } = JSON.parse(stdout);
  assert.equal(retrieval.branch, "lexical");
  assert.ok(results.every(({ score_vec }: Data) => score_vec === null));
});
different(
  doc,
  "none (default)",
  "the default is `local`: its vectors are made offline inside ctx, so search goes by meaning from the start; `none` turns that off at once.",
  async () => {
    const { stdout } = await t.ctx(["config", "get", "embedder.kind"]);
    assert.equal(stdout.trim(), "local");
  },
);
phrase("`external`: compute embeddings via configured API", async () => {
  await using own = await tempStore();
  const asked: Data[] = [];
  await using api = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { model, input } = await request.json();
      asked.push({ model, input });
      return Response.json({
        data: input.map((_: string, index: number) => ({ index, embedding })),
      });
    },
  );
  const embedding = [1, ...Array(15).fill(0)];
  const set = await own.ctx(["config", "set", "--user", "embedder.kind", "external"]);
  assert.equal(set.code, 0, set.stderr);
  const env = {
    CTX_EMBEDDER_URL: `http://127.0.0.1:${api.addr.port}/v1`,
    CTX_EMBEDDER_MODEL: "small",
    CTX_EMBEDDER_DIMENSIONS: "16",
  };
  await own.run("save", { text: "Herons wade" });
  const { code, stdout, stderr } = await own.ctx(["reindex", "--vectors", "--json"], { env });
  assert.equal(code, 0, stderr);
  const { model, dim } = JSON.parse(stdout);
  assert.deepEqual([model, dim, asked.length], ["small", 16, 1]);
});
phrase("`local`: compute embeddings via a local model", () => {
  assert.equal(hybrid.retrieval.branch, "hybrid");
});
phrase("normalize inputs consistently", async () => {
  const scores = (found: Data): string[] =>
    found.results.map(({ id, score_vec }: Data) => `${id} ${score_vec}`);
  const plain = await t.ctx(["search", "rotate tokens", "--mode", "vector", "--json"]);
  const other = await t.ctx(["search", "  Rotate   TOKENS ", "--mode", "vector", "--json"]);
  assert.deepEqual(scores(JSON.parse(other.stdout)), scores(JSON.parse(plain.stdout)));
  assert.ok(scores(JSON.parse(plain.stdout)).length > 0);
});
phrase("store `model` and `dim`", () => {
  assert.deepEqual([indexed.model, indexed.dim], ["local", 256]);
  assert.deepEqual([manifest.model.name, manifest.model.dimensions], ["local", 256]);
});
phrase("cosine similarity in JS with a bounded candidate pool", () => {
  assert.ok(hybrid.results.some(({ score_vec }: Data) => score_vec > 0 && score_vec <= 1));
  assert.ok(hybridTrace.candidates.vector <= 11);
});
phrase("Merge by `id`, keep best composite score", () => {
  // An id that two sessions use names an entry of each.
  const ids = hybrid.results.map(({ id, session_id }: Data) => `${id} ${session_id}`);
  assert.ok(ids.length > 0);
  assert.equal(new Set(ids).size, ids.length);
});
phrase("Deterministic rerank: base score + bounded boosts", () => {
  const scores = hybrid.results.map(({ score_final }: Data) => score_final);
  assert.deepEqual(scores, scores.toSorted((a: number, b: number) => b - a));
});
phrase("stable tie-breakers: `ts` desc, then `id` asc", async () => {
  const { stdout } = await t.ctx([
    "search",
    "zebra",
    "--mode",
    "lexical",
    "--all-copies",
    "--json",
  ]);
  const { results } = JSON.parse(stdout);
  assert.deepEqual(idsOf({ results }), ["H-z", "H-x", "H-y"]);
});
phrase("additive fields (`rank_source`, `score_lex`, `score_vec`, `score_final`)", () => {
  const [row] = hybrid.results;
  assert.match(row.rank_source, /^(lexical|vector|hybrid)$/);
  assert.deepEqual([row.score_lex, row.score_vec, row.score_final].map((n) => typeof n), [
    "number",
    "number",
    "number",
  ]);
});
phrase("`ctx reindex` rebuilds lexical tables from history + archive index", () => {
  assert.equal(indexed.rows, [...entries, ...archive].length);
});
phrase("embeddings rebuild via `ctx reindex --vectors`", async () => {
  assert.equal((await json(t, "ctx reindex --vectors")).vectors, "local");
});
phrase("GC removes embeddings for missing ids", async () => {
  await using own = await tempStore({ entries: ["a heron", "a stork"] });
  await json(own, "ctx reindex");
  const vectors = (): Data[] => JSON.parse(own.read("index/manifest.json")).manifest.segments;
  assert.equal(vectors()[0].rows, 2);
  await own.ctx(["forget", "H-H1", "--yes"]);
  await own.ctx(["gc", "--yes"]);
  await json(own, "ctx reindex");
  const rows = vectors().reduce((sum, { rows, dead }) => sum + rows - dead.length, 0);
  assert.equal(rows, 1);
  assert.deepEqual(idsOf(await json(own, "ctx search heron --mode vector")), []);
});
phrase("traces record branch usage (`lexical`, `vector`, `hybrid`), candidate counts", () => {
  assert.equal(hybridTrace.branch, "hybrid");
  assert.deepEqual(Object.keys(hybridTrace.candidates), ["lexical", "vector", "fused"]);
});
phrase("traces record budgets, and top-k score fields", () => {
  assert.equal(hybridTrace.budgets.k, 50);
  const { score_lex, score_vec, score_final } = hybrid.results[0];
  const [row] = hybridTrace.ranking;
  assert.deepEqual([row.score_lex, row.score_vec, row.score_final], [
    score_lex,
    score_vec,
    score_final,
  ]);
});
phrase("`ctx search` continues to work with no SQLite file present (fallback remains)", () => {
  assert.equal(unindexed.retrieval.engine, "scan");
  assert.ok(unindexed.hits > 0);
});
phrase("hybrid results are deterministic", () => assert.deepEqual(again, hybrid));
phrase("session filter interaction", () => {
  assert.deepEqual([inSession.session, ...idsOf(inSession).slice(0, 2).sort()], [
    uuid,
    "H-1",
    "H-4",
  ]);
  assert.ok(inSession.results.every(({ session_id }: Data) => session_id === uuid));
});
phrase(
  "no source-of-truth data stored in the index: `.contextfs/history*.ndjson` remain it",
  () => {
    assert.equal(t.read("history.ndjson"), before);
  },
);

checkPhrases(doc);
globalThis.addEventListener("unload", () => Deno.removeSync(t.workspace, { recursive: true }));
