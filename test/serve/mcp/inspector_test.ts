// The official inspector lists and calls every tool, strictly, in both protocol eras. Its package
// pulls in a web application with native parts, so it is not among our dependencies: install it
// with `npm i @modelcontextprotocol/inspector@2.12.0` and set CTX_INSPECTOR to the path of its
// clients/cli/build/index.js.

import assert from "node:assert/strict";
import { ctxCommand } from "../../support/processes/run_ctx.ts";
import { TempWorkspace } from "./support.ts";

const inspector = Deno.env.get("CTX_INSPECTOR");

for (const era of ["legacy", "modern"]) {
  Deno.test({
    name: `the inspector lists and calls every tool strictly (${era})`,
    ignore: inspector === undefined,
    async fn() {
      using workspace = new TempWorkspace();
      const { code, stdout } = await inspect(workspace.path, era, [
        "--method",
        "tools/list",
        "--strict",
      ]);
      assert.equal(code, 0);
      const { tools } = JSON.parse(stdout);
      assert.ok(tools.length >= 8);
      for (const { name } of tools) {
        const args = Object.entries(inputs[name] ?? {}).flatMap((
          [field, value],
        ) => [
          "--tool-arg",
          `${field}=${typeof value === "string" ? value : JSON.stringify(value)}`,
        ]);
        const called = await inspect(workspace.path, era, [
          "--method",
          "tools/call",
          "--tool-name",
          name,
          ...args,
        ]);
        assert.equal(called.code, 0, `${name} ${called.stdout} ${called.stderr}`);
        assert.ok(!JSON.parse(called.stdout).isError, `${name} ${called.stdout}`);
      }
    },
  });
}

const inputs: Record<string, Record<string, unknown>> = {
  search: { query: "tokens" },
  timeline: { id: "H-2" },
  get: { ids: ["H-1"] },
  read: { session: "S-one" },
  scan: { session: "S-one" },
  save_memory: { text: "from the inspector" },
  pin: { target: "H-2" },
  forget: { ids: ["H-3"] },
};

async function inspect(
  workspace: string,
  era: string,
  args: string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const server = ctxCommand("mcp", "--tools", "all");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      inspector ?? "",
      "--cwd",
      workspace,
      "--protocol-era",
      era,
      ...server,
      ...args,
    ],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  return { code, stdout: decode(stdout), stderr: decode(stderr) };
}
