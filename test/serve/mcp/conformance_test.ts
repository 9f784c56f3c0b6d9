// The official conformance suite against both transports, with fixtures that exist only here.

import type { McpServerFactory } from "@modelcontextprotocol/server";
import assert from "node:assert/strict";
import { openServed, type Served } from "../../../src/cli/processes/served.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import { makeMcpEndpoint, type McpEndpoint } from "../../../src/serve/mcp/http.ts";
import { serveOverPipes } from "../../../src/serve/mcp/stdio.ts";
import { makeWebHandler } from "../../../src/serve/web/web_handler.ts";
import { makeBridge, type StdioEnds } from "./conformance/bridge.ts";
import { makeFixtures } from "./conformance/fixture_tools.ts";
import { TempWorkspace } from "./support.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

const suite = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** Checks per protocol version in the suite's active scenarios: a drop means something was not run. */
const expected = { "2025-06-18": 56, "2025-11-25": 73, "2026-07-28": 41 };

Deno.test("conformance: every active scenario passes over HTTP", async (t) => {
  using workspace = new TempWorkspace();
  await using server = await serveHttp(workspace.path);
  for (const [version, checks] of Object.entries(expected)) {
    await t.step(version, async () => {
      assert.ok(await runSuite(server.url, ["--spec-version", version]) >= checks);
    });
  }
  await t.step("2026-07-28, pending and draft scenarios too", async () => {
    const args = ["--suite", "all", "--spec-version", "2026-07-28"];
    assert.ok(await runSuite(server.url, args) >= 100);
  });
});

Deno.test("conformance: every active scenario passes over stdio, through a bridge", async (t) => {
  using workspace = new TempWorkspace();
  const { context, factory } = await open(workspace.path);
  const starts = { "2025-06-18": startHere, "2025-11-25": startHere, "2026-07-28": startProcess };
  for (const [version, start] of Object.entries(starts)) {
    await t.step(version, async () => {
      const bridge = makeBridge(() => start(factory, workspace.path));
      const mcp = bridge.fetch;
      const handler = makeWebHandler({ context, findCommand, loadCommands, mcp });
      const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
      const url = `http://127.0.0.1:${server.addr.port}/mcp`;
      const checks = expected[version as keyof typeof expected];
      assert.ok(await runSuite(url, ["--spec-version", version]) >= checks);
      await bridge.close();
      await server.shutdown();
    });
  }
});

/** The stdio server on pipes of this process: older clients need one server per session. */
function startHere(factory: McpServerFactory): StdioEnds {
  const into = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 << 20 });
  const out = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 << 20 });
  const writer = out.writable.getWriter();
  const pipes = {
    input: into.readable,
    write: (bytes: Uint8Array) => void writer.write(bytes).catch(() => {}),
  };
  const ended = serveOverPipes(factory, pipes, new AbortController().signal)
    .then(() => writer.close().catch(() => {}));
  return { stdin: into.writable, stdout: out.readable, ended };
}

/** The stdio server as a process of its own. */
function startProcess(_factory: McpServerFactory, workspace: string): StdioEnds {
  const program = fromFileUrl(new URL("./conformance/stdio_fixture_server.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", program, workspace],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  return { stdin: child.stdin, stdout: child.stdout, ended: child.status };
}

async function open(workspace: string, onToolChange?: () => void): Promise<Served> {
  return await openServed({
    workspace,
    surface: "http",
    session: "all",
    read_only: false,
    tools: "all",
    extension: makeFixtures(onToolChange),
  });
}

async function serveHttp(workspace: string): Promise<AsyncDisposable & { url: string }> {
  const { context, factory } = await open(workspace, () => endpoint.toolsChanged());
  const endpoint: McpEndpoint = makeMcpEndpoint(factory);
  const handler = makeWebHandler({ context, findCommand, loadCommands, mcp: endpoint.fetch });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await endpoint.close();
      await server.shutdown();
    },
  };
}

/** Runs the suite; how many checks passed, none having failed. */
async function runSuite(url: string, args: string[]): Promise<number> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--cached-only", suite, "server", "--url", url, ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  const total = /Total: (\d+) passed, (\d+) failed/.exec(output);
  assert.equal(total?.[2], "0", output.slice(-4000));
  return Number(total?.[1]);
}
