// Filters tell the truth: a value that nobody has is an error with those that exist, where they can be
// listed, and else an answer that says so; agents go by the names that people give them.

import assert from "node:assert/strict";
import { sourceTable } from "../../../src/intake/import/source_table.ts";
import { agentNames, toAgentName } from "../../../src/core/rows/agent_names.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const entries = [
  { text: "token rotation in the shop", type: "decision", tags: ["auth"], branch: "main" },
  {
    text: "token rotation as it was said",
    role: "user" as const,
    type: "turn",
    session_id: "S-1",
    source: { agent: "claude-code" },
    files: ["src/auth.ts"],
    project: "/work/shop",
  },
  { text: "token rotation by another", type: "turn", source: { agent: "codex" } },
];

interface Found {
  total: number;
  results: { id: string }[];
  retrieval: { coverage: { nearest_terms?: Record<string, string[]> } };
}

Deno.test("a role, a type, an agent and a collection that nobody has are errors that name the others", async () => {
  await using t = await tempStore({ entries });
  const messages: Record<string, [Record<string, string | string[]>, string]> = {
    role: [
      { role: "usr" },
      'Cannot search by role "usr": no such value (did you mean "user"?); known: user, assistant, system, tool, note',
    ],
    type: [
      { type: "decison" },
      'Cannot search by type "decison": no such value (did you mean "decision"?); known: turn, decision',
    ],
    "one of two types": [
      { type: "turn,decison" },
      'Cannot search by type "decison": no such value (did you mean "decision"?); known: turn, decision',
    ],
    source: [
      { source: "clyde" },
      'Cannot search by source "clyde": no such value; known: claude-code, codex',
    ],
    collection: [
      { collections: ["rules"] },
      'Cannot search by collection "rules": no such value; none are known',
    ],
  };
  for (const [name, [input, message]] of Object.entries(messages)) {
    const error = await t.fail("search", { query: "token", ...input });
    assert.deepEqual([error.code, error.message], ["USAGE", message], name);
  }
  const typed = await t.fail("search", { query: "token type:decison" });
  assert.equal(typed.message, messages.type[1]);
  assert.equal(typed.hint, 'leave the filter out, or quote "type:decison" to search for the words');
  // What a forget leaves in the log is no type that one could ask for.
  const { id } = await t.run("save", { text: "token", type: "turn" });
  await t.run("forget", { ids: [id] });
  for (const command of [undefined, "reindex"]) {
    if (command !== undefined) await t.run(command);
    const error = await t.fail("search", { query: "token", type: "decison" });
    assert.equal(error.message, messages.type[1]);
    const offers = await t.ctx(["completions", "--of", "type"]);
    assert.equal(offers.stdout, "decision\t\nturn\t\n");
  }
});

Deno.test("what ctx knows of and nobody has here is no error: the answer says what there is", async () => {
  await using t = await tempStore({ entries });
  for (
    const [input, near] of [
      [{ type: "preference" }, { "type:preference": ["turn", "decision"] }],
      [{ source: "cursor" }, { "source:cursor": ["claude-code", "codex"] }],
      [{ source: "gemini_cli" }, { "source:gemini": ["claude-code", "codex"] }],
      [{ role: "tool" }, { "role:tool": ["note", "user"] }],
      [{ tag: "atuh" }, { "tag:atuh": ["auth"] }],
      [{ tag: "aut" }, { "tag:aut": ["auth"] }],
      [{ file: "auht.ts" }, { "file:auht.ts": ["src/auth.ts"] }],
      [{ branch: "mian" }, { "branch:mian": ["main"] }],
      [{ project: "shopp" }, { "project:shopp": ["/work/shop"] }],
      [{ type: "x*" }, { "type:x*": [] }],
    ] as const
  ) {
    const { total, retrieval } = await t.run<Found>("search", { query: "token", ...input });
    assert.equal(total, 0);
    assert.deepEqual(retrieval.coverage.nearest_terms, near);
  }
  const { stderr } = await t.ctx(["search", "token", "--tag", "aut"]);
  assert.match(stderr, /No results for "tag:aut"; similar words: auth\./);
});

Deno.test("what was forgotten is no value any more, with and without an index", async () => {
  await using t = await tempStore({
    entries: [...entries, { text: "token", tags: ["secretary"] }],
  });
  await t.run("reindex");
  await t.run("forget", { ids: ["H-H4"] });
  for (const index of [true, false]) {
    if (!index) await Deno.remove(t.path("index"), { recursive: true });
    const { retrieval } = await t.run<Found>("search", { query: "token", tag: "secretar" });
    assert.deepEqual(retrieval.coverage.nearest_terms, { "tag:secretar": [] });
  }
});

Deno.test("an agent is meant by any of its names, in flags and in queries, on every surface", async () => {
  await using t = await tempStore({ entries });
  for (const said of ["claude-code", "claude_code", "claude", "Claude Code", "CLAUDE"]) {
    const { results } = await t.run<Found>("search", { query: "token", source: said });
    assert.deepEqual(results.map(({ id }) => id), ["H-H2"], said);
    const typed = await t.run<Found>("search", { query: `token source:"${said}"` });
    assert.deepEqual(typed.results.map(({ id }) => id), ["H-H2"], said);
    const not = await t.run<Found>("search", { query: `token NOT source:"${said}"` });
    assert.deepEqual(not.results.map(({ id }) => id).sort(), ["H-H1", "H-H3"], said);
  }
  const { stdout } = await t.ctx(["sessions", "--source", "claude_code", "--json"]);
  assert.equal(JSON.parse(stdout).total, 1);
  assert.match((await t.fail("sessions", { source: "clyde" })).message, /agent "clyde"/);
  await using mcp = await connectMcp(t.workspace);
  const { data } = await mcp.call("search", { query: "token", source: "claude_code" });
  assert.equal(data.total, 1);
  const wrong = await mcp.call("search", { query: "token", type: "decison" });
  assert.match(wrong.text, /did you mean "decision"/);
});

Deno.test("a store's own agent goes by its own name, whatever we would call it", async () => {
  await using t = await tempStore({
    entries: [{ text: "token one", source: { agent: "claude" } }, {
      text: "token two",
      source: { agent: "claude-code" },
    }],
  });
  assert.equal((await t.run<Found>("search", { query: "token", source: "claude" })).total, 2);
  assert.equal((await t.run<Found>("search", { query: "token", source: "claude-code" })).total, 1);
});

Deno.test("every source that is read is an agent of the table", () => {
  const agents = Object.keys(sourceTable).filter((name) => name !== "ndjson").sort();
  assert.deepEqual([...agentNames], agents);
  for (const name of agents) assert.equal(toAgentName(name), name);
  assert.equal(toAgentName("constructor"), "constructor");
});

Deno.test("a time that ends before it begins is an error, for every command that takes one", async () => {
  await using t = await tempStore({ entries });
  const span = { since: "2026-02-01", until: "2026-01-01" };
  for (
    const [name, input] of Object.entries({ search: { query: "x" }, sessions: {}, records: {} })
  ) {
    const error = await t.fail(name, { ...input, ...span });
    assert.match(error.message, /^Cannot use the range 2026-\S+ to 2026-\S+: it ends before/, name);
    assert.equal(error.hint, "--since is the earlier time, --until the later one");
  }
});
