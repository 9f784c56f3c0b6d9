// The official conformance suite against both transports, with fixtures that exist only here.

import assert from "node:assert/strict";
import { openServed } from "../../src/cli/served.ts";
import { findCommand, loadCommands } from "../../src/commands/mod.ts";
import { makeMcpEndpoint, type McpEndpoint } from "../../src/mcp/http.ts";
import { makeWebHandler } from "../../src/web/server.ts";
import { makeBridge } from "./conformance/bridge.ts";
import { makeFixtures } from "./conformance/fixture_tools.ts";
import { TempWorkspace } from "./support.ts";

const suite = "npm:@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** Checks per protocol version in the suite's active scenarios: a drop means something was not run. */
const expected = { "2025-06-18": 56, "2025-11-25": 73, "2026-07-28": 41 };

Deno.test("conformance: every active scenario passes over HTTP", async (t) => {
  using workspace = new TempWorkspace();
  await using server = await serveHttp(workspace.path);
  for (const [version, checks] of Object.entries(expected)) {
    await t.step(version, async () => {
      assert.deepEqual(await runSuite(server.url, ["--spec-version", version]), {
        failed: 0,
        passed: checks,
      });
    });
  }
  await t.step("2026-07-28, pending and draft scenarios too", async () => {
    const args = ["--suite", "all", "--spec-version", "2026-07-28"];
    const { failed, passed } = await runSuite(server.url, args);
    assert.deepEqual(failed, 0);
    assert.ok(passed >= 100, `only ${passed} checks ran`);
  });
});

Deno.test("conformance: every active scenario passes over stdio, through a bridge", async (t) => {
  using workspace = new TempWorkspace();
  const program = new URL("./conformance/stdio_fixture_server.ts", import.meta.url).pathname;
  const bridge = makeBridge(() =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", program, workspace.path],
      stdin: "piped",
      stdout: "piped",
    })
  );
  const handler = makeWebHandler({
    context: (await open(workspace.path)).context,
    findCommand,
    loadCommands,
    mcp: bridge.fetch,
  });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  for (const [version, checks] of Object.entries(expected)) {
    await t.step(version, async () => {
      assert.deepEqual(await runSuite(url, ["--spec-version", version]), { failed: 0, passed: checks });
    });
  }
  await bridge.close();
  await server.shutdown();
});

async function open(workspace: string, onToolChange?: () => void) {
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
  let endpoint: McpEndpoint | undefined;
  const { context, factory } = await open(workspace, () => endpoint?.toolsChanged());
  endpoint = makeMcpEndpoint(factory);
  const handler = makeWebHandler({ context, findCommand, loadCommands, mcp: endpoint.fetch });
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    async [Symbol.asyncDispose]() {
      await endpoint?.close();
      await server.shutdown();
    },
  };
}

async function runSuite(url: string, args: string[]): Promise<{ passed: number; failed: number }> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--cached-only", suite, "server", "--url", url, ...args],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  const total = /Total: (\d+) passed, (\d+) failed/.exec(output);
  const [passed, failed] = [Number(total?.[1] ?? 0), Number(total?.[2] ?? -1)];
  if (failed !== 0) console.error(output.slice(-4000));
  return { passed, failed };
}
