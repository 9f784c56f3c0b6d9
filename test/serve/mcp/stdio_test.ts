// `ctx mcp` as a process: whatever comes in is refused or answered cleanly, and nothing is lost.

import assert from "node:assert/strict";
import { coreTools } from "../../../src/serve/mcp/catalog.ts";
import { runsOf } from "../../support/full_length.ts";
import { RawClient, TempWorkspace } from "./support.ts";

Deno.test("mcp answers initialize, lists its tools and says what is in the store", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  const { result } = await client.initialize();
  assert.equal(result.serverInfo.name, "ctx");
  assert.match(
    result.instructions,
    /4 entries, 2026-09-01 to 2026-09-01, from ctx\./,
  );
  const { result: list } = await client.request("tools/list");
  assert.deepEqual(
    list.tools.map((tool: { name: string }) => tool.name),
    ["__IMPORTANT", ...coreTools],
  );
});

Deno.test("mcp answers in order what comes before its tools are loaded, and tells of no change", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  const line = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const call = { name: "get", arguments: { ids: ["H-1"] } };
  const answerTo = (id: string) => client.next((message) => String(message.id) === id);
  const [called, last] = [answerTo("call"), answerTo("last")];
  await client.write([
    line({ id: "first", method: "initialize", params }),
    line({ method: "notifications/initialized" }),
    line({ id: "list", method: "tools/list" }),
    line({ id: "call", method: "tools/call", params: call }),
    line({
      id: "gone",
      method: "tools/call",
      params: { name: "search", arguments: { query: "a" } },
    }),
    line({ method: "notifications/cancelled", params: { requestId: "gone" } }),
  ].join(""));
  await called;
  await client.write(line({ id: "last", method: "ping" }));
  await last;
  const answers = client.messages.map(({ id, method }) => String(id ?? method));
  assert.deepEqual(answers, ["first", "list", "call", "last"]);
  const [, list, got] = client.messages;
  assert.deepEqual(
    list.result.tools.map((tool: { name: string }) => tool.name),
    ["__IMPORTANT", ...coreTools],
  );
  assert.equal(got.result.structuredContent.results[0].id, "H-1");
});

Deno.test("mcp answers garbage, half messages and wrong shapes, and goes on", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  await client.initialize();
  const refused = async (line: string): Promise<number | undefined> => {
    const answer = client.next((message) => message.id === null);
    await client.write(line + "\n");
    return (await answer).error?.code;
  };
  assert.equal(await refused("garbage"), -32700);
  assert.equal(await refused('{"jsonrpc":"2.0","id":7,"method":'), -32700);
  assert.equal(await refused('{"jsonrpc":"1.0","id":7,"method":"ping"}'), -32600);
  assert.equal(await refused('["not","an","object"]'), -32600);
  assert.equal(await refused('{"jsonrpc":"2.0","id":{},"method":"ping"}'), -32600);
  assert.equal(await refused('{"jsonrpc":"2.0"}'), -32600);
  await client.write("\n\n");
  assert.equal((await client.request("no/such/method")).error?.code, -32601);
  assert.equal((await client.call("no_such_tool")).error?.code, -32602);
  assert.equal((await client.call("__proto__")).error?.code, -32602);
  assert.equal((await client.call("constructor")).error?.code, -32602);
  assert.deepEqual((await client.request("ping")).result, {});
});

Deno.test("mcp refuses hostile inputs with the codes of the command line", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  await client.initialize();
  const codeOf = async (tool: string, input: unknown): Promise<string> => {
    const { result } = await client.call(tool, input);
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, new RegExp(`^${result.structuredContent.error.code}: `));
    return result.structuredContent.error.code;
  };
  assert.equal(await codeOf("get", {}), "USAGE");
  assert.equal(await codeOf("get", { ids: ["H-1"], nonsense: 1 }), "USAGE");
  assert.equal(await codeOf("get", { ids: ["../../etc/passwd"] }), "NOT_FOUND");
  assert.equal(await codeOf("get", { ids: ["/etc/passwd"] }), "NOT_FOUND");
  assert.equal(await codeOf("get", { ids: ["%2e%2e%2fhistory.ndjson"] }), "NOT_FOUND");
  assert.equal(await codeOf("get", { ids: ["x".repeat(1_000_000)] }), "NOT_FOUND");
  assert.equal(await codeOf("get", { ids: ["__proto__", "constructor"] }), "NOT_FOUND");
  assert.equal(await codeOf("timeline", { id: "H-1", before: 1e9 }), "USAGE");
  assert.equal(await codeOf("search", { query: "" }), "USAGE");
  assert.equal(await codeOf("search", { query: "x", k: "five" }), "USAGE");
  assert.equal(await codeOf("search", "queue"), "USAGE");
  assert.equal(await codeOf("search", ["queue"]), "USAGE");
  assert.equal(await codeOf("search", JSON.parse('{"query":"x","__proto__":{"k":1}}')), "USAGE");
  await client.write(
    '{"jsonrpc":"2.0","id":"proto","method":"tools/call","params":{"name":"get","arguments":{"__proto__":{"ids":["H-1"]}}}}\n',
  );
  const answer = client.messages.find((message) => String(message.id) === "proto") ??
    await client.next((message) => String(message.id) === "proto");
  assert.equal(answer.result.structuredContent.error.code, "USAGE");
  const uris = ["ctx://entry/..%2F..%2Fetc%2Fpasswd", "ctx://session/../x", "ctx://entry/"];
  for (const uri of uris) {
    assert.ok((await client.request("resources/read", { uri })).error, uri);
  }
});

Deno.test("mcp refuses a message of 50 MB and keeps the connection", async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  await client.initialize();
  const refusal = client.next((message) => message.id === 9);
  await client.write(
    '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"save_memory",',
  );
  await client.write('"arguments":{"text":"');
  for (let i = 0; i < 50; i++) await client.write("x".repeat(1_000_000));
  await client.write('"}}}\n');
  assert.equal((await refusal).error?.code, -32600);
  assert.equal((await client.call("get", { ids: ["H-1"] })).result.isError, undefined);
  const saved = await client.call("save_memory", { text: "y".repeat(5_000_000) });
  const { id } = saved.result.structuredContent;
  const got = await client.call("get", { ids: [id], head: 1 });
  assert.equal(got.result.structuredContent.results[0].chars, 5_000_000);
});

const calls = runsOf(10_000);

Deno.test(`mcp answers ${calls} concurrent calls, each once`, async () => {
  using workspace = new TempWorkspace();
  await using client = new RawClient(workspace.path);
  await client.initialize();
  const count = calls;
  let lines = "";
  for (let id = 1; id <= count; id++) {
    const params = { name: "get", arguments: { ids: [`H-${1 + id % 4}`] } };
    lines += JSON.stringify({ jsonrpc: "2.0", id: id + 100, method: "tools/call", params }) + "\n";
  }
  let answered = 0;
  const all = client.next((message) =>
    message.result?.structuredContent !== undefined && ++answered === count
  );
  await client.write(lines);
  await all;
  const ids = new Set(client.messages.map(({ id }) => id));
  assert.equal(ids.size, count + 1);
  for (const { id, result } of client.messages) {
    if (!id || id <= 100) continue;
    assert.equal(result.structuredContent.results[0].id, `H-${1 + (id - 100) % 4}`);
  }
});

Deno.test("mcp finishes what it has begun when its input ends, also after half a message", async () => {
  using workspace = new TempWorkspace();
  const client = new RawClient(workspace.path);
  await client.initialize();
  const saves = Array.from({ length: 20 }, (_, i) => client.call("save_memory", { text: `s${i}` }));
  await client.write('{"jsonrpc":"2.0","id":99,"method":"tools/ca');
  const { code } = await client.close();
  const ids = (await Promise.all(saves)).map(({ result }) => result.structuredContent.id);
  assert.equal(code, 0);
  const log = workspace.read("history.ndjson");
  for (const id of ids) assert.ok(log.includes(id), id);
  assert.equal(log.trim().split("\n").length, 24);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`mcp loses nothing it has acknowledged when ${signal} comes during writes`, async () => {
    using workspace = new TempWorkspace();
    const client = new RawClient(workspace.path);
    await client.initialize();
    const saved: string[] = [];
    const saves = Array.from(
      { length: 60 },
      (_, i) =>
        client.call("save_memory", { text: `${signal} ${i} ${"z".repeat(20_000)}` })
          .then(({ result }) => saved.push(result.structuredContent.id)),
    );
    await Promise.race(saves);
    client.process.kill(signal);
    await client.process.status;
    await client.close();
    const lines = workspace.read("history.ndjson").split("\n");
    // SIGTERM ends the process at once: what it was about to write was not acknowledged.
    const torn = lines.pop();
    if (signal === "SIGINT") assert.equal(torn, "", "the log ends with a whole line");
    const ids = new Set(lines.map((line) => JSON.parse(line).id));
    for (const id of saved) assert.ok(ids.has(id), id);
    assert.ok(saved.length > 0);
  });
}

Deno.test("mcp without a store costs one line, and tells the client once one is made", async () => {
  using workspace = new TempWorkspace();
  Deno.removeSync(`${workspace.path}/.contextfs`, { recursive: true });
  await using client = new RawClient(workspace.path, ["--workspace", workspace.path]);
  const { result } = await client.initialize();
  assert.equal(
    result.instructions,
    "ctx has no memory for this project. Run `ctx init` only if the user asks for it.",
  );
  assert.deepEqual((await client.request("tools/list")).result.tools, []);
  const { resources } = (await client.request("resources/list")).result;
  const uris = resources.map(({ uri }: { uri: string }) => uri);
  assert.deepEqual(uris, ["ctx://pack", "ctx://now"]);
  for (const uri of uris) {
    const read = await client.request("resources/read", { uri });
    assert.equal(read.result.contents[0].text, result.instructions, "what is listed can be read");
  }
  const missing = await client.call("search", { query: "x" });
  assert.equal(missing.result.structuredContent.error.code, "STORE_MISSING");
  const told = client.next(({ method }) => method === "notifications/tools/list_changed");
  Deno.mkdirSync(`${workspace.path}/.contextfs`);
  workspace.write("history.ndjson", "");
  await told;
  assert.ok((await client.request("tools/list")).result.tools.length > 5);
  assert.equal((await client.call("save_memory", { text: "now" })).result.isError, undefined);
});
