// `ctx serve` as a process, and its guard: who gets in, and that what comes out is what the command
// line prints.

import assert from "node:assert/strict";
import { findCommand } from "../../../src/commands/mod.ts";
import { shortNotice } from "../../../src/core/rows/fence.ts";
import { toAgentView } from "../../../src/serve/mcp/agent_view.ts";
import { findRefusal } from "../../../src/serve/web/guard.ts";
import { runCtx, spawnCtx } from "../../support/processes/run_ctx.ts";
import { TempWorkspace } from "./support.ts";

Deno.test("serve: no token is 401, another host or origin 403, whoever has the token gets in", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t0ken"]);
  const status = async (path: string, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(server.url + path, { headers });
    await response.body?.cancel();
    return response.status;
  };
  const auth = { authorization: "Bearer t0ken" };
  for (const path of ["/api/stats", "/mcp", "/events", "/nothing"]) {
    assert.equal(await status(path, {}), 401, path);
    assert.equal(await status(path, { authorization: "Bearer wrong" }), 401, path);
    assert.equal(await status(path, { ...auth, origin: "https://evil.example" }), 403, path);
  }
  assert.equal(await status("/api/stats", auth), 200);
  assert.equal(await status("/api/stats", { ...auth, origin: "http://localhost:3000" }), 200);
  assert.equal(await status("/nothing", auth), 404);
  assert.equal(await rawStatus(server.url, "evil.example"), 403);
  assert.equal(await rawStatus(server.url, "localhost"), 401);
});

Deno.test("serve: /api answers with the bytes of --json, /mcp with what is brief of them", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t", "--tools", "all"]);
  const calls: { argv: string[]; tool: string; input: object }[] = [
    { argv: ["get", "H-1", "H-4"], tool: "get", input: { ids: ["H-1", "H-4"] } },
    { argv: ["search", "queue restart"], tool: "search", input: { query: "queue restart" } },
    { argv: ["timeline", "H-2"], tool: "timeline", input: { id: "H-2" } },
    { argv: ["sessions"], tool: "list", input: {} },
    { argv: ["read", "S-two"], tool: "read", input: { session: "S-two" } },
    { argv: ["stats"], tool: "stats", input: {} },
  ];
  for (const { argv, tool, input } of calls) {
    const { stdout } = await runCtx([...argv, "--json"], { cwd: workspace.path });
    const api = await server.post(`/api/${argv[0]}`, input);
    assert.equal(await api.text(), stdout, argv.join(" "));
    const mcp = await server.call(tool, input);
    const command = await findCommand(argv[0]);
    assert.ok(command);
    const view = await toAgentView(command, JSON.parse(stdout));
    assert.deepEqual(mcp.structuredContent, { notice: shortNotice, ...view }, tool);
  }
  assert.equal(await server.stop(), "");
});

Deno.test("serve: errors have the code of the command line and a status that fits", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t"]);
  const fail = async (path: string, input: unknown): Promise<[number, string]> => {
    const response = await server.post(path, input);
    return [response.status, (await response.json()).error.code];
  };
  assert.deepEqual(await fail("/api/get", { ids: ["H-none"] }), [404, "NOT_FOUND"]);
  assert.deepEqual(await fail("/api/get", { idz: 1 }), [400, "USAGE"]);
  assert.deepEqual(await fail("/api/nothing", {}), [404, "NOT_FOUND"]);
  assert.deepEqual(await fail("/api/setup", { client: "codex" }), [404, "NOT_FOUND"]);
  assert.deepEqual(await fail("/api/..%2f..%2fetc%2fpasswd", {}), [404, "NOT_FOUND"]);
  const get = await server.get("/api/save?text=x");
  assert.equal(get.status, 400);
  await get.body?.cancel();
  const query = await server.get("/api/search?query=queue&k=1&explain=true");
  assert.equal((await query.json()).results.length, 1);
  for (const k of ["0x10", "1e1", "2.5", " 5"]) {
    const refused = await server.get(`/api/search?query=queue&k=${encodeURIComponent(k)}`);
    const spoken = await runCtx(["search", "queue", "-k", k, "--json"], { cwd: workspace.path });
    assert.equal(await refused.text(), spoken.stderr, k);
  }
  const wrong = await server.call("search", JSON.parse('{"query":"x","__proto__":{"k":1}}'));
  assert.equal(
    wrong.structuredContent?.error?.message,
    'Cannot run search: unknown option "__proto__"',
  );
  const list = await (await server.get("/api")).json();
  assert.ok(list.commands.some(({ path }: { path: string }) => path === "/api/session/start"));
});

Deno.test("serve: /events tells of a change, once", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t"]);
  const response = await server.get("/events");
  const events = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (): Promise<string> => {
    while (true) {
      const { value = "" } = await events.read();
      const data = /data: (.*)/.exec(value);
      if (data) return JSON.parse(data[1]).entries;
    }
  };
  assert.equal(await next(), 4);
  await (await server.post("/api/save", { text: "new" })).body?.cancel();
  assert.equal(await next(), 5);
  await events.cancel();
});

Deno.test("serve --read-only refuses to write on every path", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t", "--read-only"]);
  const response = await server.post("/api/save", { text: "x" });
  assert.equal((await response.json()).error.code, "DENIED");
  assert.equal((await server.call("save_memory", { text: "x" })).isError, undefined);
  assert.equal(workspace.read("history.ndjson").trim().split("\n").length, 4);
});

Deno.test("serve refuses a body of 50 MB without dying of it", async () => {
  using workspace = new TempWorkspace();
  await using server = await startServer(workspace.path, ["--token", "t"]);
  const body = { text: "x".repeat(50_000_000) };
  const response = await server.post("/api/save", body).catch(() => undefined);
  if (response) assert.equal((await response.json()).error.code, "USAGE");
  const mcp = await server.post("/mcp", { jsonrpc: "2.0", id: 1, method: "x", params: body })
    .catch(() => undefined);
  if (mcp) {
    assert.equal(mcp.status, 413);
    await mcp.body?.cancel();
  }
  assert.equal((await (await server.post("/api/stats", {})).json()).entries, 4);
});

Deno.test("findRefusal() takes only loopback hosts and origins", () => {
  const refusal = (host: string, origin?: string): number | undefined =>
    findRefusal(
      new Request("http://127.0.0.1/", { headers: { host, ...(origin ? { origin } : {}) } }),
      {},
    )?.status;
  for (const host of ["localhost", "localhost:80", "127.0.0.1:4577", "[::1]:1", "LOCALHOST"]) {
    assert.equal(refusal(host), undefined, host);
  }
  const foreign = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil:80"];
  for (const host of [...foreign, "127.0.0.1@evil.example", "0.0.0.0", "localhost:80:80"]) {
    assert.equal(refusal(host), 403, host);
  }
  for (const origin of ["http://localhost:1", "https://127.0.0.1", "http://[::1]:5"]) {
    assert.equal(refusal("localhost", origin), undefined, origin);
  }
  for (const origin of ["null", "http://evil.example", "http://localhost.evil", "file://"]) {
    assert.equal(refusal("localhost", origin), 403, origin);
  }
});

interface Answer {
  structuredContent?: { error?: { message: string } };
  isError?: boolean;
}

interface Server extends AsyncDisposable {
  url: string;
  get(path: string): Promise<Response>;
  post(path: string, body: unknown): Promise<Response>;
  /** Calls a tool by the protocol of 2026. */
  call(tool: string, input: unknown): Promise<Answer>;
  /** Ends it; gives what it said on standard error. */
  stop(): Promise<string>;
}

async function startServer(workspace: string, args: string[]): Promise<Server> {
  const child = spawnCtx(["serve", "--port", "0", ...args], { cwd: workspace, stdin: "null" });
  const stderr = new Response(child.stderr).text();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const { url, token }: { url: string; token: string } = JSON.parse(
    new TextDecoder().decode(value),
  );
  const headers = { authorization: `Bearer ${token}` };
  const post: Server["post"] = (path, body) =>
    fetch(url + path, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(body),
    });
  let ended: Promise<string> | undefined;
  const stop = (): Promise<string> =>
    ended ??= (async () => {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
      return await stderr;
    })();
  return {
    url,
    post,
    get: (path) => fetch(url + path, { headers }),
    async call(name, input) {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      };
      const message = {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: input, _meta },
      };
      const response = await fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": name,
        },
        body: JSON.stringify(message),
      });
      return (await response.json()).result ?? {};
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

/** A request by hand: `fetch` does not let one choose the host. */
async function rawStatus(url: string, host: string): Promise<number> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const request = `GET /api/stats HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  await connection.write(new TextEncoder().encode(request));
  const buffer = new Uint8Array(64);
  const count = await connection.read(buffer);
  return Number(new TextDecoder().decode(buffer.subarray(0, count ?? 0)).split(" ")[1]);
}
