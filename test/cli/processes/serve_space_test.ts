// The hub of a space: `ctx serve --remote`, asked over HTTP and by the official MCP client, by people
// who have tokens, had them, or never did.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { appendTeam, writeMembers } from "../../../src/store/team/team_log.ts";
import { writeRemote } from "../../../src/store/team/remote_file.ts";
import { type StartedServer, startServer } from "../../support/processes/start_server.ts";
import { rowOf, type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { assertMode } from "../../support/not_on_windows.ts";

const writers = {
  hub: "00000000-0000-4000-8000-000000000000",
  ada: "00000000-0000-4000-8000-00000000000a",
  bob: "00000000-0000-4000-8000-00000000000b",
};

Deno.test("the hub answers everybody who has a token with the rows of all, and says whose they are", async () => {
  await using hub = await startHub();
  const ada = hub.as(await hub.token("ada"));
  const found = await ada.get("/api/search?query=tokens");
  assert.deepEqual(found.results.map(({ id, author }: Row) => [id, author]).sort(), [
    ["H-ada1", "ada"],
    ["H-bob1", "bob"],
  ]);
  const mine = await ada.get("/api/search?query=tokens&mine=true");
  assert.deepEqual(mine.results.map(({ id }: Row) => id), ["H-ada1"]);
  const bobs = await hub.as(await hub.token("bob")).get("/api/search?query=tokens&mine=true");
  assert.deepEqual(bobs.results.map(({ id }: Row) => id), ["H-bob1"]);
  const got = await ada.get("/api/get?ids=H-bob1");
  assert.match(JSON.stringify(got), /Bob says that tokens rotate/);
  assert.deepEqual(
    traces(hub.t).map(({ command, asker }) => [command, asker]),
    [["search", "ada"], ["search", "ada"], ["search", "bob"], ["get", "ada"]],
  );
});

Deno.test("the official MCP client searches the hub; what would change something is not there", async () => {
  await using hub = await startHub();
  const token = await hub.token("ada");
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${hub.server.url}/mcp`), { requestInit }),
  );
  try {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.deepEqual(names.filter((name) => !/important|guide/i.test(name)).sort(), [
      "get",
      "list",
      "search",
      "timeline",
    ]);
    const found = await client.callTool({ name: "search", arguments: { query: "tokens" } });
    assert.match(JSON.stringify(found.content), /H-bob1/);
    for (
      const name of [
        "save_memory",
        "forget",
        "suggestion_feedback",
        "context_suggest",
        "save",
        "pin",
      ]
    ) {
      const answer = await client.callTool({ name, arguments: { text: "x", ids: ["H-ada1"] } })
        .catch((error) => ({ isError: true, content: String(error) }));
      assert.equal(answer.isError, true, name);
    }
  } finally {
    await client.close();
  }
  assert.equal(hub.t.read("history.ndjson"), "");
  assert.ok(traces(hub.t).every(({ asker }) => asker === "ada"));
});

Deno.test("without a token that counts there is one answer, whatever was tried", async () => {
  await using hub = await startHub();
  const token = await hub.token("ada");
  const hash = (hub.config("hub.json").match(/[0-9a-f]{64}/) ?? [""])[0];
  const tries: Record<string, string>[] = [
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer ${token.slice(0, -1)}` },
    { authorization: `Bearer ${token} ${token}` },
    { authorization: `Bearer wrong, Bearer ${token}` },
    { authorization: `Basic ${btoa(`ada:${token}`)}` },
    { authorization: token },
    { authorization: `Bearer ${hash}` },
    { authorization: "Bearer ada" },
    { "x-authorization": `Bearer ${token}`, cookie: `token=${token}` },
    { "mcp-session-id": token },
  ];
  const answers = new Set<string>();
  for (const headers of tries) {
    for (
      const path of [
        "/api/search?query=tokens",
        "/mcp",
        "/",
        "/api",
        "/nothing",
        `/api/get?token=${token}`,
      ]
    ) {
      const response = await fetch(hub.server.url + path, { headers });
      const { date: _, ...rest } = Object.fromEntries(response.headers);
      answers.add(JSON.stringify([response.status, await response.text(), rest]));
    }
  }
  assert.equal(answers.size, 1, [...answers].join("\n"));
  assert.match([...answers][0], /^\[401,/);
  assert.doesNotMatch([...answers][0], /ada|space|team/);
  assert.deepEqual(traces(hub.t), []);
});

Deno.test("commands that change, tell of this machine or are none are refused to everybody", async () => {
  await using hub = await startHub();
  const ada = hub.as(await hub.token("ada"));
  const paths = [
    "save",
    "forget",
    "purge",
    "pin",
    "edit",
    "undo",
    "gc",
    "compact",
    "doctor",
    "import",
    "config/set",
    "config/list",
    "traces",
    "trace",
    "status",
    "ls",
    "ask",
    "why",
    "suggest",
    "share",
    "remote/token",
    "export",
    "%73ave",
    "search/../save",
    "..%2f..%2fetc%2fpasswd",
    "__proto__",
    "constructor",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      const body = method === "GET"
        ? undefined
        : JSON.stringify({ text: "x", ids: ["H-ada1"], confirm: true });
      const status = await ada.status(`/api/${path}`, { method, body });
      assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`);
    }
  }
  for (const path of ["/events", "//events", "/page", "//api/save", "/mcp/../events"]) {
    assert.equal(await ada.status(path), 404, path);
  }
  const { commands } = await ada.get("/api");
  assert.ok(commands.every(({ effect }: { effect: string }) => effect === "read"));
  assert.equal(hub.t.read("history.ndjson"), "");
  assert.match(
    JSON.stringify(await ada.get("/api/search?query=tokens&all_projects=true", false)),
    /error|results/,
  );
});

Deno.test("other hosts and other origins are refused, unless an address was named for them", async () => {
  await using hub = await startHub();
  const token = await hub.token("ada");
  const statusOf = async (url: string, more: Record<string, string>): Promise<number> => {
    const { hostname, port } = new URL(url);
    using socket = await Deno.connect({ hostname, port: Number(port) });
    const headers = {
      host: "127.0.0.1",
      authorization: `Bearer ${token}`,
      connection: "close",
      ...more,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    await socket.write(
      new TextEncoder().encode(`GET /api HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`),
    );
    const answer = new TextDecoder().decode(await readAll(socket));
    return Number(answer.split(" ")[1]);
  };
  assert.equal(await statusOf(hub.server.url, {}), 200);
  assert.equal(await statusOf(hub.server.url, { host: "hub.example.org" }), 403);
  assert.equal(await statusOf(hub.server.url, { origin: "https://evil.example" }), 403);
  await using open = await startServer(hub.t.workspace, {
    words: ["--remote", "--host", "127.0.0.1"],
  });
  assert.equal(await statusOf(open.url, { host: "hub.example.org" }), 200);
  assert.equal(
    await statusOf(open.url, { host: "hub.example.org", origin: "https://evil.example" }),
    403,
  );
  assert.equal(await statusOf(open.url, { host: "hub.example.org", authorization: "" }), 401);
});

Deno.test("a revoked token, one that was replaced and one of a member who left are refused at once", async () => {
  await using hub = await startHub();
  const first = hub.as(await hub.token("ada"));
  assert.equal(await first.status("/api/search?query=tokens"), 200);
  const second = hub.as(await hub.token("ada"));
  assert.deepEqual([await first.status("/api"), await second.status("/api")], [401, 200]);
  const { code, stdout } = await hub.t.ctx(["remote", "token", "ada", "--revoke", "--json"]);
  assert.deepEqual([code, JSON.parse(stdout)], [0, { space: "team", name: "ada", revoked: true }]);
  assert.equal(await second.status("/api"), 401);
  assert.equal(Deno.readTextFileSync(`${hub.t.home}/.config/ctx/hub.json`).includes("ada"), false);
  assert.equal((await hub.t.ctx(["remote", "token", "ada", "--revoke"])).code, 3);
  const bob = hub.as(await hub.token("bob"));
  assert.equal(await bob.status("/api"), 200);
  await membersOf(hub.t, ["ada"], ["bob"]);
  assert.equal(await bob.status("/api"), 401);
  assert.match(
    (await hub.t.ctx(["remote", "token", "bob"])).stderr,
    /^ctx: Cannot create a token for "bob"/,
  );
});

Deno.test("a session of MCP is of the one who opened it", async () => {
  await using hub = await startHub();
  const [ada, bob] = [await hub.token("ada"), await hub.token("bob")];
  const send = (
    token: string,
    body: object,
    more: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(`${hub.server.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...more,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...body }),
    });
  const opened = await send(ada, {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    },
  });
  const session = opened.headers.get("mcp-session-id") ?? "";
  await opened.body?.cancel();
  assert.notEqual(session, "");
  const list = { id: 2, method: "tools/list", params: {} };
  const statusAs = async (token: string): Promise<number> => {
    const response = await send(token, list, { "mcp-session-id": session });
    await response.body?.cancel();
    return response.status;
  };
  assert.deepEqual([await statusAs(ada), await statusAs(bob)], [200, 404]);
  await hub.t.ctx(["remote", "token", "ada", "--revoke"]);
  assert.equal(await statusAs(ada), 401);
});

Deno.test("rows that another process brings are seen at once, and so is that the store got entries of its own", async () => {
  await using hub = await startHub();
  const ada = hub.as(await hub.token("ada"));
  assert.equal((await ada.get("/api/search?query=lighthouse")).results.length, 0);
  await teamRows(hub.t, "bob", [{ id: "H-bob2", text: "The lighthouse opens at nine" }], 2);
  const found = await ada.get("/api/search?query=lighthouse");
  assert.deepEqual(found.results.map(({ id }: Row) => id), ["H-bob2"]);
  await hub.t.ctx(["save", "My own note about the lighthouse"]);
  const response = await fetch(`${hub.server.url}/api/search?query=lighthouse`, {
    headers: ada.headers,
  });
  assert.equal(response.status, 503);
  assert.doesNotMatch(await response.text(), /My own note/);
});

Deno.test("the hub calls nobody: an embedder that is configured is not asked", async () => {
  let calls = 0;
  await using embedder = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    calls++;
    return Response.json({ data: [] });
  });
  const env = {
    CTX_EMBEDDER_KIND: "http",
    CTX_EMBEDDER_URL: `http://127.0.0.1:${embedder.addr.port}`,
    CTX_EMBEDDER_MODEL: "m",
  };
  await using hub = await startHub(env);
  const ada = hub.as(await hub.token("ada"));
  assert.equal((await ada.get("/api/search?query=tokens")).results.length, 2);
  assert.equal(calls, 0);
});

Deno.test("what is no hub does not start, and says why", async () => {
  await using t = await tempStore();
  assert.match(
    (await t.ctx(["serve", "--remote", "--port", "0"])).stderr,
    /^ctx: Cannot serve a space: the store in ".*" is not in a space\nhint: ctx team add --invite FILE\n$/,
  );
  assert.match(
    (await t.ctx(["remote", "token", "ada"])).stderr,
    /^ctx: Cannot create a token: this project is not shared with a team yet/,
  );
  await makeHubStore(t);
  await t.run("save", { text: "A note of my own" });
  assert.match(
    (await t.ctx(["serve", "--remote", "--port", "0"])).stderr,
    /^ctx: Cannot serve the space "team": this store has an entry of its own\nhint: join the space from/,
  );
  for (
    const words of [["--remote", "--token", "t"], ["--remote", "--session", "S-1"], [
      "--host",
      "0.0.0.0",
    ]]
  ) {
    assert.equal((await t.ctx(["serve", "--port", "0", ...words])).code, 2, words.join(" "));
  }
});

Deno.test("a token is in a file of the user's own, and nowhere else", async () => {
  await using hub = await startHub();
  const { code, stdout, stderr } = await hub.t.ctx(["remote", "token", "ada"]);
  assert.equal(code, 0, stderr);
  const path = `${hub.t.home}/.config/ctx/tokens/${writers.hub}/ada.txt`;
  assert.match(stdout, new RegExp(path));
  const token = Deno.readTextFileSync(path).trim();
  assert.match(token, /^[0-9a-f]{64}$/);
  for (const name of [path, `${hub.t.home}/.config/ctx/hub.json`]) {
    assertMode(name, 0o600);
  }
  await hub.as(token).get("/api/search?query=tokens");
  const everywhere = [stdout, hub.config("hub.json"), ...filesBelow(hub.t.root)];
  assert.ok(everywhere.every((text) => !text.includes(token)));
  for (const name of ["../evil", "a/b", "", ".", "a\0b", "x".repeat(65)]) {
    assert.equal(
      (await hub.t.fail("remote token", { name }, { env: envOf(hub.t) })).code,
      "USAGE",
      name,
    );
  }
});

interface Row {
  id: string;
  author?: string;
}

/** A hub that listens. */
interface Hub extends AsyncDisposable {
  t: TempStore;
  server: StartedServer;
  /** Makes a token and gives it. */
  token(name: string): Promise<string>;
  /** Asks with a token. */
  as(token: string): Asker;
  config(name: string): string;
}

interface Asker {
  headers: Record<string, string>;
  // deno-lint-ignore no-explicit-any
  get(path: string, mustWork?: boolean): Promise<any>;
  status(path: string, init?: RequestInit): Promise<number>;
}

async function startHub(env?: Record<string, string>): Promise<Hub> {
  const t = await tempStore();
  await makeHubStore(t);
  const server = await startServer(t.workspace, { words: ["--remote"], env });
  const config = (name: string): string => Deno.readTextFileSync(`${t.home}/.config/ctx/${name}`);
  return {
    t,
    server,
    config,
    async token(name) {
      const { code, stdout, stderr } = await t.ctx(["remote", "token", name, "--json"]);
      assert.equal(code, 0, stderr);
      return Deno.readTextFileSync(JSON.parse(stdout).path).trim();
    },
    as(token) {
      const headers = { authorization: `Bearer ${token}` };
      return {
        headers,
        async get(path, mustWork = true) {
          const response = await fetch(server.url + path, { headers });
          const text = await response.text();
          if (mustWork) assert.equal(response.status, 200, text);
          return JSON.parse(text);
        },
        async status(path, init = {}) {
          const response = await fetch(server.url + path, { headers, ...init });
          await response.body?.cancel();
          return response.status;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await t[Symbol.asyncDispose]();
    },
  };
}

/** A store that follows a space, with a row of Ada's and one of Bob's. */
async function makeHubStore(t: TempStore): Promise<void> {
  const store = t.open();
  await store.write("test", ({ files, layout }) =>
    writeRemote({ files, layout }, {
      version: 1,
      space: "team",
      writer: writers.hub,
      name: "hub",
      owner: false,
      encrypted: false,
    }));
  await membersOf(t, ["ada", "bob"], []);
  await teamRows(t, "ada", [{ id: "H-ada1", text: "Ada decided that tokens are kept in memory" }]);
  await teamRows(t, "bob", [{ id: "H-bob1", text: "Bob says that tokens rotate daily" }]);
}

async function membersOf(t: TempStore, here: string[], gone: string[]): Promise<void> {
  const members = [
    ...here.map((name) => ({ name, owner: false })),
    ...gone.map((name) => ({ name, owner: false, revoked_at: "2026-01-01T00:00:00.000Z" })),
  ];
  await t.open().write(
    "test",
    (writer) =>
      writeMembers(writer, { version: 1, space: "team", root_key: "", members, writers: [] }),
  );
}

async function teamRows(
  t: TempStore,
  name: "ada" | "bob",
  rows: { id: string; text: string }[],
  seq = 1,
): Promise<void> {
  const lines = rows.map((row, i) =>
    JSON.stringify({ ...rowOf(row, i), author: name, seq: seq + i })
  );
  await t.open().write("test", (writer) => appendTeam(writer, writers[name], lines));
}

function traces(t: TempStore): Record<string, unknown>[] {
  if (!t.exists("retrieval.traces.ndjson")) return [];
  return t.read("retrieval.traces.ndjson").trim().split("\n").map((line) => JSON.parse(line));
}

function envOf(t: TempStore): (name: string) => string | undefined {
  return (name) => name === "HOME" ? t.home : undefined;
}

function filesBelow(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? filesBelow(`${directory}/${name}`)
      : [Deno.readTextFileSync(`${directory}/${name}`)]
  );
}

async function readAll(socket: Deno.Conn): Promise<Uint8Array> {
  return new Uint8Array(await new Response(socket.readable).arrayBuffer());
}
