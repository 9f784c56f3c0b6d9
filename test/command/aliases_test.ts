// Other names: each leads to something that is there, hides nothing of ours, works on every surface as
// ours does, and is shown nowhere.

import assert from "node:assert/strict";
import { readArgv } from "../../src/cli/line/read_argv.ts";
import { loadForms, taskNames } from "../../src/cli/task_list.ts";
import { findCommand, loadCommands } from "../../src/commands/mod.ts";
import { isConfigName } from "../../src/config/config_keys.ts";
import { findOwnKey, otherKeys } from "../../src/config/other_keys.ts";
import {
  findInput,
  findMeant,
  otherCommands,
  otherInputs,
  toOwnNames,
} from "../../src/command/aliases.ts";
import { accepts } from "../../src/command/parse_input.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { repository } from "../support/repository.ts";
import { startServer } from "../support/processes/start_server.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const forms = await loadForms();
const ownTools = new Set((await loadCommands()).flatMap(({ tool }) => tool ?? []));

Deno.test("another name of a command is none of ours, and its command is there and takes what it says", async () => {
  for (const [said, { name, input = {} }] of Object.entries(otherCommands)) {
    assert.ok(!taskNames.includes(said), `${said} is ours`);
    const command = await findCommand(name);
    assert.ok(command, `${said}: there is no ${name}`);
    for (const [field, value] of Object.entries(input)) {
      assert.ok(Object.hasOwn(command.input, field), `${said}: ${name} has no ${field}`);
      assert.ok(accepts(command.input[field].schema, value), `${said}: ${field} ${value}`);
    }
  }
});

Deno.test("each of our tools can be called by its name, listed or not", async () => {
  for (const command of await loadCommands()) {
    if (command.tool === undefined) continue;
    const found = await findCommand(findMeant(command.tool)?.name ?? command.tool);
    assert.equal(found?.name, command.name);
  }
});

Deno.test("another name of an input leads to one that is there, and hides none", () => {
  for (const [name, rules] of Object.entries(otherInputs)) {
    const takers = name === "*" ? forms : forms.filter((form) => form.name === name);
    assert.ok(takers.length > 0, `there is no ${name}`);
    for (const [said, rule] of Object.entries(rules)) {
      if (typeof rule === "function") {
        assert.ok(samples.some(([of, given]) => of === name && said in given), `${name} ${said}`);
        continue;
      }
      if (name !== "*") assert.ok(!Object.hasOwn(takers[0].input, said), `${name} has ${said}`);
      for (const target of rule) {
        const meets = takers.some(({ input }) => Object.hasOwn(input, target));
        assert.ok(meets, `${name} ${said}: nobody takes ${target}`);
      }
    }
  }
  for (const form of forms) {
    for (const field of Object.keys(form.input)) assert.equal(findInput(form, field), field);
    assert.equal(findInput(form, "__proto__"), undefined);
    assert.equal(findInput(form, "constructor"), undefined);
  }
});

/** Inputs of which more is made than another name: by command, as it is said, as it is ours. */
const samples: [string, Record<string, unknown>, Record<string, unknown>][] = [
  ["show", { expand: { message_index: 5, before: 3 }, ids: ["S-1"] }, {
    expand: 5,
    before: 3,
    sessions: ["S-1"],
  }],
  ["show", { expand: 5 }, { expand: 5 }],
  ["get", { expand: { message_index: 5, after: 1 }, id: ["S-1"] }, {
    expand: 5,
    after: 1,
    ids: ["S-1"],
  }],
  ["suggest", { cursor_position: { line: 3, column: 9 }, project_id: "p", currentFile: "a.ts" }, {
    line: 3,
    file: "a.ts",
  }],
  ["subscribe", {
    watch_patterns: [
      { type: "file", pattern: "src/**", priority: 2 },
      { type: "topic", pattern: "tokens" },
    ],
    callback_url: "http://localhost:3000/x",
    maxSuggestionsPerTrigger: 3,
    cooldownMs: 10_000,
    enabled: true,
    project_id: "p",
  }, {
    patterns: ["file@2:src/**", "topic:tokens"],
    url: "http://localhost:3000/x",
    max: 3,
    cooldown_ms: 10_000,
    paused: false,
  }],
  ["subscribe", { enabled: false }, { paused: true }],
  ["subscribe", { callback_url: "http://localhost:3000/x", callbackType: "webhook" }, {
    url: "http://localhost:3000/x",
    via: "webhook",
  }],
  ["feedback", { suggestionId: "G-1", action: "used", item_index: 0 }, {
    suggestion: "G-1",
    verdict: "used",
    item: 1,
  }],
  ["feedback", { item_index: "2" }, { item: 3 }],
  ["feedback", { item_index: -1 }, { item: -1 }],
];

Deno.test("what has another form becomes ours", async () => {
  for (const [name, given, own] of samples) {
    const command = await findCommand(name);
    assert.ok(command);
    assert.deepEqual(toOwnNames(command, given), own);
    for (const [field, value] of Object.entries(own)) {
      assert.ok(Object.hasOwn(command.input, field), `${name} ${field}`);
      if (value !== -1) assert.ok(accepts(command.input[field].schema, value), `${name} ${field}`);
    }
  }
});

Deno.test("what is no such object is refused, not guessed at", async () => {
  await using t = await tempStore({ entries: [{ text: "one", session_id: "S-1" }] });
  await using mcp = await connectMcp(t.workspace);
  for (
    const pattern of [{ type: "file" }, { pattern: "a" }, { type: "file", pattern: "a", p: 2 }]
  ) {
    const { isError, text } = await mcp.call("context_subscribe", { watchPatterns: [pattern] });
    assert.ok(isError, JSON.stringify(pattern));
    assert.match(text, /"patterns"/);
  }
  const { text } = await mcp.call("dex_get", {
    ids: ["S-1"],
    expand: { message_index: 1, befor: 1 },
  });
  assert.match(text, /unknown option "befor"/);
});

Deno.test("an input that is said twice keeps both names, for the check to refuse", async () => {
  const command = await findCommand("feedback");
  assert.ok(command);
  const given = { item: 1, itemIndex: 0, action: "used", verdict: "dismissed" };
  assert.deepEqual(toOwnNames(command, given), given);
});

Deno.test("another name of a setting is none of ours and leads to one that is there", () => {
  for (const [said, own] of Object.entries(otherKeys)) {
    assert.ok(!isConfigName(said) && isConfigName(own), said);
    assert.equal(findOwnKey(said), own);
  }
  assert.equal(findOwnKey("llm.apiKey"), "llm.api_key");
  assert.equal(findOwnKey("llm.maxTokens"), "llm.max_tokens");
  assert.equal(findOwnKey("llm.keyOfApi"), undefined);
  assert.equal(findOwnKey("constructor"), undefined);
});

Deno.test("no other name is shown: help, completions, tool lists, COMMANDS.md", async () => {
  await using t = await tempStore();
  const hidden = Object.keys(otherCommands).filter((name) => !ownTools.has(name));
  assert.ok(hidden.length > 5);
  const shells = ["bash", "zsh", "fish", "man"].map((shell) => ["completions", shell]);
  const pages = [["help"], ["mcp", "--explain", "--tools", "all", "--json"], ...shells];
  for (const words of pages) {
    const { code, stdout } = await t.ctx(words);
    assert.equal(code, 0);
    for (const name of hidden) assert.ok(!stdout.includes(name), `${name} in ${words.join(" ")}`);
    assert.doesNotMatch(stdout, /anchor[_-]id|current[_-]file|currentFile|itemIndex|watchPatterns/);
  }
  const commands = Deno.readTextFileSync(`${repository}/docs/COMMANDS.md`);
  for (const name of hidden) assert.ok(!commands.includes(name), name);
  const page = Deno.readTextFileSync(`${repository}/docs/FROM.md`);
  assert.deepEqual(hidden.filter((name) => !page.includes(name)), [], "not in docs/FROM.md");
});

const entries = ["one token", "two tokens", "three tokens"];

Deno.test("over MCP a document's tool answers as ours does, though it is not listed", async () => {
  await using t = await tempStore({ entries });
  await using mcp = await connectMcp(t.workspace);
  const listed = (await mcp.client.listTools()).tools.map(({ name }) => name);
  assert.ok(!listed.includes("dex_search") && !listed.includes("stats"));
  const found = await mcp.call("dex_search", { query: "tokens", limit: 2, from: "2026-01-01" });
  const own = await mcp.call("search", { query: "tokens", k: 2, since: "2026-01-01" });
  const idsOf = ({ data }: typeof own): string[] =>
    data.results.map(({ id }: { id: string }) => id);
  assert.deepEqual(idsOf(found), idsOf(own));
  assert.equal((await mcp.call("dex_search", { query: "tokens" })).data.results.length, 3);
  const counted = (await mcp.call("dex_stats")).data;
  assert.equal(counted.total_conversations, (await mcp.call("stats")).data.sessions ?? 0);
  const { data } = await mcp.call("timeline", { anchor_id: "H-H2", before: 1, after: 0 });
  assert.match(JSON.stringify(data), /H-H1.*H-H2/);
  assert.match((await mcp.call("get", { id: "H-H3" })).text, /three tokens/);
  assert.match((await mcp.call("__IMPORTANT")).text, /search/);
  const wrong = await mcp.call("dex_search", { query: "tokens", limits: 2 });
  assert.match(wrong.text, /unknown option "limits"/);
  await assert.rejects(mcp.call("ctx_search"), /ctx_search \(did you mean search\?\) not found/);
  await assert.rejects(mcp.call("dex_serch"), /dex_serch \(did you mean dex_search\?\) not found/);
  await assert.rejects(mcp.call("serach"), /serach \(did you mean search\?\) not found/);
  await assert.rejects(mcp.call("zzzzzzzz"), /Tool zzzzzzzz not found/);
  await assert.rejects(mcp.call("purge", { pattern: "x" }), /purge/);
});

Deno.test("a server that only reads, or that was given names, has no others under any name", async () => {
  await using t = await tempStore({ entries });
  await using reader = await connectMcp(t.workspace, { words: ["--read-only"] });
  assert.equal((await reader.call("dex_list")).isError, undefined);
  await assert.rejects(reader.call("suggestion_feedback", {}), /suggestion_feedback/);
  await assert.rejects(reader.call("context_subscrib", {}), /Tool context_subscrib not found/);
  await assert.rejects(reader.call("context_subscribe", {}), /context_subscribe/);
  await using few = await connectMcp(t.workspace, { words: ["--tools", "search, get"] });
  assert.equal((await few.call("dex_search", { query: "tokens" })).isError, undefined);
  await assert.rejects(few.call("dex_list"), /dex_list/);
});

Deno.test("over HTTP a document's name is a path, and an unknown one is not found", async () => {
  await using t = await tempStore({ entries });
  await using server = await startServer(t.workspace);
  const found = await (await server.get("/api/dex_search?query=tokens&limit=2")).json();
  assert.equal(found.results.length, 2);
  const posted = await server.post("/api/dex_search", {
    query: "tokens",
    to: "2026-01-01T10:00:30Z",
  });
  assert.equal((await posted.json()).results.length, 1);
  const two = await (await server.get("/api/get?id=H-H1&id=H-H2")).json();
  assert.match(JSON.stringify(two), /one token.*two tokens/);
  const { status } = await server.get("/api/dex_serch?query=x");
  assert.equal(status, 404);
  const { commands } = await (await server.get("/api")).json();
  assert.doesNotMatch(JSON.stringify(commands), /dex_/);
});

Deno.test("-c takes several collections and never the question, or part of it", async () => {
  await using t = await tempStore();
  for (const name of ["first", "second"]) {
    Deno.writeTextFileSync(
      `${t.workspace}/${name}.md`,
      `# Tokens\n\nThe ${name} rotates tokens.\n`,
    );
    await t.ctx(["docs", "add", name, `${name}.md`]);
  }
  const read = async (...words: string[]): Promise<unknown> => {
    const ask = await loadForms().then((all) => all.find(({ name }) => name === "ask"));
    assert.ok(ask);
    const { input } = await readArgv(["--workspace", t.workspace, ...words], ask);
    return [input.query, input.collections];
  };
  const both = ["first", "second"];
  const how = "how are tokens rotated?";
  assert.deepEqual(await read(how, "-c", "first", "second"), [how, both]);
  assert.deepEqual(await read(how, "--collections", "first", "second"), [how, both]);
  assert.deepEqual(await read("-c", "first", "second", "--verbose", how), [how, both]);
  assert.deepEqual(await read("-c", "first", "second", how), [how, both]);
  assert.deepEqual(await read("-c", "first", "second", "--", "why"), ["why", both]);
  assert.deepEqual(await read("-c", "first", "-c", "second", how), [how, both]);
  assert.deepEqual(await read("-c", "first", "how", "are", "tokens"), ["how are tokens", [
    "first",
  ]]);
  assert.deepEqual(await read("-c", "first", "second"), [undefined, both]);
  assert.deepEqual(await read(how, "-c", "first", "secnd"), [how, ["first", "secnd"]]);
  await assert.rejects(
    read("-c", "first", "secnd"),
    /"secnd" is not a collection; it may be the que/,
  );
  await assert.rejects(read("-c", "first", "secnd", how), /"secnd" is not a collection/);
  const agent = (await loadForms()).find(({ name }) => name === "mcp agent");
  assert.ok(agent);
  const { input } = await readArgv(["-c", "langchain-docs", "react-docs", "--no-global"], agent);
  assert.deepEqual(input, { collections: ["langchain-docs", "react-docs"], global: false });
  const chat = await t.ctx(["chat", how, "-c", "first", "second", "--json"]);
  assert.equal(chat.code, 0, chat.stderr);
  assert.match(chat.stdout, /first\.md/);
  const typo = await t.ctx(["chat", "-c", "first", "secnd"]);
  assert.deepEqual([typo.code, typo.stdout], [2, ""]);
  assert.match(typo.stderr, /hint: put the question first, or after --; collections here: first, /);
});

Deno.test("an MCP client may start ctx serve, as dex is started", async () => {
  await using t = await tempStore({ entries });
  await using mcp = await connectMcp(t.workspace, { name: "serve" });
  assert.equal((await mcp.call("dex_search", { query: "tokens" })).data.results.length, 3);
});

Deno.test("on the command line a document's name is a command, and an unknown one has a guess", async () => {
  await using t = await tempStore({ entries });
  const found = await t.run<{ results: unknown[] }>("search", { query: "tokens", limit: 1 });
  assert.equal(found.results.length, 1);
  const { stdout } = await t.ctx(["dex_search", "tokens", "-l", "2", "--json"]);
  assert.equal(JSON.parse(stdout).results.length, 2);
  const help = await t.ctx(["help", "dex_get"]);
  assert.match(help.stdout, /ctx show/);
  const unknown = await t.ctx(["serach", "tokens"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Unknown command "serach" \(did you mean "search"\?\)/);
});

Deno.test("a setting goes by its document's name, in files too, and a secret to your own file", async () => {
  await using t = await tempStore();
  const set = await t.ctx(["config", "set", "llm.apiKey", "sk-0123456789"]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, /^llm\.api_key = \(set\) \(.*\/ctx\/config\.jsonc\)\n$/);
  assert.doesNotMatch(set.stdout + set.stderr, /0123456789/);
  const got = await t.ctx(["config", "get", "llm.apiKey", "--json"]);
  assert.deepEqual(JSON.parse(got.stdout), { key: "llm.api_key", value: "(set)", origin: "user" });
  t.write(
    "config.jsonc",
    '{"agent":{"proactive":{"maxSuggestions":3,"enableDocs":false}},"llm":{"apiKey":"sk-x","maxTokens":99}}',
  );
  const list = await t.ctx(["config", "list", "--json"]);
  const settings: { key: string; value: unknown; origin: string }[] =
    JSON.parse(list.stdout).settings;
  const changed = settings.filter(({ origin }) => origin !== "default");
  assert.deepEqual(changed.map(({ key, value, origin }) => [key, value, origin]), [
    ["suggest.max_suggestions", 3, "workspace"],
    ["suggest.docs", false, "workspace"],
    ["llm.api_key", "(set)", "user"],
    ["llm.max_tokens", 99, "workspace"],
  ]);
  assert.match(list.stderr, /"llm\.api_key" is ignored there/);
  const unset = await t.ctx(["config", "unset", "llm.apiKey", "--json"]);
  assert.equal(JSON.parse(unset.stdout).removed, true);
});

Deno.test("what stands where a text goes, and what a window does not have, is refused", async () => {
  await using t = await tempStore();
  const watchPatterns = [{ type: { toString: 1 }, pattern: "src/**" }];
  const wrong: [string, object, RegExp][] = [
    ["subscribe", { watchPatterns }, /"patterns" must be a list of a text/],
    [
      "feedback",
      { suggestionId: "G-1", action: "used", itemIndex: { toString: 1 } },
      /"item" must/,
    ],
    ["show", { ids: ["S-1"], expand: { message_idx: 3 } }, /unknown option "message_idx"/],
    ["subscribe", { patterns: [`topic:/${"(x?){1000}".repeat(20)}/`] }, /too large/],
    ["subscribe", { patterns: [`topic:${"a".repeat(2000)}`] }, /longer than 1000/],
    ["summarize", { period: "constructor" }, /Cannot read the period/],
  ];
  for (const [name, input, message] of wrong) {
    const error = await t.fail(name, input);
    assert.equal(error.code, "USAGE", error.message);
    assert.match(error.message, message);
  }
});

Deno.test("a server of the tools of documents answers to their other names, and to no others", async () => {
  await using t = await tempStore();
  await using mcp = await connectMcp(t.workspace, { words: ["--tools", "documents"] });
  const call = (name: string, given: Record<string, unknown>) =>
    mcp.client.callTool({ name, arguments: given });
  assert.ok(!(await call("documents_search", { query: "token" })).isError);
  assert.match(JSON.stringify(await call("documents_get_outline", { document: "x" })), /NOT_FOUND/);
  await assert.rejects(call("dex_list", {}), /not found/);
});

Deno.test("a setting that its file has under another name is changed and taken out with it", async () => {
  await using t = await tempStore();
  const path = `${t.workspace}/.contextfs/config.jsonc`;
  const said = '{ "suggest": { "enabled": true }, "agent": { "proactive": { "enabled": false } } }';
  const read = async () => (await t.ctx(["config", "get", "suggest.enabled"])).stdout.trim();
  Deno.writeTextFileSync(path, said);
  assert.equal(await read(), "false");
  await t.ctx(["config", "set", "suggest.enabled", "true"]);
  assert.equal(await read(), "true");
  Deno.writeTextFileSync(path, '{ "agent": { "proactive": { "enabled": false } } }');
  await t.ctx(["config", "unset", "agent.proactive.enabled"]);
  assert.equal(await read(), "true");
  assert.doesNotMatch(Deno.readTextFileSync(path), /enabled/);
});
