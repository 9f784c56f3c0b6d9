// Names that other tools use: a command's is answered with ours, an input's is taken as ours, on every
// surface, and none of them is listed.

import assert from "node:assert/strict";
import { search } from "../../../src/commands/retrieval/search.ts";
import { findInput } from "../../../src/command/aliases.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const guesses: Record<string, string> = {
  rm: 'Unknown command "rm" (did you mean "forget"?)',
  delete: 'Unknown command "delete" (did you mean "forget"?)',
  grep: 'Unknown command "grep" (did you mean "search"?)',
  remember: 'Unknown command "remember" (did you mean "save"?)',
  log: 'Unknown command "log" (did you mean "timeline" or "ls"?)',
  cat: 'Unknown command "cat" (did you mean "get" or "show"?)',
  GREP: 'Unknown command "GREP" (did you mean "search"?)',
  serach: 'Unknown command "serach" (did you mean "search"?)',
  constructor: 'Unknown command "constructor"',
  qq: 'Unknown command "qq"',
};

Deno.test("a command that others have is answered with ours", async () => {
  await using t = await tempStore();
  for (const [word, message] of Object.entries(guesses)) {
    const { code, stderr } = await t.ctx([word, "x"]);
    assert.deepEqual([code, stderr.split("\n")[0]], [2, `ctx: ${message}`]);
  }
  const { stderr } = await t.ctx(["docs", "rm", "rules"]);
  assert.match(stderr, /hint: ctx docs remove --help/);
});

Deno.test("the name of a document's program alone asks for its command", async () => {
  await using t = await tempStore();
  for (const line of [["dex"], ["hive-mind", "--help"], ["ctxpkg", "--json"]]) {
    const { code, stderr } = await t.ctx(line);
    assert.equal(code, 2);
    assert.match(
      stderr,
      new RegExp(`Cannot run ${line[0]}: no command given; use: ctx ${line[0]} COMMAND`),
    );
  }
});

Deno.test("the mark of lines that are answered in other words is no flag of ours", async () => {
  await using t = await tempStore();
  assert.equal((await t.ctx(["dex", "stats", "--json"])).code, 0);
  const { code, stderr } = await t.ctx(["stats", "--told-as=nothing"]);
  assert.equal(code, 2);
  assert.match(stderr, /--told-as/);
});

Deno.test("a word that begins commands lists what there is, and its help the commands", async () => {
  await using t = await tempStore();
  for (const word of ["docs", "config"]) {
    const alone = await t.ctx([word, "--json"]);
    assert.deepEqual([alone.code, alone.stdout], [
      0,
      (await t.ctx([word, "list", "--json"])).stdout,
    ]);
    for (const words of [[word, "--help"], [word, "-h"], ["help", word]]) {
      const { code, stdout } = await t.ctx(words);
      assert.equal(code, 0, words.join(" "));
      assert.match(stdout, new RegExp(`^  ${word} list\\b.*  \\w`, "m"));
    }
  }
  const session = await t.ctx(["session"]);
  assert.deepEqual([session.code, session.stderr.split("\n")[0]], [
    2,
    "ctx: Cannot run session: no subcommand given; use start, end, current, title, commits",
  ]);
});

Deno.test("--limit is --k, --from and --to are --since and --until, and -n counts", async () => {
  const entries = ["one token", "two tokens", "three tokens", "four tokens"];
  await using t = await tempStore({ entries });
  const ids = async (...words: string[]): Promise<string[]> => {
    const { stdout } = await t.ctx(["search", "tokens", ...words, "--json"]);
    return JSON.parse(stdout).results.map(({ id }: { id: string }) => id);
  };
  const two = await ids("--k", "2");
  assert.equal(two.length, 2);
  for (const words of [["--limit", "2"], ["--limit=2"], ["-n", "2"], ["--top-k", "2"]]) {
    assert.deepEqual(await ids(...words), two, words.join(" "));
  }
  const span = ["--since", "2026-01-01T10:01:00Z", "--until", "2026-01-01T10:02:00Z"];
  const within = await ids(...span);
  assert.equal(within.length, 2);
  assert.deepEqual(await ids("--from", span[1], "--to", span[3]), within);
  const { code } = await t.ctx(["sessions", "--k", "1"]);
  assert.equal(code, 0);
  const twice = await t.ctx(["search", "tokens", "--limit", "x"]);
  assert.match(twice.stderr, /"k" must be a whole number from 1 to 50, not "x"/);
});

Deno.test("over MCP an argument of another name is taken, and one that is there twice is refused", async () => {
  await using t = await tempStore({ entries: ["one token", "two tokens", "three tokens"] });
  await using mcp = await connectMcp(t.workspace);
  const { data } = await mcp.call("search", { query: "tokens", limit: 1 });
  assert.equal(data.results.length, 1);
  const camel = await mcp.call("search", { query: "tokens", includeThinking: true });
  assert.equal(camel.isError, undefined);
  const twice = await mcp.call("search", { query: "tokens", limit: 1, k: 2 });
  assert.match(twice.text, /unknown option "limit"/);
  const { tools } = await mcp.client.listTools();
  assert.doesNotMatch(JSON.stringify(tools), /"limit":.*"k":|"top_k"/);
});

Deno.test("no other name hides an input of ours", () => {
  for (const name of Object.keys(search.input)) assert.equal(findInput(search, name), name);
  assert.equal(findInput(search, "constructor"), undefined);
  assert.equal(findInput(search, "__proto__"), undefined);
});
