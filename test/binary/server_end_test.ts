// How the built servers end: at once when told to, whatever they are doing, and with the process that
// started them, also when that is killed.

import assert from "node:assert/strict";
import { FakeEmbeddings } from "../support/servers/fake_embeddings.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { spawnCtx } from "../support/processes/run_ctx.ts";
import { llmEnv, ScriptedLlm } from "../support/servers/scripted_llm.ts";
import { childrenOf, isAlive, startServer, until } from "../support/processes/start_server.ts";
import { tempStore, toLog } from "../support/stores/temp_store.ts";

const entries = [{ id: "H-token", text: "Refresh tokens rotate on every use" }];
const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "killing ctx serve ends the confined server that it started",
  ignore,
  async fn() {
    await using t = await tempStore({ entries });
    await using server = await startServer(t.workspace);
    const [child] = childrenOf(server.process.pid);
    assert.ok(isAlive(child));
    server.process.kill("SIGKILL");
    await until(() => !isAlive(child));
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port: server.port }));
  },
});

Deno.test({
  name: "killing ctx mcp ends the confined server that it started for a provider",
  ignore,
  async fn() {
    await using provider = new FakeEmbeddings();
    await using t = await tempStore({ entries });
    const env = { CTX_EMBEDDER_KIND: "http", CTX_EMBEDDER_URL: provider.url };
    const child = spawnCtx(["mcp"], { cwd: t.workspace, env });
    await initialize(child);
    const [confined] = childrenOf(child.pid);
    assert.ok(isAlive(confined));
    child.kill("SIGKILL");
    await until(() => !isAlive(confined));
    await end(child);
  },
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends serve while connections, events and requests are open`, async () => {
    await using provider = new FakeEmbeddings();
    await using t = await tempStore({ entries });
    const env = {
      CTX_EMBEDDER_KIND: "http",
      CTX_EMBEDDER_URL: provider.url,
      CTX_EMBEDDER_MODEL: "fake",
      CTX_EMBEDDER_DIMENSIONS: "16",
    };
    assert.equal((await t.ctx(["reindex", "--vectors"], { env })).code, 0);
    provider.fault = "hang";
    await using server = await startServer(t.workspace, { env });
    const [child] = ignore ? [] : childrenOf(server.process.pid);
    using _idle = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    const events = await server.get("/events");
    const searching = server.post("/api/search", { query: "tokens" }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    await until(() => provider.requests.length > 1);
    server.process.kill(signal);
    await server.process.status;
    if (child !== undefined) assert.ok(!isAlive(child));
    await events.text().catch(() => {});
    await searching;
  });

  Deno.test(`${signal} ends mcp during a search that waits for its provider`, async () => {
    await using provider = new FakeEmbeddings();
    await using t = await tempStore({ entries });
    const env = {
      CTX_EMBEDDER_KIND: "http",
      CTX_EMBEDDER_URL: provider.url,
      CTX_EMBEDDER_MODEL: "fake",
      CTX_EMBEDDER_DIMENSIONS: "16",
    };
    assert.equal((await t.ctx(["reindex", "--vectors"], { env })).code, 0);
    provider.fault = "hang";
    await using mcp = await connectMcp(t.workspace, { env });
    const call = mcp.call("search", { query: "tokens" }).catch(() => {});
    await until(() => provider.requests.length > 1);
    Deno.kill(mcp.pid, signal);
    await until(() => !isAlive(mcp.pid));
    await call;
  });
}

Deno.test({
  name: "SIGTERM ends serve in the middle of an index, and the store is sound",
  ignore,
  async fn() {
    await using t = await tempStore();
    const words = (i: number): string =>
      Array.from({ length: 60 }, (_, at) => `w${(i * 31 + at * 7919) % 50_000}`).join(" ");
    t.append("history.ndjson", toLog(Array.from({ length: 12_000 }, (_, i) => words(i))));
    await using server = await startServer(t.workspace);
    const [child] = childrenOf(server.process.pid);
    const asked = server.post("/api/reindex", {}).then(
      (response) => response.body?.cancel(),
      () => {},
    );
    await until(() => t.exists("index") && [...Deno.readDirSync(t.path("index"))].length > 0);
    server.process.kill("SIGTERM");
    await server.process.status;
    assert.ok(!isAlive(child));
    await asked;
    assert.equal((await t.ctx(["save", "goes on"])).code, 0);
    assert.equal((await t.ctx(["reindex"])).code, 0);
    assert.deepEqual(await t.ailments(), []);
  },
});

Deno.test("SIGTERM ends watch and chat", async () => {
  await using t = await tempStore({ entries });
  const watch = spawnCtx(["watch"], { cwd: t.workspace });
  await readUntil(watch.stderr, "ready");
  watch.kill("SIGTERM");
  await end(watch);
  await using llm = new ScriptedLlm([{ hang: true }]);
  const chat = spawnCtx(["chat", "tokens?"], { cwd: t.workspace, env: llmEnv(llm) });
  await until(() => llm.requests.length > 0);
  chat.kill("SIGTERM");
  await end(chat);
});

/** Opens the connection; gives a way to say more. */
async function initialize(
  child: Deno.ChildProcess,
): Promise<(message: object) => Promise<void>> {
  const writer = child.stdin.getWriter();
  const say = (message: object): Promise<void> =>
    writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  await say({ id: 1, method: "initialize", params });
  await readUntil(child.stdout, '"serverInfo"');
  await say({ method: "notifications/initialized" });
  return say;
}

/** Reads a stream up to some words, and leaves it open. */
async function readUntil(stream: ReadableStream<Uint8Array>, words: string): Promise<void> {
  const reader = stream.getReader();
  let text = "";
  while (!text.includes(words)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended after ${text}`);
    text += new TextDecoder().decode(value);
  }
  reader.releaseLock();
}

/** Waits for a process and lets go of its streams. */
async function end(child: Deno.ChildProcess): Promise<void> {
  await child.status;
  await Promise.allSettled([child.stdin.close(), child.stdout.cancel(), child.stderr.cancel()]);
}
