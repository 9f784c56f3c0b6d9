// The document of dex, phrase by phrase: its four tools as agents call them, its command lines with
// `ctx` before them, its formats, its batches and its chat.

import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openContext } from "../../../src/app/app.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import type { Entry } from "../../../src/core/entry.ts";
import { countTokens } from "../../../src/core/tokens.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { startListening } from "../../support/processes/listening_ctx.ts";
import { checkPhrases, different, phrase as say } from "../../support/phrases.ts";
import { ctxCommand, isolatedEnv } from "../../support/processes/run_ctx.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

type Rows = Record<string, unknown>[];
// deno-lint-ignore no-explicit-any
type Answer = any;

/** Conversations of four agents in two projects: id, agent, project, day, what was said. */
const conversations: [string, string, string, string, [Entry["role"], string][]][] = [
  ["S-auth", "claude-code", "/home/u/myapp", "2025-01-10", [
    ["user", "How do I implement auth?"],
    ["assistant", `I'll help you implement JWT auth.\n${"Each token is signed. ".repeat(300)}`],
    ["tool", "test/auth_test.ts: 14 passed"],
    ["user", "Can you add refresh tokens?"],
    ["assistant", "Sure, here's the refresh token flow: rotate them on every use."],
    ["user", "And when one of them leaks?"],
    ["assistant", "Then revoke the whole family of refresh tokens."],
    ["user", "Thanks, that is all about auth."],
  ]],
  ["S-errors", "cursor", "/home/u/myapp/web", "2025-01-20", [
    ["user", "What is our approach to error handling?"],
    ["assistant", "Errors carry a code and a hint; error handling is at the edge only."],
  ]],
  ["S-queue", "codex", "/home/u/other", "2025-02-05", [
    ["user", "The queue drops messages on restart"],
    ["assistant", "Acknowledge after the handler, never before it."],
  ]],
  ["S-style", "opencode", "/home/u/other", "2025-02-06", [
    ["user", "Never use default exports"],
    ["assistant", "I will use named exports only."],
  ]],
];

const entries = conversations.flatMap(([session_id, agent, project, day, said]) =>
  said.map(([role, text], i): Partial<Entry> => ({
    id: `H-${session_id.slice(2)}${i + 1}`,
    ts: `${day}T10:0${i}:00.000Z`,
    role,
    type: role === "tool" ? "tool_output" : "turn",
    text,
    session_id,
    index: i + 1,
    project,
    source: { agent },
    ...(role === "assistant" ? { model: session_id === "S-auth" ? "claude-opus-4" : "gpt-5" } : {}),
    // One message touched a file; the filter is for the conversation.
    ...(session_id === "S-auth" && i === 1 ? { files: ["src/auth.ts"] } : {}),
  }))
);

/** What ctx makes of a conversation by itself: it names no agent and has no number of its own. */
const derived: Partial<Entry> = {
  id: "H-derived",
  ts: "2025-02-05T10:02:00.000Z",
  role: "note",
  type: "decision",
  text: "Handlers are idempotent",
  session_id: "S-queue",
  refs: ["H-queue2"],
  record: { by: "rules" },
};

const titles: Record<string, string> = { "S-auth": "JWT auth", "S-queue": "Lost messages" };
const events = Object.entries(titles).map(([session_id, title]) =>
  `${JSON.stringify({ event: "titled", session_id, ts: "2025-03-01T00:00:00.000Z", title })}\n`
);

// Agents leave files of sessions in which nothing was said.
const empty = { event: "imported", session_id: "S-empty", ts: "2025-01-01T00:00:00.000Z" };
events.push(`${JSON.stringify({ ...empty, source: "codex" })}\n`);

const t = await tempStore({
  entries: [...entries, derived],
  files: { "sessions.ndjson": events.join("") },
});
globalThis.addEventListener("unload", () => Deno.removeSync(t.workspace, { recursive: true }));

const commands = await loadCommands();
const all = conversations.map(([id]) => id);

function phrase(said: string, check: () => void | Promise<void>): void {
  say("dex", said, check);
}

/** Calls a tool as an agent does, listed or not. */
async function call(name: string, input: object = {}): Promise<Answer> {
  const context = openContext({ workspace: t.workspace, env: () => undefined });
  const catalog = makeCatalog({ commands, findCommand, context });
  const tool = catalog.tools.find(({ definition }) => definition.name === name) ??
    await catalog.findTool?.(name);
  assert.ok(tool, `there is no ${name}`);
  const answer = await tool.call(input, { signal: context.signal });
  assert.ok(!answer.isError, JSON.stringify(answer));
  return answer.structuredContent;
}

/** The result of a command line of dex with `--json`. */
function dex(...words: string[]): Promise<Answer> {
  return json("dex", ...words);
}

/** The result of a command line with `--json`. */
async function json(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await t.ctx([...words, "--json"]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function idsOf(rows: Rows): unknown[] {
  return rows.map(({ id }) => id);
}

// Use cases

phrase('"What did I do on the auth API?": targeted search, then expand', async () => {
  const { results: [row] } = await call("dex_search", { query: "auth API" });
  assert.equal(row.id, "S-auth");
  const expand = { message_index: row.message_index };
  const { conversations: [read] } = await call("dex_get", {
    ids: [row.id],
    format: "full",
    expand,
  });
  assert.ok(read.messages.some(({ index }: { index: number }) => index === row.message_index));
});

phrase('"Summarize today\'s work": a time-bounded set', async () => {
  const { conversations } = await call("dex_list", { from: "2025-02-06", to: "2025-02-06" });
  assert.deepEqual(idsOf(conversations), ["S-style"]);
});

phrase('"Extract cursor rules": all conversations, each in one batch', async () => {
  const { batches } = await call("batch", { target_tokens: 2000, format: "stripped" });
  const ids = batches.flatMap(({ sessions }: { sessions: Rows }) => idsOf(sessions));
  assert.deepEqual([...new Set(ids)].sort(), [...all].sort());
});

phrase('"Build personal eval set": sample, then deep analysis', async () => {
  const { conversations: [one] } = await call("dex_list", { limit: 1, offset: 3 });
  const { conversations: [read] } = await call("dex_get", { ids: [one.id], format: "full" });
  assert.equal(read.messages.length, one.message_count);
});

phrase('"What\'s my preference for error handling?": search and aggregate', async () => {
  const { results } = await call("dex_search", { query: "error handling" });
  assert.equal(results[0].id, "S-errors");
  const { facets } = await json("search", "error handling", "--facets", "project,source");
  assert.deepEqual(Object.keys(facets).sort(), ["project", "source"]);
});

// dex_stats

phrase("dex_stats() → total_conversations", async () => {
  assert.equal((await call("dex_stats")).total_conversations, 4);
});

phrase("dex_stats() → total_messages", async () => {
  assert.equal((await call("dex_stats")).total_messages, 14);
});

phrase("dex_stats() → date_range: { earliest, latest }", async () => {
  assert.deepEqual((await call("dex_stats")).date_range, {
    earliest: "2025-01-10T10:00:00.000Z",
    latest: "2025-02-06T10:01:00.000Z",
  });
});

phrase("dex_stats() → sources: Record<string, number>", async () => {
  const { sources } = await call("dex_stats");
  assert.deepEqual(sources, { claude_code: 1, cursor: 1, codex: 1, opencode: 1 });
});

phrase("dex_stats() → projects: string[], top 20 by activity", async () => {
  const { projects } = await call("dex_stats");
  assert.deepEqual(projects, ["/home/u/myapp", "/home/u/other", "/home/u/myapp/web"]);
});

phrase("dex_stats() → avg_tokens_per_conversation", async () => {
  const tokens = entries.reduce((sum, { text = "" }) => sum + countTokens(text), 0);
  assert.equal((await call("dex_stats")).avg_tokens_per_conversation, Math.round(tokens / 4));
});

phrase("dex_stats() counts conversations only, as dex_list shows them", async () => {
  await using bare = await tempStore();
  await bare.run("save", { text: "One conversation of a few words", session: "S-bare" });
  Deno.writeTextFileSync(`${bare.workspace}/long.md`, `# Long\n\n${"Many words. ".repeat(200)}\n`);
  await bare.run("docs add", { name: "docs", paths: ["long.md"] });
  const answer = async (...words: string[]): Promise<Answer> =>
    JSON.parse((await bare.ctx(["dex", ...words, "--json"])).stdout);
  const { conversations: [row] } = await answer("list", "--source", "ctx");
  const { total_messages, sources, projects, avg_tokens_per_conversation } = await answer("stats");
  assert.deepEqual([total_messages, sources, projects, avg_tokens_per_conversation], [
    row.message_count,
    { [row.source]: 1 },
    [row.project],
    row.estimated_tokens,
  ]);
});

// dex_list

phrase("dex_list({ project }): substring match on project path", async () => {
  const { conversations } = await call("dex_list", { project: "myapp" });
  assert.deepEqual(idsOf(conversations), ["S-errors", "S-auth"]);
});

phrase("dex_list({ source }): cursor | claude_code | codex | opencode", async () => {
  for (const [source, id] of Object.entries(agents)) {
    assert.deepEqual(idsOf((await call("dex_list", { source })).conversations), [id]);
  }
});

const agents = { cursor: "S-errors", claude_code: "S-auth", codex: "S-queue", opencode: "S-style" };

phrase("dex_list({ from }): ISO date", async () => {
  const { conversations } = await call("dex_list", { from: "2025-02-06" });
  assert.deepEqual(idsOf(conversations), ["S-style"]);
});

phrase("dex_list({ to }): ISO date", async () => {
  assert.deepEqual(idsOf((await call("dex_list", { to: "2025-01-10" })).conversations), ["S-auth"]);
});

phrase("dex_list({ limit }): default 20", async () => {
  assert.equal((await findCommand("sessions"))?.input.limit.schema.default, 20);
  assert.equal((await call("dex_list", { limit: 2 })).conversations.length, 2);
});

phrase("dex_list({ offset }): for pagination", async () => {
  const pages = await Promise.all([0, 2].map((offset) => call("dex_list", { limit: 2, offset })));
  const ids = pages.flatMap(({ conversations }) => idsOf(conversations));
  assert.deepEqual(ids, ["S-style", "S-queue", "S-errors", "S-auth"]);
});

for (
  const [field, value] of Object.entries({
    id: "S-auth",
    title: "JWT auth",
    project: "/home/u/myapp",
    source: "claude_code",
    date: "2025-01-10T10:00:00.000Z",
    message_count: 8,
  })
) {
  phrase(`dex_list() → conversations[].${field}`, async () => {
    assert.deepEqual((await call("dex_list")).conversations[3][field], value);
  });
}

phrase("dex_list() → conversations[].estimated_tokens", async () => {
  const said = entries.filter(({ session_id }) => session_id === "S-auth");
  const tokens = said.reduce((sum, { text = "" }) => sum + countTokens(text), 0);
  assert.equal((await call("dex_list")).conversations[3].estimated_tokens, tokens);
});

phrase("dex_list() → total", async () => {
  assert.equal((await call("dex_list", { limit: 1 })).total, 4);
});

phrase("what is empty has the shape of every other answer", async () => {
  const none = { from: "1999-01-01", to: "1999-01-02" };
  const list = { conversations: [], total: 0 };
  assert.deepEqual(withoutNotice(await call("dex_list", none)), list);
  assert.deepEqual(await dex("list", "--from", none.from, "--to", none.to), list);
  const { notes: _, ...found } = await call("dex_search", { query: "zxqv" });
  assert.deepEqual(withoutNotice(found), { results: [], total: 0 });
  await using bare = await tempStore();
  const { stdout } = await bare.ctx(["dex", "stats", "--json"]);
  assert.deepEqual(JSON.parse(stdout), {
    total_conversations: 0,
    total_messages: 0,
    date_range: { earliest: null, latest: null },
    sources: {},
    projects: [],
    avg_tokens_per_conversation: 0,
  });
  await bare.run("save", { text: "untitled", role: "note", session: "S-bare" });
  const context = openContext({ workspace: bare.workspace, env: () => undefined });
  const tool = await makeCatalog({ commands, findCommand, context }).findTool?.("dex_list");
  const told = await tool?.call({}, { signal: context.signal });
  const [row] = (told?.structuredContent as Answer).conversations;
  const { id, title, source, message_count } = row;
  assert.deepEqual([id, title, source, message_count], ["S-bare", "", "ctx", 1]);
});

/** An answer without the line that every one has which tells stored words. */
function withoutNotice({ notice: _, ...rest }: Answer): Answer {
  return rest;
}

// dex_search

phrase("dex_search({ query }): required", async () => {
  await assert.rejects(call("dex_search"), /\\"query\\" is missing/);
});

phrase("dex_search: FTS + semantic hybrid", async () => {
  const { retrieval, mode } = await json("search", "error handling");
  assert.deepEqual([mode, retrieval.branch], ["auto", "hybrid"]);
});

phrase("dex_search({ file }): filter by file path involvement", async () => {
  const { results } = await call("dex_search", { query: "auth tokens", file: "src/auth.ts" });
  assert.deepEqual(idsOf(results), ["S-auth"]);
  assert.equal((await call("dex_search", { query: "auth", file: "src/no.ts" })).total, 0);
  const { results: [row] } = await call("dex_search", {
    query: "revoke the whole family",
    file: "src/auth.ts",
  });
  assert.deepEqual([row.id, row.message_index], ["S-auth", 7], "another message touched it");
  const { total } = await json("search", "revoke the whole family", "--file", "src/auth.ts");
  assert.equal(total, 0, "entries are filtered by what they touch themselves");
  assert.equal((await dex("search", "revoke family NOT file:src/auth.ts")).total, 0);
});

phrase("dex_search({ project }): substring match", async () => {
  const { results } = await call("dex_search", { query: "error handling", project: "myapp/we" });
  assert.deepEqual(idsOf(results), ["S-errors"]);
  assert.equal((await call("dex_search", { query: "queue", project: "myapp" })).total, 0);
});

phrase("dex_search({ source }): cursor | claude_code | codex | opencode", async () => {
  const queries = { ...agents, cursor: "error handling", claude_code: "auth" };
  for (const [source, id] of Object.entries(agents)) {
    const query = { ...queries, codex: "queue", opencode: "exports" }[source];
    assert.deepEqual(idsOf((await call("dex_search", { query, source })).results), [id]);
  }
});

phrase("dex_search: what was derived from a conversation has its source and message", async () => {
  const { results: [row] } = await call("dex_search", { query: "idempotent", source: "codex" });
  const { id, source, message_index } = row;
  assert.deepEqual([id, source, message_index], ["S-queue", "codex", 2]);
  assert.equal((await call("dex_search", { query: "idempotent", source: "cursor" })).total, 0);
  const { results: [own] } = await json("search", "idempotent", "--source", "codex");
  assert.deepEqual([own.id, own.source, own.message_index], ["H-derived", { agent: "codex" }, 2]);
});

phrase("dex_search({ from, to }): ISO dates", async () => {
  const times = { from: "2025-01-01", to: "2025-01-31" };
  assert.deepEqual(idsOf((await call("dex_search", { query: "auth", ...times })).results), [
    "S-auth",
  ]);
  assert.equal((await call("dex_search", { query: "queue", ...times })).total, 0);
});

phrase("dex_search({ limit }): default 10", async () => {
  const { otherCommands } = await import("../../../src/command/aliases.ts");
  assert.equal(otherCommands.dex_search.input?.k, 10);
  const { results } = await call("dex_search", { query: "refresh messages exports", limit: 1 });
  assert.equal(results.length, 1);
});

for (
  const [field, value] of Object.entries({
    id: "S-queue",
    title: "Lost messages",
    project: "/home/u/other",
    source: "codex",
    date: "2025-02-05T10:00:00.000Z",
  })
) {
  phrase(`dex_search() → results[].${field}`, async () => {
    const { results } = await call("dex_search", { query: "queue drops messages" });
    assert.deepEqual(results[0][field], value);
  });
}

phrase("dex_search() → results[].snippet: ~300 chars around match", async () => {
  const { results: [row] } = await call("dex_search", { query: "each token is signed" });
  assert.match(row.snippet, /token/);
  assert.ok(row.snippet.length > 200 && row.snippet.length < 400, `${row.snippet.length}`);
});

phrase("dex_search() → results[].message_index: which message matched", async () => {
  const { results: [row] } = await call("dex_search", { query: "revoke the whole family" });
  assert.deepEqual([row.id, row.message_index], ["S-auth", 7]);
});

phrase("dex_search() → results[].estimated_tokens: of the conversation", async () => {
  const { results: [row] } = await call("dex_search", { query: "queue drops messages" });
  const { conversations } = await call("dex_list", { source: "codex" });
  assert.equal(row.estimated_tokens, conversations[0].estimated_tokens);
});

phrase("dex_search() → total", async () => {
  assert.equal((await call("dex_search", { query: "refresh tokens", limit: 1 })).total, 1);
});

// dex_get

phrase("dex_get({ ids }): batch support, always array", async () => {
  const { conversations } = await call("dex_get", {
    ids: ["S-queue", "S-auth"],
    format: "outline",
  });
  assert.deepEqual(idsOf(conversations), ["S-queue", "S-auth"]);
});

async function messagesOf(format: string): Promise<string[]> {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format });
  return read.messages.map(({ role }: { role: string }) => role);
}

phrase("format full: everything including tool outputs", async () => {
  assert.equal((await messagesOf("full")).length, 8);
});

phrase("format stripped: tool outputs removed", async () => {
  const roles = await messagesOf("stripped");
  assert.deepEqual([roles.length, roles.includes("tool")], [7, false]);
});

phrase("format user_only: just user messages", async () => {
  assert.deepEqual(await messagesOf("user_only"), Array(4).fill("user"));
});

phrase("format outline: first line + token count per message", async () => {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format: "outline" });
  assert.equal(read.messages[4].content.split("\n").length, 1);
  assert.match(read.messages[4].content, /\(\d+ tokens\)$/);
});

phrase("dex_get({ expand: { message_index } }): center on this message", async () => {
  assert.deepEqual(await indexesOf({ message_index: 4 }), [2, 3, 4, 5, 6]);
});

async function indexesOf(expand: object): Promise<number[]> {
  const input = { ids: ["S-auth"], format: "full", expand };
  const { conversations: [read] } = await call("dex_get", input);
  return read.messages.map(({ index }: { index: number }) => index);
}

phrase("expand.before: messages before (default 2)", async () => {
  assert.deepEqual(await indexesOf({ message_index: 4, before: 3 }), [1, 2, 3, 4, 5, 6]);
});

phrase("expand.after: messages after (default 2)", async () => {
  assert.deepEqual(await indexesOf({ message_index: 4, after: 0 }), [2, 3, 4]);
});

phrase("dex_get({ max_tokens }): auto-truncate from end if exceeded", async () => {
  const input = { ids: ["S-auth"], format: "stripped", max_tokens: 400 };
  const { conversations: [read] } = await call("dex_get", input);
  assert.equal(read.messages[0].index, 1);
  assert.ok(read.total_tokens <= 400 && read.messages.length < 7);
});

for (const [field, value] of Object.entries({ title: "JWT auth", source: "claude_code" })) {
  phrase(`dex_get() → conversations[].${field}`, async () => {
    const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format: "outline" });
    assert.equal(read[field], value);
  });
}

phrase("dex_get() → conversations[].id, project", async () => {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format: "outline" });
  assert.deepEqual([read.id, read.project], ["S-auth", "/home/u/myapp"]);
});

phrase("dex_get() → messages: [{ index, role, content, tokens }]", async () => {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-queue"], format: "full" });
  assert.deepEqual(Object.keys(read.messages[0]).sort(), ["content", "index", "role", "tokens"]);
  assert.equal(read.messages[0].content, "The queue drops messages on restart");
});

phrase("dex_get() → files", async () => {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format: "outline" });
  assert.deepEqual(read.files, ["src/auth.ts"]);
});

phrase("dex_get() → total_tokens", async () => {
  const { conversations: [read] } = await call("dex_get", { ids: ["S-auth"], format: "user_only" });
  const { conversations: [full] } = await call("dex_get", { ids: ["S-auth"], format: "full" });
  assert.ok(read.total_tokens > 0 && read.total_tokens < full.total_tokens);
});

phrase("dex_get() → has_more_before, has_more_after: only with expand", async () => {
  const ask = async (expand?: object) =>
    (await call("dex_get", { ids: ["S-auth"], format: "outline", expand })).conversations[0];
  const middle = await ask({ message_index: 4 });
  assert.deepEqual([middle.has_more_before, middle.has_more_after], [true, true]);
  const whole = await ask();
  assert.deepEqual(["has_more_before" in whole, "has_more_after" in whole], [false, false]);
});

phrase("Outline Format Example: [User] How do I implement auth? (42 tokens)", async () => {
  const { stdout } = await t.ctx(["dex", "show", "S-auth", "--format", "outline"]);
  const lines = stdout.split("\n").map((line) => line.split("\t")[1]).filter(Boolean);
  assert.match(lines[0], /^\[User\] How do I implement auth\? \(\d+ tokens\)$/);
  assert.match(lines[1], /^\[Assistant\] I'll help you implement JWT auth.* \(1\.\dk tokens\)$/);
});

// The same under our own names

phrase("get(S-…) among the default tools opens what list shows", async () => {
  const { sessions: [newest] } = await call("list", { limit: 1 });
  const { sessions: [read] } = await call("get", { ids: [newest.id], format: "outline" });
  assert.equal(read.messages.length, newest.messages);
});

phrase("dex_get as written works as get: { ids, format, expand, max_tokens }", async () => {
  const expand = { message_index: 4, before: 1, after: 1 };
  const input = { ids: ["S-auth", "S-queue"], format: "stripped", expand, max_tokens: 5000 };
  const { sessions } = await call("get", input);
  assert.deepEqual(idsOf(sessions), ["S-auth", "S-queue"]);
  assert.deepEqual(sessions[0].messages.map(({ index }: { index: number }) => index), [4, 5]);
});

// CLI mapping

phrase("dex stats --summary", async () => {
  const { stdout } = await t.ctx(["dex", "stats", "--summary"]);
  assert.match(stdout, /^4 sessions with 14 messages; 2025-01-10 to 2025-02-06; .*\n$/);
});

phrase("dex stats --json", async () => {
  const { notice: _, ...stats } = await call("dex_stats");
  assert.deepEqual(await dex("stats"), stats);
});

phrase("dex list -l, -s", async () => {
  for (const words of [["-l", "1", "-s", "cursor"], ["-l1", "-scursor"], ["-l=1", "-s=cursor"]]) {
    const { stdout } = await t.ctx(["dex", "list", ...words]);
    assert.match(stdout, /^S-errors\t[^\n]*\n$/);
  }
});

phrase("dex list --json --project myapp --from 2025-01-01 --to 2025-01-31 --limit 50", async () => {
  const times = ["--from", "2025-01-01", "--to", "2025-01-31"];
  const { conversations } = await dex("list", "--project", "myapp", ...times, "--limit", "50");
  assert.deepEqual(idsOf(conversations), ["S-errors", "S-auth"]);
});

phrase("dex list --offset", async () => {
  assert.deepEqual(idsOf((await dex("list", "--offset", "3")).conversations), ["S-auth"]);
});

phrase("dex search -l, -f, -s", async () => {
  const words = ["-l", "1", "-f", "src/auth.ts", "-s", "claude_code"];
  const { results } = await dex("search", "refresh tokens", ...words);
  assert.deepEqual(idsOf(results), ["S-auth"]);
});

phrase("dex search -m: sessions with a model", async () => {
  assert.deepEqual(idsOf((await dex("search", "tokens", "-m", "opus")).results), ["S-auth"]);
  assert.equal((await dex("search", "refresh tokens", "-m", "gpt-5")).total, 0);
  const { code, stderr } = await t.ctx(["dex", "search", "tokens", "-m", "gpt-6"]);
  assert.equal(code, 3);
  assert.match(stderr, /Cannot find the model "gpt-6".*\nhint: models here: claude-opus-4, gpt-5/);
});

phrase('dex search "error handling" --json --project myapp --from 2025-01-01', async () => {
  const words = ["--project", "myapp", "--from", "2025-01-01"];
  const { results } = await dex("search", "error handling", ...words);
  assert.equal(results[0].id, "S-errors");
});

phrase("dex search --to", async () => {
  assert.equal((await dex("search", "queue", "--to", "2025-01-31")).total, 0);
});

phrase("dex search --json: message_index in output, always", async () => {
  const { id } = await t.run<{ id: string }>("save", { text: "A lone note about telescopes" });
  const { results } = await dex("search", "telescopes");
  assert.deepEqual([results[0].id, results[0].message_index], [id, 0]);
  await t.run("forget", { ids: [id], now: true }, { consent: true });
  const [row] = (await dex("search", "revoke the whole family")).results;
  assert.deepEqual(
    [row.message_index, row.project, row.title, row.estimated_tokens > 1000],
    [7, "/home/u/myapp", "JWT auth", true],
  );
});

phrase("dex show <id> --json --format stripped", async () => {
  const { conversations: [read] } = await dex("show", "S-auth", "--format", "stripped");
  assert.equal(read.messages.length, 7);
});

phrase("dex show <id> --json --format outline", async () => {
  const { conversations: [read] } = await dex("show", "S-auth", "--format", "outline");
  assert.equal(read.messages.length, 8);
});

phrase("dex show <id1> <id2> <id3> --json --format user_only", async () => {
  const ids = ["S-auth", "S-errors", "S-queue"];
  const { conversations } = await dex("show", ...ids, "--format", "user_only");
  assert.deepEqual(idsOf(conversations), ids);
});

phrase("dex show <id> --json --expand 5 --before 3 --after 3", async () => {
  const words = ["--expand", "5", "--before", "3", "--after", "3"];
  const { conversations: [read] } = await dex("show", "S-auth", ...words);
  assert.deepEqual(
    read.messages.map(({ index }: { index: number }) => index),
    [2, 3, 4, 5, 6, 7, 8],
  );
  assert.deepEqual([read.has_more_before, read.has_more_after], [true, undefined]);
});

// MCP server

phrase("dex serve: start MCP server (stdio)", async () => {
  const [command, ...args] = ctxCommand("dex", "serve");
  const env = isolatedEnv(t.workspace);
  const transport = new StdioClientTransport({
    ...{ command, args, env },
    cwd: t.workspace,
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const inputs = tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
    name,
    Object.keys(properties).map((one) => required.includes(one) ? one : `${one}?`).join(", "),
  ]);
  assert.deepEqual(Object.fromEntries(inputs), {
    dex_stats: "",
    dex_list: "project?, source?, from?, to?, limit?, offset?",
    dex_search: "query, file?, project?, source?, from?, to?, limit?",
    dex_get: "ids, format, expand?, max_tokens?",
  });
  assert.equal(
    tools[1].description,
    "Browse conversations by metadata filters (date, project, source)",
  );
  const { structuredContent } = await client.callTool({ name: "dex_stats", arguments: {} });
  assert.equal((structuredContent as Answer).total_conversations, 4);
  const expand = { message_index: 4, before: 1, after: 1 };
  const read = await client.callTool({
    name: "dex_get",
    arguments: { ids: ["S-auth"], format: "full", expand },
  });
  const [{ messages }] = (read.structuredContent as Answer).conversations;
  assert.deepEqual(messages.map(({ index }: { index: number }) => index), [3, 4, 5]);
  await client.close();
});

phrase("dex serve --port 3000: HTTP transport", async () => {
  const words = ["dex", "serve", "--port", "0", "--json"];
  await using server = await startListening(words, { cwd: t.workspace });
  const authorization = `Bearer ${server.said.token}`;
  const transport = new StreamableHTTPClientTransport(new URL(`${server.said.mcp}`), {
    requestInit: { headers: { authorization } },
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(names, ["dex_stats", "dex_list", "dex_search", "dex_get"]);
  const called = await client.callTool({ name: "dex_list", arguments: { limit: 1 } });
  assert.deepEqual(idsOf((called.structuredContent as Answer).conversations), ["S-style"]);
  await client.close();
});

phrase("tools: dex_stats, dex_list, dex_search, dex_get over the protocol", async () => {
  await using mcp = await connectMcp(t.workspace);
  for (const [name, input] of Object.entries(calls)) {
    assert.equal((await mcp.call(name, input)).isError, undefined, name);
  }
});

const calls = {
  dex_stats: {},
  dex_list: {},
  dex_search: { query: "auth" },
  dex_get: { ids: ["S-auth"], format: "outline" },
};

phrase("Claude Code Integration: an MCP entry with command and args", async () => {
  const { stdout } = await t.ctx(["setup", "claude-code", "--dry-run", "--no-check"]);
  assert.match(stdout, /"command"/);
  assert.match(stdout, /"args"/);
});

// Chat mode

phrase("dex chat: start ephemeral chat session", async () => {
  const { code, stdout } = await t.ctx(["dex", "chat"], {
    stdin: "how are refresh tokens kept?\n",
  });
  assert.equal(code, 0);
  assert.match(stdout, /rotate/);
});

phrase('dex chat "what patterns do I use for X?": with initial query', async () => {
  const { code, stdout } = await t.ctx([
    "dex",
    "chat",
    "what patterns do I use for error handling?",
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /error handling is at the edge/);
});

different(
  "dex",
  "dex chat spawns OpenCode with ~/.dex/chat-sessions/{timestamp}/{messages.jsonl, metadata.json}",
  "chat answers by itself and needs no other program; a conversation is one file under `.contextfs/chat/`, and the session's row has its title and times",
  async () => {
    await t.ctx(["chat", "what about exports?"]);
    const files = [...Deno.readDirSync(`${t.root}/chat`)].map(({ name }) => name);
    assert.ok(files.length > 0 && files.every((name) => /^S-\w+\.ndjson$/.test(name)), `${files}`);
  },
);

phrase("Session saved for later reference but separate from main history", async () => {
  await t.ctx(["chat", "is there anything about lighthouses?"]);
  assert.equal((await json("search", "lighthouses")).total, 0);
  assert.equal((await call("dex_stats")).total_conversations, 4);
});

phrase("Sessions can be indexed later, or excluded from regular searches", async () => {
  await t.ctx(["chat", "is there anything about windmills?"]);
  const { results } = await json("search", "windmills", "--scope", "chat");
  assert.match(results[0].snippet, /windmills/);
});

// Batch processing

phrase("Pattern: dex_stats, dex_list({ limit: 500 }), then batches for subagents", async () => {
  const { conversations } = await call("dex_list", { limit: 500 });
  assert.equal(conversations.length, (await call("dex_stats")).total_conversations);
});

phrase("Subagents have access to same MCP tools: a prompt for them", async () => {
  const prompt = await Deno.readTextFile(new URL("../../../agents/retrieval.md", import.meta.url));
  assert.match(prompt, /search/);
});

phrase("Target: ~80K tokens per subagent batch", async () => {
  assert.equal((await json("batch")).target_tokens, 80_000);
});

phrase("Typical conversation stripped: batches count what the format returns", async () => {
  const sizes = ["full", "stripped", "user_only", "outline"].map(async (format) => {
    const { batches } = await json("batch", "--format", format);
    const { sessions } = await json("show", ...all, "--format", format);
    const shown = sessions.reduce((sum: number, row: Answer) => sum + row.total_tokens, 0);
    assert.equal(batches[0].estimated_tokens, shown, format);
    return shown;
  });
  const [full, stripped, user] = await Promise.all(sizes);
  assert.ok(full > stripped && stripped > user);
});

phrase("~10 conversations per batch: whole ones are packed together", async () => {
  const { batches } = await json("batch", "--target-tokens", "2500");
  assert.deepEqual(batches.map(({ sessions }: { sessions: Rows }) => sessions.length), [4]);
});

// Token budgets

phrase("All tools return estimated_tokens", async () => {
  for (const words of [["search", "auth"], ["list"], ["show", "S-auth"], ["stats"]]) {
    assert.equal(typeof (await json(...words)).estimated_tokens, "number", words[0]);
  }
});

phrase("max_tokens is a safety valve: what does not fit is named", async () => {
  const input = { ids: ["S-queue", "S-auth"], format: "full", max_tokens: 150 };
  const { conversations, skipped_ids } = await call("dex_get", input);
  assert.deepEqual([idsOf(conversations), skipped_ids], [["S-queue"], ["S-auth"]]);
});

// Future considerations

phrase("dex extract-rules", async () => {
  const { rules } = await dex("extract-rules");
  assert.match(JSON.stringify(rules), /Never use default exports/);
});

phrase("dex summarize --period week", async () => {
  const { since, until } = await dex("summarize", "--period", "week");
  const days = (Date.parse(until) - Date.parse(since)) / 86_400_000;
  assert.ok(days > 6 && days <= 7, `${days}`);
});

phrase("Cross-source expansion: the architecture supports others", async () => {
  const { stdout } = await t.ctx(["import", "--help"]);
  assert.match(stdout, /Claude Code, Codex, OpenCode, Cursor and more/);
  assert.match(stdout, /--root TEXT/);
});

checkPhrases("dex");
