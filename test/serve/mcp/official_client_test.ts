// The official client against the real server in both protocol eras, without a port: lists, calls,
// resources, prompts, completion, progress and cancellation.

import { Client, type Transport } from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { define } from "../../../src/command/command.ts";
import { integer, number } from "../../../src/command/shape.ts";
import { loadCommands } from "../../../src/commands/mod.ts";
import { makeCatalog } from "../../../src/serve/mcp/catalog.ts";
import { makeServerFactory } from "../../../src/serve/mcp/server_factory.ts";
import { LineSplitter, OverlongLine } from "../../../src/serve/mcp/line_splitter.ts";
import { serveOverPipes } from "../../../src/serve/mcp/stdio.ts";
import { TempWorkspace } from "./support.ts";

/** A command that takes long: it reports three steps and stops when it is told to. */
const slow = define({
  name: "slow",
  summary: "Take long.",
  input: { steps: integer("Steps.", { min: 1, default: 3 }) },
  output: { steps: number() },
  effect: "read",
  tool: "slow",
  examples: [],
  async run({ steps }, context) {
    for (let step = 1; step <= steps; step++) {
      context.signal.throwIfAborted();
      context.progress(`step ${step}`, step, steps);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { steps };
  },
  render: () => "",
});

for (const era of ["legacy", "modern"] as const) {
  Deno.test(`the official client uses everything (${era})`, async () => {
    using workspace = new TempWorkspace();
    await using session = await connect(workspace.path, era);
    const { client } = session;
    assert.match(client.getInstructions() ?? "", /4 entries/);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "search"));
    const found = await client.callTool({ name: "search", arguments: { query: "queue" } });
    assert.equal(Reflect.get(found.structuredContent ?? {}, "hits"), 1);
    const guide = await client.callTool({ name: "workflow_guide", arguments: {} });
    assert.match(JSON.stringify(guide.content), /Three layers/);
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri).filter((uri) => !/^ctx:\/\/(?:pack|now)$/.test(uri)),
      [
        "ctx://session/S-two",
        "ctx://session/S-one",
      ],
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
      "ctx://entry/{id}",
      "ctx://session/{id}",
    ]);
    const entry = await client.readResource({ uri: "ctx://entry/H-3" });
    assert.match(JSON.stringify(entry.contents[0]), /queue drops messages/);
    await assert.rejects(client.readResource({ uri: "ctx://entry/H-none" }), /not found/i);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "ctx://entry/{id}" },
      argument: { name: "id", value: "H-" },
    });
    assert.deepEqual(completion.values, ["H-4", "H-3", "H-2", "H-1"]);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), [
      "retrieval_agent",
      "what_did_we_decide",
      "summarise_today",
    ]);
    const prompt = await client.getPrompt({
      name: "what_did_we_decide",
      arguments: { topic: "auth" },
    });
    assert.match(JSON.stringify(prompt.messages), /\\"auth\\"/);
    const incomplete: (Record<string, string> | undefined)[] = [undefined, {}, { topic: " " }];
    for (const given of incomplete) {
      await assert.rejects(
        client.getPrompt({ name: "what_did_we_decide", ...(given ? { arguments: given } : {}) }),
        { code: -32602, message: /its argument "topic" is missing/ },
      );
    }
    await assert.rejects(client.getPrompt({ name: "retrieval_agent" }));
  });

  Deno.test(`Claude Code is asked to load the few tools that matter at once (${era})`, async () => {
    using workspace = new TempWorkspace();
    const loaded: string[][] = [];
    for (const name of ["claude-code", "test"]) {
      await using session = await connect(workspace.path, era, name);
      const { tools } = await session.client.listTools();
      loaded.push(
        tools.filter(({ _meta }) => _meta?.["anthropic/alwaysLoad"] === true).map((tool) =>
          tool.name
        ),
      );
    }
    assert.deepEqual(loaded.map((names) => names.sort()), [
      ["get", "save_memory", "search", "timeline"],
      [],
    ]);
  });

  Deno.test(`long work tells how far it is and stops when it is cancelled (${era})`, async () => {
    using workspace = new TempWorkspace();
    await using session = await connect(workspace.path, era);
    const { client } = session;
    const steps: (string | undefined)[] = [];
    const done = await client.callTool({ name: "slow", arguments: {} }, {
      onprogress: ({ message }) => void steps.push(message),
    });
    assert.deepEqual(done.structuredContent, { steps: 3 });
    assert.deepEqual(steps, ["step 1", "step 2", "step 3"]);
    const stop = new AbortController();
    let seen = 0;
    const call = client.callTool({ name: "slow", arguments: { steps: 100_000 } }, {
      signal: stop.signal,
      onprogress: () => {
        if (++seen === 2) stop.abort("enough");
      },
    });
    await assert.rejects(call, /enough/);
    const after = await client.callTool({ name: "get", arguments: { ids: ["H-1"] } });
    assert.ok(!after.isError);
    assert.ok(seen < 20);
  });
}

async function connect(
  workspace: string,
  era: "legacy" | "modern",
  name = "test",
): Promise<AsyncDisposable & { client: Client }> {
  const commands = (await loadCommands()).filter((command) => !command.local);
  const catalog = makeCatalog({
    commands: [...commands, slow],
    context: openContext({ workspace }),
    tools: "all",
  });
  const factory = makeServerFactory({ catalog, version: "0.0.0" });
  const toServer = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 100 });
  const toClient = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 100 });
  const writer = toClient.writable.getWriter();
  const served = serveOverPipes(factory, {
    input: toServer.readable,
    write: (bytes) => void writer.write(bytes).catch(() => {}),
  }, new AbortController().signal);
  const client = new Client({ name, version: "1" }, {
    versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } },
  });
  await client.connect(makeTransport(toServer.writable, toClient.readable));
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await served;
      await writer.close().catch(() => {});
    },
  };
}

/** The client's end of two pipes. */
function makeTransport(
  writable: WritableStream<Uint8Array>,
  readable: ReadableStream<Uint8Array>,
): Transport {
  const writer = writable.getWriter();
  const transport: Transport = {
    async start() {
      await Promise.resolve();
      (async () => {
        const lines = new LineSplitter(1 << 26);
        for await (const chunk of readable) {
          for (const line of lines.push(chunk)) {
            if (line instanceof OverlongLine) continue;
            transport.onmessage?.(JSON.parse(new TextDecoder().decode(line)));
          }
        }
      })();
    },
    async send(message) {
      await writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
    },
    async close() {
      await writer.close().catch(() => {});
      transport.onclose?.();
    },
  };
  return transport;
}
