// What clients can do to the built servers: many of them, slow ones, and messages without end. The
// server answers the others all the while.

import assert from "node:assert/strict";
import { ctxCommand, isolatedEnv } from "../support/processes/run_ctx.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { startServer } from "../support/processes/start_server.ts";
import { tempStore } from "../support/stores/temp_store.ts";
import { listenHttp } from "../../src/serve/web/listen.ts";

const entries = [{ id: "H-token", text: "Refresh tokens rotate on every use" }];
const tooLong = "x".repeat(17 << 20);

Deno.test({
  name: "serve answers beside 1,500 idle connections, in a burst too, with 1,024 file descriptors",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using t = await tempStore({ entries });
    const child = new Deno.Command("/bin/sh", {
      args: ["-c", 'ulimit -n 1024; exec "$@"', "sh", ...ctxCommand("serve", "--port", "0")],
      cwd: t.workspace,
      clearEnv: true,
      env: { ...isolatedEnv(t.workspace), CTX_TOKEN: "t" },
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = child.stdout.getReader();
    const { url } = JSON.parse(new TextDecoder().decode((await reader.read()).value));
    const stats = async (): Promise<number> => {
      const headers = { authorization: "Bearer t", connection: "close" };
      // Only ends a hang.
      const signal = AbortSignal.timeout(120_000);
      const response = await fetch(`${url}/api/stats`, { headers, signal });
      await response.body?.cancel();
      return response.status;
    };
    const idle: Deno.Conn[] = [];
    try {
      const port = Number(new URL(url).port);
      const connect = async (): Promise<void> => {
        idle.push(await Deno.connect({ hostname: "127.0.0.1", port }));
      };
      await Promise.all(Array.from({ length: 1200 }, connect));
      assert.equal(await stats(), 200, "beside a burst");
      for (let i = 0; i < 300; i++) await connect();
      assert.equal(await stats(), 200, "with all of them");
    } finally {
      for (const connection of idle) connection.close();
    }
    assert.equal(await stats(), 200, "after they are gone");
    child.kill("SIGTERM");
    await child.status;
    await reader.cancel();
  },
});

Deno.test("a message of 17 MB gets an error with its id over stdio, and the server goes on", async () => {
  await using t = await tempStore({ entries });
  await using mcp = await connectMcp(t.workspace);
  await assert.rejects(
    mcp.call("save_memory", { text: tooLong }),
    /longer than 16777216 bytes/,
  );
  assert.equal((await mcp.call("search", { query: "tokens" })).data.hits, 1);
});

Deno.test("a message of 17 MB gets an error over HTTP, and the server goes on", async () => {
  await using t = await tempStore({ entries });
  await using server = await startServer(t.workspace);
  for (const version of ["2025-06-18", "2026-07-28"]) {
    const params = { name: "save_memory", arguments: { text: tooLong } };
    const response = await server.post("/mcp", {
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { ...params, _meta: { "io.modelcontextprotocol/protocolVersion": version } },
    });
    assert.equal(response.status, 413, version);
    const { jsonrpc, error } = await response.json();
    assert.deepEqual([jsonrpc, typeof error.code], ["2.0", "number"]);
  }
  const api = await server.post("/api/save", { text: tooLong });
  assert.equal((await api.json()).error.code, "USAGE");
  const found = await (await server.post("/api/search", { query: "tokens" })).json();
  assert.equal(found.hits, 1);
});

Deno.test("clients that send headers or a body without end are hung up on", async () => {
  const stop = new AbortController();
  const { port, finished } = await listenHttp({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    bounds: { headersMs: 200, requestMs: 400 },
  }, async (request) => new Response(await request.text()));
  const starts = [
    "",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
  ];
  for (const start of starts) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    await connection.write(new TextEncoder().encode(start));
    const said = await new Response(connection.readable).text().catch(() => "");
    assert.match(said, /^(HTTP\/1\.1 408 |$)/, start);
  }
  assert.equal(await ask(port, "still here"), "still here");
  stop.abort();
  await finished;
});

Deno.test("of more requests than there may be at once the last get 503", async () => {
  const stop = new AbortController();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { port, finished } = await listenHttp({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    bounds: { requests: 2 },
  }, async (request) => {
    await gate;
    return new Response(await request.text());
  });
  const waiting = [ask(port, "a"), ask(port, "b")];
  let refused = "";
  while (!refused.includes("too many requests")) refused = await ask(port, "c");
  open();
  assert.deepEqual(await Promise.all(waiting), ["a", "b"]);
  assert.equal(await ask(port, "c"), "c");
  stop.abort();
  await finished;
});

async function ask(port: number, body: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body });
  return await response.text();
}
