// "Agent mode", the document of ctxpkg, phrase by phrase: the one tool over MCP, `chat`, the model's
// settings and the agent inside. A scripted model answers where one is needed.

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { openAgent } from "../../../mod.ts";
import type { Answer } from "../../../src/ask/answer.ts";
import { countTokens } from "../../../src/core/tokens.ts";
import { connectMcp, type McpSession } from "../../support/processes/mcp_client.ts";
import { checkPhrases, different, phrase } from "../../support/phrases.ts";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { ctxCommand, isolatedEnv } from "../../support/processes/run_ctx.ts";
import { llmEnv, ScriptedLlm, type ScriptedReply } from "../../support/servers/scripted_llm.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";

const document = "ctxpkg";
const streaming =
  "# Streaming\n\n## Basic Streaming\n\nUse the stream() method to stream tokens.\n";
const hooks = "# Hooks\n\n## Effects\n\nEffects stream nothing to the server.\n";

/** A store with two collections, made once; nothing in this file changes what it holds. */
let made: Promise<TempStore> | undefined;
function shared(): Promise<TempStore> {
  return made ??= (async () => {
    const t = await tempStore({ entries: [{ id: "H-note", text: "We stream logs to a file." }] });
    const pages = {
      "langchain-docs": ["streaming.md", streaming],
      "react-docs": ["hooks.md", hooks],
    };
    for (const [name, [file, text]] of Object.entries(pages)) {
      Deno.mkdirSync(`${t.workspace}/${name}`);
      Deno.writeTextFileSync(`${t.workspace}/${name}/${file}`, text);
      await t.run("docs add", { name, paths: [name] });
    }
    return t;
  })();
}

/** The plain server, and the one with one tool; each is started once. */
const servers: McpSession[] = [];
let plain: Promise<McpSession> | undefined;
function plainServer(): Promise<McpSession> {
  return plain ??= start([]);
}
let agent: Promise<{ session: McpSession; llm: ScriptedLlm }> | undefined;
function agentServer(): Promise<{ session: McpSession; llm: ScriptedLlm }> {
  return agent ??= (async () => {
    const llm = new ScriptedLlm([cites]);
    llms.push(llm);
    const words = ["agent", "-c", "langchain-docs", "react-docs", "--model", "gpt-4o"];
    return { session: await start(words, llmEnv(llm)), llm };
  })();
}
async function start(words: string[], env: Record<string, string> = {}): Promise<McpSession> {
  const session = await connectMcp((await shared()).workspace, { words, env });
  servers.push(session);
  return session;
}
const llms: ScriptedLlm[] = [];

Deno.test.afterAll(async () => {
  for (const one of [...servers, ...llms]) await one[Symbol.asyncDispose]();
  await (await made)?.[Symbol.asyncDispose]();
});

/** A model that cites the first entry that it was shown. */
function cites({ body }: { body: { messages: { content: string | null }[] } }): ScriptedReply {
  const said = body.messages.map(({ content }) => content ?? "").join("\n");
  const entry_id = /"id":"(H-[^"]+)"/.exec(said)?.[1] ?? "H-none";
  return { text: JSON.stringify({ answer: "Use stream().", sources: [{ entry_id }] }) };
}

interface Asked {
  answer: Answer;
  llm: ScriptedLlm;
  waits: number[];
}

/** Asks in process with a scripted model; pauses are recorded, not waited for. */
async function ask(
  script: ConstructorParameters<typeof ScriptedLlm>[0],
  input: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<Asked> {
  const t = await shared();
  await using llm = new ScriptedLlm(script);
  const waits: number[] = [];
  const variables: Record<string, string> = { ...llmEnv(llm), HOME: t.home, ...env };
  const answer = await t.run<Answer>(
    "ask",
    { query: "how do I stream tokens?", use_case: "a chatbot", verbose: true, ...input },
    {
      env: (name) => variables[name],
      wait: (ms) => (waits.push(ms), Promise.resolve()),
    },
  );
  return { answer, llm, waits };
}

/** A setting as `config list` shows it. */
async function setting(t: TempStore, key: string, env: Record<string, string> = {}) {
  const { stdout } = await t.ctx(["config", "list", "--json"], { env });
  return JSON.parse(stdout).settings.find((one: { key: string }) => one.key === key);
}

// The tools of the plain server.
for (
  const [name, input, told] of [
    ["documents_search", { query: "stream tokens" }, /stream\(\) method/],
    ["documents_get_document", { document: "streaming.md" }, /Use the stream\(\) method/],
    [
      "documents_get_section",
      { collection: "langchain-docs", document: "streaming.md", section: "Basic Streaming" },
      /Use the stream\(\) method/,
    ],
    ["documents_list_documents", { collection: "langchain-docs" }, /streaming\.md/],
    ["documents_get_outline", { document: "streaming.md" }, /Basic Streaming/],
  ] as const
) {
  phrase(document, name, async () => {
    const { isError, text } = await (await plainServer()).call(name, { ...input });
    assert.ok(!isError, text);
    assert.match(text, told);
    assert.doesNotMatch(text, /We stream logs/, "documents alone");
  });
}
phrase(document, "ctxpkg mcp lists its document tools, and ctxpkg mcp agent one", async () => {
  const { workspace } = await shared();
  const list = async (...words: string[]): Promise<string[]> => {
    const [command, ...args] = ctxCommand("ctxpkg", ...words);
    const env = isolatedEnv(workspace);
    const stderr = "ignore" as const;
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command, args, env, cwd: workspace, stderr }));
    const { tools } = await client.listTools();
    if (words.length === 1) {
      const found = await client.callTool({
        name: "documents_get_section",
        arguments: { document: "streaming.md", section: "Basic Streaming" },
      });
      assert.match(JSON.stringify(found.content), /Use the stream\(\) method/);
    }
    await client.close();
    return tools.map(({ name }) => name);
  };
  assert.deepEqual(await list("mcp"), [
    "documents_search",
    "documents_list_documents",
    "documents_get_outline",
    "documents_get_section",
    "documents_get_document",
  ]);
  assert.deepEqual(await list("mcp", "agent", "-c", "react-docs"), ["ask_documents"]);
});
phrase(document, "hybrid mode: a server with both the agent tool and raw tools", async () => {
  await using mcp = await connectMcp((await shared()).workspace, {
    words: ["--tools", "documents"],
  });
  const { tools } = await mcp.client.listTools();
  const names = tools.map(({ name }) => name);
  assert.ok(["search", "docs_section", "ask_documents"].every((name) => names.includes(name)));
});

// Goals.
phrase(document, "ctx mcp agent: a single tool, ask_documents", async () => {
  const { tools } = await (await agentServer()).session.client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["ask_documents"]);
});
phrase(
  document,
  "ask_documents: query and use_case are required, collections is optional",
  async () => {
    const { session } = await agentServer();
    const [{ inputSchema }] = (await session.client.listTools()).tools;
    assert.deepEqual(Object.keys(inputSchema.properties ?? {}), [
      "query",
      "use_case",
      "collections",
    ]);
    assert.deepEqual(inputSchema.required, ["query", "use_case"]);
    const { isError, text } = await session.call("ask_documents", { query: "streaming?" });
    assert.ok(isError);
    assert.match(text, /use_case/);
  },
);
phrase(document, "the internal agent has full access to all document tools", async () => {
  const { llm } = await ask([cites]);
  const names = llm.requests[0].body.tools?.map((tool) => tool.function.name) ?? [];
  for (const name of ["search", "docs_list", "docs_outline", "docs_section", "docs_get"]) {
    assert.ok(names.includes(name), name);
  }
});
phrase(document, "any OpenAI-compatible provider", async () => {
  const { llm } = await ask([cites]);
  assert.equal(llm.requests[0].path, "/v1/chat/completions");
  assert.match(llm.requests[0].authorization ?? "", /^Bearer sk-test-/);
});

// Settings.
for (
  const [key, own, initial, variable, value] of [
    [
      "llm.provider",
      "llm.provider",
      "https://api.openai.com/v1",
      "PROVIDER",
      "https://x.example/v1",
    ],
    ["llm.apiKey", "llm.api_key", "", "API_KEY", "sk-0123456789abcdef"],
    ["llm.temperature", "llm.temperature", 0, "TEMPERATURE", "0.5"],
    ["llm.maxTokens", "llm.max_tokens", 4096, "MAX_TOKENS", "100"],
  ] as const
) {
  phrase(document, `${key}, by default ${JSON.stringify(initial)}`, async () => {
    const t = await shared();
    assert.equal((await setting(t, own)).value, initial);
    const { code, stdout } = await t.ctx(["config", "get", key]);
    assert.deepEqual([code, stdout], [0, `${initial}\n`]);
  });
  phrase(document, `CTX_LLM_${variable}`, async () => {
    const { value: now, origin } = await setting(await shared(), own, {
      [`CTX_LLM_${variable}`]: value,
    });
    assert.deepEqual([String(now), origin], [
      key === "llm.apiKey" ? "(set)" : value,
      "environment",
    ]);
  });
}
phrase(document, "CTX_LLM_MODEL", async () => {
  const { value } = await setting(await shared(), "llm.model", { CTX_LLM_MODEL: "gpt-4o" });
  assert.equal(value, "gpt-4o");
});
different(
  document,
  "llm.model, by default gpt-4o-mini",
  "nothing is sent anywhere until you name a model; answers are then sentences of the memory.",
  async () => {
    assert.equal((await setting(await shared(), "llm.model")).value, "");
    const { answer } = await ask([cites], {}, { CTX_LLM_MODEL: "", CTX_LLM_PROVIDER: "" });
    assert.equal(answer.mode, "extractive");
  },
);
phrase(document, "ctx config set llm.provider, llm.model and llm.apiKey", async () => {
  await using t = await tempStore();
  const key = "sk-0123456789abcdefghij";
  for (
    const words of [
      ["llm.provider", "http://127.0.0.1:9/v1"],
      ["llm.model", "gpt-4o"],
      ["llm.apiKey", key],
    ]
  ) {
    const { code, stdout, stderr } = await t.ctx(["config", "set", ...words]);
    assert.equal(code, 0, stderr);
    assert.ok(!stdout.includes(key), "never shown");
  }
  assert.equal((await setting(t, "llm.model")).value, "gpt-4o");
  assert.equal((await setting(t, "llm.api_key")).value, "(set)");
});
phrase(document, "the provider's URL is validated", async () => {
  const { code, stderr } = await (await shared()).ctx([
    ...["config", "set", "llm.provider", "not-a-url"],
  ]);
  assert.deepEqual([code, /must be an http or https URL/.test(stderr)], [2, true]);
});
phrase(document, "a warning when apiKey is not set", async () => {
  const env = { CTX_LLM_MODEL: "gpt-4o", CTX_LLM_API_KEY: "", CTX_LLM_PROVIDER: "" };
  const { answer } = await ask([cites], {}, env);
  assert.equal(
    answer.note,
    'the key for "gpt-4o" is missing, so no model was used; set it with: ' +
      "ctx config set --user llm.api_key - (or CTX_LLM_API_KEY)",
  );
  const keyed = await ask([cites], {}, { ...env, CTX_LLM_MODEL: "", CTX_LLM_API_KEY: "sk-x" });
  assert.match(keyed.answer.note ?? "", /^llm\.model is missing.*CTX_LLM_MODEL/);
});
different(
  document,
  "ctx mcp agent fails to start without an API key",
  "it starts, says on standard error what is missing, and answers in sentences of the memory.",
  async () => {
    await using mcp = await connectMcp((await shared()).workspace, { words: ["agent"] });
    const { data } = await mcp.call("ask_documents", { query: "stream tokens?", use_case: "x" });
    assert.equal(data.mode, "extractive");
  },
);

// The one tool.
phrase(document, "ctx mcp agent -c langchain-docs react-docs", async () => {
  const { session, llm } = await agentServer();
  const call = (collections: string[]) =>
    session.call("ask_documents", { query: "stream tokens?", use_case: "x", collections });
  assert.ok(!(await call(["react-docs"])).isError);
  const { data } = await call([]);
  const read = data.sources.map(({ collection }: { collection?: string }) => collection);
  assert.deepEqual(new Set([...read, "react-docs"]), new Set(["langchain-docs", "react-docs"]));
  assert.doesNotMatch(llm.said(llm.requests.length - 1), /We stream logs/, "documents alone");
  assert.match((await call(["other"])).text, /this server does not show it/);
});
phrase(document, "ctx mcp agent --no-global", async () => {
  await using t = await tempStore();
  Deno.writeTextFileSync(`${t.workspace}/tides.md`, "# Tides\n\nThe tide turns twice a day.\n");
  const added = await t.ctx(["docs", "add", "sea", "tides.md", "--global"]);
  assert.equal(added.code, 0, added.stderr);
  const question = { query: "when does the tide turn?", use_case: "x" };
  for (const [words, found] of [[["agent"], 1], [["agent", "--no-global"], 0]] as const) {
    await using mcp = await connectMcp(t.workspace, { words: [...words] });
    const { isError, data } = await mcp.call("ask_documents", question);
    assert.deepEqual([isError, data.sources.length], [undefined, found], words.join(" "));
  }
});
phrase(document, "ctx mcp agent --model", async () => {
  const { session, llm } = await agentServer();
  await session.call("ask_documents", { query: "stream tokens?", use_case: "a chatbot" });
  assert.equal(llm.requests.at(-1)?.body.model, "gpt-4o");
});
phrase(document, "ask_documents returns answer, sources, confidence and note", async () => {
  const { session } = await agentServer();
  const { data, text } = await session.call("ask_documents", {
    query: "How do I stream tokens with the stream() method?",
    use_case: "I'm building a chatbot",
    collections: ["langchain-docs"],
  });
  assert.equal(data.answer, "Use stream().");
  const [{ collection, document: file, section }] = data.sources;
  assert.deepEqual([collection, section], ["langchain-docs", "Basic Streaming"]);
  assert.match(file, /streaming\.md$/);
  assert.match(data.confidence, /^(?:high|medium|low)$/);
  assert.match(text, /^Use stream\(\)\.\n\nSources/);
});
phrase(document, "only the answer goes back, no intermediate result", async () => {
  const { session } = await agentServer();
  const { data } = await session.call("ask_documents", { query: "stream?", use_case: "x" });
  assert.deepEqual([data.steps, data.results], [undefined, undefined]);
});
phrase(document, "collections limits what the agent can read at all", async () => {
  const { answer, llm } = await ask([cites], {
    query: "what do effects stream to the server?",
    collections: ["react-docs"],
  });
  assert.deepEqual(answer.sources.map(({ collection }) => collection), ["react-docs"]);
  assert.ok(!llm.said(0).includes("stream() method"));
  assert.match(llm.said(0), /The tools show only the collections react-docs/);
});
phrase(document, "note says what limits the answer", async () => {
  const text = JSON.stringify({ answer: "Use stream().", sources: [], note: "no example found" });
  assert.match((await ask([{ text }])).answer.note ?? "", /^no example found/);
});

// The agent inside.
for (
  const [said, told] of [
    [
      "start broad, then narrow",
      /Start broad, then narrow: search first, and read on only where the rows are not enough/,
    ],
    [
      "use the right tool for the job",
      /docs_list shows what a collection has, docs_outline .*, docs_section .*; docs_get .* only when you need it whole/,
    ],
    ["stop when sufficient", /Stop as soon as the use case is served, when sources agree/],
    ["cite sources", /Every quote is copied word for word/],
    ["acknowledge uncertainty", /Say so when the memory does not hold the answer/],
    [
      "suggest what additional documentation might help",
      /suggest which further documentation would/,
    ],
    [
      "clear, actionable, focused and practical",
      /clear, practical and to the point, with steps that/,
    ],
    [
      "include code examples when relevant",
      /Include code examples from the sources where they help/,
    ],
  ] as const
) {
  phrase(document, `the prompt: ${said}`, async () => {
    assert.match((await ask([cites])).llm.said(0), told);
  });
}
phrase(document, "the system prompt is ~500 tokens, for a conversation too", async () => {
  const { llm } = await ask([cites]);
  const talk = await chat(["how do I stream tokens?"]);
  for (const { requests: [{ body }] } of [llm, talk.llm]) {
    const [{ content }] = body.messages;
    assert.match(
      content ?? "",
      /code examples[^]*further documentation|further documentation[^]*code/,
    );
    const tokens = countTokens(content ?? "");
    assert.ok(tokens > 250 && tokens < 500, `${tokens}`);
  }
});
phrase(document, "the use case is told to the model", async () => {
  assert.match((await ask([cites])).llm.said(0), /Use case: a chatbot/);
});
const search = (query: string): ScriptedReply => ({
  calls: [{ name: "search", arguments: { query } }],
});
phrase(document, "the agent stops when it answers", async () => {
  const { answer } = await ask([search("stream"), cites]);
  assert.deepEqual([answer.stopped, answer.usage.model_calls], ["answered", 2]);
});
phrase(document, "at most 10 iterations", async () => {
  let call = 0;
  const { answer, llm } = await ask(
    [
      ({ body }) =>
        body.tool_choice === "none"
          ? cites({ body })
          : { calls: [{ name: "get", arguments: { ids: ["H-note", `H-no${call++}`] } }] },
    ],
    {},
    { CTX_LLM_MAX_ITERATIONS: "3" },
  );
  assert.deepEqual([answer.stopped, llm.requests.length], ["limit", 3]);
  assert.equal((await setting(await shared(), "llm.max_iterations")).value, 10);
});
phrase(document, "the agent stops when there are no more leads", async () => {
  let call = 0;
  const { answer } = await ask([
    ({ body }) =>
      body.tool_choice === "none" ? { text: "I do not know." } : search(`zxqv${call++}`),
  ], { query: "zxqv" });
  assert.equal(answer.stopped, "no_leads");
});
phrase(document, "the agent stops when nothing new turns up", async () => {
  const { answer } = await ask([
    ({ body }) => body.tool_choice === "none" ? cites({ body }) : search("stream tokens"),
  ]);
  assert.equal(answer.stopped, "converged");
});
phrase(document, "tools are read-only: nothing can be changed or run", async () => {
  const forget: ScriptedReply = { calls: [{ name: "forget", arguments: { ids: ["H-note"] } }] };
  const { llm } = await ask([forget, cites]);
  assert.match(llm.said(1), /There is no tool "forget"/);
});
for (
  const [said, wrap] of [
    ["JSON in markdown code blocks", (json: string) => "Here:\n```json\n" + json + "\n```"],
    ["raw JSON", (json: string) => json],
  ] as const
) {
  phrase(document, `responses are read: ${said}`, async () => {
    const { answer } = await ask([{ text: wrap('{"answer":"Use it.","sources":[]}') }]);
    assert.equal(answer.answer, "Use it.");
  });
}
phrase(document, "responses are read: fallback to plain text", async () => {
  assert.equal((await ask([{ text: "Just use it." }])).answer.answer, "Just use it.");
});
for (const status of [429, 500, 502, 503, 504]) {
  phrase(document, `tries again after ${status}`, async () => {
    const { answer, waits } = await ask([{ status }, cites]);
    assert.deepEqual([answer.mode, waits], ["llm", [1000]]);
  });
}
phrase(document, "tries again after network errors", async () => {
  const t = await shared();
  await using llm = new ScriptedLlm([cites]);
  llm.resets = 1;
  const env: Record<string, string> = { ...llmEnv(llm), HOME: t.home };
  const { mode } = await t.run<Answer>("ask", { query: "stream tokens?" }, {
    env: (name) => env[name],
    wait: () => Promise.resolve(),
  });
  assert.equal(mode, "llm");
});
phrase(document, "backoff of 1 s, 2 s, 4 s, at most 3 retries", async () => {
  const { answer, waits } = await ask([{ status: 503 }]);
  assert.deepEqual(waits, [1000, 2000, 4000]);
  assert.equal(answer.provider_error?.code, "PROVIDER_FAILED");
});
phrase(document, "a retry waits 30 s at most", async () => {
  const { waits } = await ask([{ status: 429, headers: { "retry-after": "600" } }, cites]);
  assert.deepEqual(waits, [30_000]);
});
phrase(document, "never log or display API keys", async () => {
  const { llm, answer } = await ask([cites]);
  assert.ok(!JSON.stringify(answer).includes("sk-test-") && !llm.said(0).includes("sk-test-"));
  const traces = await (await shared()).run("traces", { tail: 100 });
  assert.ok(!JSON.stringify(traces).includes("sk-test-"));
});
phrase(document, "token usage is tracked", async () => {
  const { answer } = await ask([cites]);
  assert.equal(answer.usage.total_tokens, 120);
});
phrase(document, "maxTokens bounds each response, temperature is sent", async () => {
  const { llm } = await ask([cites], { temperature: 0.7 }, { CTX_LLM_MAX_TOKENS: "77" });
  const { max_tokens, temperature } = llm.requests[0].body;
  assert.deepEqual([max_tokens, temperature], [77, 0.7]);
});

// The class.
phrase(
  document,
  "DocumentAgent: ask(query, useCase), chat(message), setUseCase(), clearHistory()",
  async () => {
    const t = await shared();
    await using llm = new ScriptedLlm([{ text: "Use stream()." }]);
    const env: Record<string, string> = { ...llmEnv(llm), HOME: t.home };
    const inside = openAgent(t.workspace, { env: (name: string) => env[name] });
    const opened = await inside;
    assert.equal((await opened.ask("stream tokens?", "a chatbot")).answer, "Use stream().");
    opened.setUseCase("a terminal");
    await opened.chat("stream tokens?");
    await opened.chat("and then?");
    const turns = (i: number): string[] => llm.requests[i].body.messages.map(({ role }) => role);
    assert.deepEqual([turns(0), turns(1), turns(2)], [
      ["system", "user"],
      ["system", "user"],
      ["system", "user", "assistant", "user"],
    ]);
    assert.match(llm.said(2), /Use case: a terminal/);
    opened.clearHistory();
    await opened.chat("again?");
    assert.deepEqual(turns(3), ["system", "user"]);
  },
);

// `ctx chat`.
interface Chatted {
  code: number;
  stdout: string;
  stderr: string;
  llm: ScriptedLlm;
}

async function chat(
  words: string[],
  { stdin, script = [{ text: "Use stream()." }] }: { stdin?: string; script?: ScriptedReply[] } =
    {},
): Promise<Chatted> {
  await using llm = new ScriptedLlm(script);
  const done = await (await shared()).ctx(["chat", ...words], { env: llmEnv(llm), stdin });
  return { ...done, llm };
}

phrase(document, 'ctx chat "question" --use-case "…" -c langchain-docs', async () => {
  const { code, stdout, llm } = await chat([
    ...["How do I stream tokens?", "--use-case", "Building a chatbot", "-c", "langchain-docs"],
  ]);
  assert.equal(code, 0);
  assert.match(stdout, /^Use stream\(\)\./);
  assert.match(llm.said(0), /Use case: Building a chatbot/);
  assert.match(llm.said(0), /only the collections langchain-docs/);
});
phrase(document, "-c, --collections <names...>", async () => {
  const { llm } = await chat([
    ...["stream tokens?", "-c", "langchain-docs", "react-docs", "--use-case", "x"],
  ]);
  assert.match(llm.said(0), /only the collections langchain-docs, react-docs/);
  assert.match(llm.said(0), /Question: stream tokens\?\n/);
});
phrase(document, "--model, --temperature, --no-global, --verbose, -u", async () => {
  const { llm, code, stderr } = await chat([
    ...["stream tokens?", "--model", "gpt-4o", "--temperature", "0.3", "--no-global"],
    ...["--verbose", "-u", "x"],
  ], { script: [search("stream tokens"), { text: "Use stream()." }] });
  assert.equal(code, 0);
  const { model, temperature } = llm.requests[0].body;
  assert.deepEqual([model, temperature], ["gpt-4o", 0.3]);
  assert.match(stderr, /· search "stream tokens" → \d+ entries: .*stream/);
});
phrase(
  document,
  "verbose shows tool calls, a preview of results, and retries with delays",
  async () => {
    const { answer } = await ask([
      { status: 429 },
      { calls: [{ name: "docs_get", arguments: { document: "streaming.md" } }] },
      cites,
    ]);
    const steps = answer.steps?.join("\n") ?? "";
    assert.match(
      steps,
      /docs_get streaming\.md → \d+ entries: .*stream\(\) method/,
    );
    assert.match(steps, /try 1 failed \(status 429\); again in 1000 ms/);
  },
);
phrase(
  document,
  'the output: the answer, Sources as collection: document → "section", Confidence',
  async () => {
    for (const name of ["chat", "ask"]) {
      const words = [name, "how do I stream tokens?", "-c", "langchain-docs"];
      const { stdout } = await (await shared()).ctx(words);
      assert.match(
        stdout,
        /stream\(\) method[^]*\n\nSources\n.*langchain-docs: \S*streaming\.md → "Basic Streaming"\n\nConfidence: (?:high|medium|low) · /,
      );
    }
  },
);
different(
  document,
  "╭─ Answer ─╮, • before a source, and You:",
  "the parts come in that order without frames, so that they can be copied and piped; before a source stands the id that `ctx get` takes, and the prompt is `you>`.",
  async () => {
    const { stdout } = await (await shared()).ctx(["chat", "how do I stream tokens?"]);
    assert.match(stdout, /^[^╭•]+\nSources\n {2}H-\w+ {2}langchain-docs: [^╭•]+\nConfidence: /);
  },
);
phrase(document, "streaming responses", async () => {
  assert.equal((await chat(["stream tokens?"])).llm.requests[0].body.stream, true);
});
phrase(
  document,
  "ctx chat -i, and ctx chat without a question: with conversation context",
  async () => {
    for (const words of [["-i"], []]) {
      const { code, llm } = await chat(words, {
        stdin: "stream tokens?\nand overlapping?\n/quit\n",
      });
      assert.equal(code, 0);
      const roles = llm.requests[1].body.messages.map(({ role }) => role);
      assert.deepEqual(roles, ["system", "user", "assistant", "user"]);
    }
  },
);
for (
  const [line, told] of [
    ["/help", /\/help[^]*\/collections[^]*\/use-case[^]*\/clear[^]*\/verbose[^]*\/quit/],
    ["/collections", /Active collections: langchain-docs\n/],
    ["/use-case", /Current: a chatbot\n/],
  ] as const
) {
  phrase(document, line, async () => {
    const words = ["-i", "-c", "langchain-docs", "-u", "a chatbot"];
    const { stdout } = await chat(words, { stdin: `${line}\n/quit\n` });
    assert.match(stdout, told);
  });
}
phrase(document, "/verbose", async () => {
  const { stdout, stderr } = await chat(["-i"], {
    stdin: "stream?\n/verbose\nstream tokens?\n/verbose\nagain?\n/quit\n",
  });
  assert.match(stdout, /Steps are shown\.[^]*Steps are hidden\./);
  assert.equal(stderr.match(/· model: /g)?.length, 1, "of one question of three");
});
phrase(document, "/clear", async () => {
  const { stdout, llm } = await chat(["-i"], { stdin: "stream tokens?\n/clear\nagain?\n/quit\n" });
  assert.match(stdout, /Cleared/);
  assert.deepEqual(llm.requests[1].body.messages.map(({ role }) => role), ["system", "user"]);
  const { llm: later } = await chat(["--resume", "and then?"]);
  assert.ok(!later.said(0).includes("stream tokens?"), "nor when it is gone on with");
});
for (const line of ["/quit", "/exit"]) {
  phrase(document, line, async () => {
    const { code, llm } = await chat(["-i"], { stdin: `${line}\nnever asked\n` });
    assert.deepEqual([code, llm.requests.length], [0, 0]);
  });
}
phrase(document, "multi-turn memory: a conversation persists across CLI sessions", async () => {
  await chat(["stream tokens?", "-u", "kept"]);
  const { llm } = await chat(["--resume", "and then?"]);
  assert.match(
    llm.said(0),
    /stream tokens\?\nUse stream\(\)\.\nQuestion: and then\?\nUse case: kept/,
  );
});

different(
  document,
  "ctx chat prompts for a use case where none is given",
  "a question is answered at once: another question before it was taken for part of the conversation. `--use-case` and `/use-case` say what an answer is for.",
  async () => {
    const { code, stdout, stderr, llm } = await chat(["-i"], {
      stdin: "stream tokens?\n/use-case a chatbot\nand then?\n/quit\n",
    });
    assert.equal(code, 0);
    assert.doesNotMatch(`${stdout}${stderr}`, /What is your use case/);
    assert.match(llm.said(0), /Question: stream tokens\?/);
    assert.doesNotMatch(llm.said(0), /Use case:/);
    assert.match(llm.said(1), /Use case: a chatbot/);
  },
);

// On a terminal.
if (hasTmux()) {
  phrase(document, "interactive: the use case is shown, and changed by /use-case", async () => {
    const t = await shared();
    await using llm = new ScriptedLlm([{ text: "Use stream()." }]);
    const words = ["chat", "-i", "--use-case", "Building a RAG application"];
    await using pty = await Pty.start(words, { cwd: t.workspace, env: llmEnv(llm) });
    await pty.until(/you>/);
    await pty.type("/use-case");
    await pty.until(/Current: Building a RAG application\nNew use case/);
    await pty.type("Shipping it");
    await pty.until(/Use case: Shipping it/);
    await pty.type("How do I stream tokens?");
    await pty.until(/Use stream\(\)[^]*Confidence/);
    await pty.type("/exit");
    await pty.until(/exit 0/);
    assert.match(llm.said(0), /Use case: Shipping it/);
  });
}

phrase(document, "README and docs: the agent server's configuration for a client", async () => {
  const t = await shared();
  const { stdout } = await t.ctx(["setup", "cursor", "--agent", "--dry-run"]);
  assert.match(stdout, /"ctx-agent"[^]*"mcp"[^]*"agent"/);
});

checkPhrases(document);
