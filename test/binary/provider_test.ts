// The built file and its providers: a confined server reaches their hosts and nothing else, and one
// that fails costs a search its vectors and a question its model, not their answer, on every surface.

import assert from "node:assert/strict";
import { type EmbeddingFault, FakeEmbeddings } from "../support/servers/fake_embeddings.ts";
import { connectMcp } from "../support/processes/mcp_client.ts";
import { findBuilt } from "../support/processes/built_ctx.ts";
import { homeOf } from "../support/processes/run_ctx.ts";
import { childrenOf, startServer } from "../support/processes/start_server.ts";
import { remoteOfAda, teamFiles } from "../support/servers/team_logs.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const entries = [
  { id: "H-token", text: "Refresh tokens rotate on every use" },
  { id: "H-queue", text: "The queue drops messages on restart" },
];

/** Shares no word with the entry it means. */
const byMeaning = "credential lifetime";

async function storeWith(provider: FakeEmbeddings, indexed = true): Promise<TempStore> {
  const t = await tempStore({ entries });
  writeUserConfig(t.workspace, { embedder: provider.settings });
  if (!indexed) return t;
  const { code, stderr } = await t.ctx(["reindex", "--vectors"]);
  assert.equal(code, 0, stderr);
  return t;
}

function writeUserConfig(workspace: string, config: object): void {
  const directory = `${homeOf(workspace)}/.config/ctx`;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.writeTextFileSync(`${directory}/config.jsonc`, JSON.stringify(config, null, 2));
}

Deno.test("mcp, serve and the command line search by meaning with the configured provider", async () => {
  await using provider = new FakeEmbeddings();
  await using t = await storeWith(provider);
  const line = JSON.parse((await t.ctx(["search", byMeaning, "--json"])).stdout);
  await using mcp = await connectMcp(t.workspace);
  const { data: tool } = await mcp.call("search", { query: byMeaning });
  await using server = await startServer(t.workspace);
  const api = await (await server.post("/api/search", { query: byMeaning })).json();
  // By words there would be nothing.
  assert.deepEqual([tool.results[0].id, tool.notes], ["H-token", undefined]);
  for (const [surface, data] of Object.entries({ line, api })) {
    assert.equal(data.retrieval.branch, "hybrid", `${surface} ${JSON.stringify(data.retrieval)}`);
    assert.equal(data.results[0].id, "H-token", surface);
    assert.equal(data.retrieval.provider_error, undefined, surface);
  }
});

Deno.test({
  name: "a confined server may connect to the provider's host and port and to nothing else",
  ignore: Deno.build.os !== "linux" || (await findBuilt())?.form !== "self-extracting",
  async fn() {
    await using provider = new FakeEmbeddings();
    await using other = new FakeEmbeddings();
    await using t = await storeWith(provider);
    await using mcp = await connectMcp(t.workspace);
    await using server = await startServer(t.workspace);
    const own = `127.0.0.1:${server.port}`;
    for (const [pid, hosts] of [[mcp.pid, []], [server.process.pid, [own]]] as const) {
      const [child] = childrenOf(pid);
      const words = Deno.readTextFileSync(`/proc/${child}/cmdline`).split("\0");
      const flags = words.filter((word) => word.startsWith("--allow-"));
      const net = flags.find((flag) => flag.startsWith("--allow-net="));
      assert.deepEqual(net?.slice("--allow-net=".length).split(","), [...hosts, provider.host]);
      assert.ok(!flags.some((flag) => /^--allow-(run|ffi|sys|all|import)/.test(flag)), `${flags}`);
      assert.ok(words.includes("--no-remote"), "no module is loaded from elsewhere");
      const reached = await reach(words[0], flags, [provider.host, other.host]);
      assert.deepEqual(reached, { [provider.host]: true, [other.host]: false });
    }
  },
});

Deno.test({
  name: "a hub may listen on its port, and it and mcp without a provider may connect to nothing",
  ignore: Deno.build.os !== "linux" || (await findBuilt())?.form !== "self-extracting",
  async fn() {
    await using provider = new FakeEmbeddings();
    await using hub = await tempStore({
      files: { "remote.json": remoteOfAda, ...teamFiles({ bob: entries }) },
    });
    writeUserConfig(hub.workspace, { embedder: provider.settings });
    await using server = await startServer(hub.workspace, { words: ["--remote"] });
    await using t = await tempStore({ entries });
    await using mcp = await connectMcp(t.workspace);
    const own = `--allow-net=127.0.0.1:${server.port}`;
    // The hub's first process starts the one that is asked; mcp is confined from its start.
    const confined = [[childrenOf(server.process.pid)[0], [own]], [mcp.pid, []]] as const;
    for (const [pid, net] of confined) {
      const words = Deno.readTextFileSync(`/proc/${pid}/cmdline`).split("\0");
      const flags = words.filter((word) => word.startsWith("--allow-"));
      assert.ok(flags.length > 0, `${words}`);
      assert.deepEqual(flags.filter((flag) => !/^--allow-(read|write|env)=/.test(flag)), net);
      assert.deepEqual(childrenOf(pid), [], "nothing else was started");
      const reached = await reach(words[0], flags, [provider.host]);
      assert.deepEqual(reached, { [provider.host]: false });
    }
  },
});

Deno.test("a server without a provider has no network at all", async () => {
  await using t = await tempStore({ entries });
  await using mcp = await connectMcp(t.workspace);
  assert.equal((await mcp.call("search", { query: "tokens" })).data.hits, 1);
  if (Deno.build.os !== "linux") return;
  const command = Deno.readTextFileSync(`/proc/${mcp.pid}/cmdline`);
  assert.ok(!command.includes("--allow-net"), command);
});

const faults: [fault: EmbeddingFault | "down", code: string, said: RegExp][] = [
  ["500", "PROVIDER_FAILED", /responded with 500/],
  ["401", "PROVIDER_FAILED", /responded with 401/],
  ["wrong dimensions", "PROVIDER_FAILED", /did not return 1 vectors with 16 dimensions/],
  ["no JSON", "PROVIDER_FAILED", /is not JSON/],
  ["redirect", "PROVIDER_FAILED", /cannot be reached/],
  ["down", "PROVIDER_FAILED", /cannot be reached/],
];
for (const [fault, code, said] of faults) {
  Deno.test(`a search goes by words and says so when the provider fails: ${fault}`, async () => {
    await using elsewhere = new FakeEmbeddings();
    await using provider = new FakeEmbeddings();
    await using t = await storeWith(provider);
    if (fault === "down") await provider[Symbol.asyncDispose]();
    else provider.fault = fault;
    provider.elsewhere = `${elsewhere.url}/embeddings`;
    const check = (surface: string, data: Data): void => {
      assert.deepEqual(data.results.map(({ id }) => id), ["H-token"], surface);
      assert.equal(data.retrieval.branch, "lexical", surface);
      assert.equal(data.retrieval.provider_error?.code, code, surface);
      assert.match(data.retrieval.notes.join(), said, surface);
      assert.match(data.retrieval.notes.join(), /: searched by words only$/, surface);
    };
    const json = await t.ctx(["search", "refresh tokens", "--json"]);
    assert.equal(json.code, 0, json.stderr);
    check("--json", JSON.parse(json.stdout));
    const plain = await t.ctx(["search", "refresh tokens", "--budget", "50"]);
    assert.equal(plain.code, 0);
    assert.match(plain.stderr, /^ctx: .*Cannot embed: .*: searched by words only$/m);
    await using mcp = await connectMcp(t.workspace);
    const tool = await mcp.call("search", { query: "refresh tokens" });
    const { results, provider_error, notes } = tool.data;
    check("mcp", {
      results,
      retrieval: { branch: "lexical", provider_error: { code: provider_error }, notes },
    });
    assert.match(tool.text, /notes: Cannot embed: .*: searched by words only/);
    const nothing = await mcp.call("search", { query: "zebra" });
    assert.match(nothing.text, /^hits: 0; .*notes: Cannot embed: .*: searched by words only/);
    await using server = await startServer(t.workspace);
    const api = await server.post("/api/search", { query: "refresh tokens" });
    assert.equal(api.status, 200);
    check("http", await api.json());
    const asked = JSON.parse((await t.ctx(["ask", "do refresh tokens rotate?", "--json"])).stdout);
    assert.match(asked.note, /Cannot embed: .*: searched by words only/);
    assert.deepEqual(elsewhere.requests, [], "nothing was sent elsewhere");
  });
}

Deno.test("a search does not wait long for a provider that does not answer", async () => {
  await using provider = new FakeEmbeddings();
  await using t = await storeWith(provider);
  provider.fault = "hang";
  await using mcp = await connectMcp(t.workspace);
  const { data } = await mcp.call("search", { query: "refresh tokens" });
  assert.equal(data.provider_error, "PROVIDER_TIMEOUT");
  assert.deepEqual(data.results.map(({ id }: { id: string }) => id), ["H-token"]);
  assert.equal(provider.requests.length, 1 + 1, "one request for the index, one for the search");
});

Deno.test("half a configuration of a provider costs a search nothing but its vectors", async () => {
  await using t = await tempStore({ entries });
  writeUserConfig(t.workspace, { embedder: { kind: "http" } });
  const { code, stdout, stderr } = await t.ctx(["search", "tokens", "--json"]);
  assert.equal(code, 0, stderr);
  const data: Data = JSON.parse(stdout);
  assert.equal(data.retrieval.provider_error?.code, "PROVIDER_MISSING");
  assert.match(data.retrieval.notes.join(), /embedder\.url.* is empty: searched by words only/);
  await using mcp = await connectMcp(t.workspace);
  const tool = await mcp.call("search", { query: "tokens" });
  assert.equal(tool.data.hits, 1);
  assert.match(tool.text, /notes: Cannot embed: .*: searched by words only/);
});

Deno.test("reindex --vectors brings the words up to date before it says that the provider failed", async () => {
  await using provider = new FakeEmbeddings();
  await using t = await storeWith(provider, false);
  provider.fault = "401";
  const { code, stderr } = await t.ctx(["reindex", "--vectors", "--json"]);
  assert.equal(code, 6);
  assert.equal(JSON.parse(stderr).error.code, "PROVIDER_FAILED");
  const search = await t.ctx(["search", "tokens", "--json", "--mode", "lexical"]);
  assert.equal(JSON.parse(search.stdout).retrieval.index.sealed_rows, entries.length);
  provider.fault = undefined;
  assert.equal((await t.ctx(["reindex", "--vectors"])).code, 0);
  const found = await t.ctx(["search", byMeaning, "--json"]);
  assert.equal(JSON.parse(found.stdout).retrieval.branch, "hybrid");
});

Deno.test("ask answers with passages when its model cannot be asked, and says so in the exit code", async () => {
  await using t = await tempStore({ entries });
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = closed.addr as Deno.NetAddr;
  closed.close();
  const llm = { model: "m", provider: `http://127.0.0.1:${port}/v1`, api_key: "k" };
  writeUserConfig(t.workspace, { llm });
  const line = await t.ctx(["ask", "how do refresh tokens rotate?", "--json"]);
  const said = JSON.parse(line.stdout);
  assert.deepEqual([line.code, said.provider_error.code], [6, "PROVIDER_FAILED"]);
  assert.equal(said.sources[0].entry_id, "H-token");
  await using mcp = await connectMcp(t.workspace, { words: ["--tools", "all"] });
  const tool = await mcp.call("ask_documents", { query: "how do refresh tokens rotate?" });
  assert.match(tool.text, /rotate on every use/);
  assert.match(tool.text, /answered without a model/);
});

interface Data {
  results: { id: string }[];
  retrieval: { branch: string; notes: string[]; provider_error?: { code: string } };
}

/** Which hosts the program can connect to with these permissions. */
async function reach(
  deno: string,
  flags: string[],
  hosts: string[],
): Promise<Record<string, boolean>> {
  const directory = await Deno.makeTempDir({ prefix: "ctx-reach-" });
  try {
    const script = `${directory}/reach.js`;
    await Deno.writeTextFile(
      script,
      `const reached = {};
for (const host of ${JSON.stringify(hosts)}) {
  const [hostname, port] = host.split(":");
  try {
    (await Deno.connect({ hostname, port: Number(port) })).close();
    reached[host] = true;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    reached[host] = false;
  }
}
console.log(JSON.stringify(reached));
`,
    );
    const { stdout, stderr } = await new Deno.Command(deno, {
      args: ["run", "--quiet", "--no-prompt", "--no-config", ...flags, script],
    }).output();
    const text = new TextDecoder().decode(stdout);
    assert.notEqual(text, "", new TextDecoder().decode(stderr));
    return JSON.parse(text);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
