// `CTX_*` in the built servers, which see no other variables than those: every setting, and what is
// no setting.

import assert from "node:assert/strict";
import { type ConfigKey, configKeys, environmentNameOf } from "../../src/config/config_keys.ts";
import { FakeEmbeddings } from "../support/servers/fake_embeddings.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { llmEnv, ScriptedLlm } from "../support/servers/scripted_llm.ts";
import { startServer } from "../support/processes/start_server.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const entries = [{ id: "H-token", text: "Refresh tokens rotate on every use" }];
const question = "do refresh tokens rotate?";
const good = JSON.stringify({
  answer: "They rotate.",
  sources: [{ entry_id: "H-token", quote: "Refresh tokens rotate on every use" }],
});

Deno.test("a confined mcp reads the variable of every setting that can be wrong", async () => {
  await using t = await tempStore({ entries });
  const keys = Object.entries(configKeys) as [string, ConfigKey][];
  const wrong = keys.filter(([name, { kind }]) =>
    kind !== "text" && !/^(llm|embedder)\./.test(name)
  );
  assert.ok(wrong.length > 10);
  for (const [name] of wrong) {
    const variable = environmentNameOf(name);
    const { stderr, code } = await t.ctx(["mcp"], { env: { [variable]: "wrong" } });
    assert.notEqual(code, 0, name);
    assert.match(stderr, new RegExp(`Cannot use "${variable}" in the environment`));
  }
});

Deno.test("CTX_LLM_* leads a confined mcp and serve to the model", async () => {
  await using t = await tempStore({ entries });
  await using llm = new ScriptedLlm([{ text: good }]);
  const env = llmEnv(llm, { CTX_LLM_TEMPERATURE: "0.7", CTX_LLM_MAX_TOKENS: "123" });
  await using mcp = await connectMcp(t.workspace, { words: ["--tools", "ask_documents"], env });
  const { data } = await mcp.call("ask_documents", { query: question });
  assert.deepEqual([data.mode, data.model], ["llm", "scripted-model"]);
  await using server = await startServer(t.workspace, { env });
  const answer = await (await server.post("/api/ask", { query: question })).json();
  assert.deepEqual([answer.mode, answer.model], ["llm", "scripted-model"]);
  for (const { authorization, body } of llm.requests) {
    assert.equal(authorization, `Bearer ${env.CTX_LLM_API_KEY}`);
    assert.deepEqual([body.temperature, body.max_tokens], [0.7, 123]);
  }
  assert.ok(llm.requests.length >= 2);
});

Deno.test("CTX_EMBEDDER_* leads a confined mcp and serve to the embedder", async () => {
  await using t = await tempStore({ entries });
  await using provider = new FakeEmbeddings();
  const env = {
    CTX_EMBEDDER_KIND: "http",
    CTX_EMBEDDER_URL: provider.url,
    CTX_EMBEDDER_MODEL: "fake",
    CTX_EMBEDDER_DIMENSIONS: "16",
    CTX_EMBEDDER_KEY: "key-of-the-test",
  };
  assert.equal((await t.ctx(["reindex", "--vectors"], { env })).code, 0);
  const query = { query: "credential lifetime" };
  await using mcp = await connectMcp(t.workspace, { env });
  const { data } = await mcp.call("search", query);
  assert.deepEqual([data.hits > 0, data.notes], [true, undefined]);
  await using server = await startServer(t.workspace, { env });
  const found = await (await server.post("/api/search", query)).json();
  assert.equal(found.retrieval.branch, "hybrid");
  assert.deepEqual(new Set(provider.keys), new Set(["Bearer key-of-the-test"]));
});

Deno.test("CTX_MCP_GUIDE_TOOL_NAME, CTX_SESSION and CTX_TOKEN hold in confined servers", async () => {
  await using t = await tempStore({ entries });
  const env = {
    CTX_MCP_GUIDE_TOOL_NAME: "__IMPORTANT",
    CTX_SESSION: "S-of-the-test",
    CTX_TOKEN: "token-of-the-test",
  };
  await using mcp = await connectMcp(t.workspace, { env });
  const { tools } = await mcp.client.listTools();
  assert.ok(tools.some(({ name }) => name === "__IMPORTANT"), JSON.stringify(tools));
  const { data } = await mcp.call("save_memory", { text: "over mcp" });
  assert.match(t.read("history.ndjson"), new RegExp(`"${data.id}".*"S-of-the-test"`));
  await using server = await startServer(t.workspace, { env });
  const headers = { authorization: "Bearer token-of-the-test" };
  const stats = await fetch(`${server.url}/api/stats`, { headers });
  assert.equal(stats.status, 200);
  await stats.body?.cancel();
  const saved = await (await server.post("/api/save", { text: "over http" })).json();
  assert.match(t.read("history.ndjson"), new RegExp(`"${saved.id}".*"S-of-the-test"`));
});

Deno.test("CTX_DEBUG shows where a server failed", async () => {
  await using t = await tempStore({ entries });
  const env = { CTX_DEBUG: "1", CTX_DURABILITY: "wrong" };
  assert.match((await t.ctx(["mcp"], { env })).stderr, /\n {4}at /);
});
