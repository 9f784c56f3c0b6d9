// The tool `why` as a client calls it: it reads no file outside the workspace, writes no log, and is
// not there for a server that is held to one session.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { connectMcp } from "../../support/processes/mcp_client.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";

const hasLinks = !notOnWindows("links need a privilege");
const line = "export const lifetime = minutes(15);";

Deno.test("why over MCP answers for the workspace only, and writes no log", async () => {
  await using t = await storeOf();
  const outside = await Deno.makeTempDir({ prefix: "ctx-test-" });
  try {
    Deno.writeTextFileSync(`${outside}/token.ts`, `${line}\n`);
    if (hasLinks) {
      Deno.symlinkSync(outside, `${t.workspace}/out`);
      Deno.symlinkSync(`${outside}/token.ts`, `${t.workspace}/link.ts`);
    }
    const before = Deno.readTextFileSync(`${t.root}/history.ndjson`);
    await using mcp = await connectMcp(t.workspace, { words: ["--tools", "all", "--read-only"] });
    const { tools } = await mcp.client.listTools();
    const why = tools.find(({ name }) => name === "why");
    assert.equal(why?.annotations?.readOnlyHint, true);
    const found = await mcp.call("why", { target: "src/token.ts:1" });
    assert.match(found.text, /S-a\b/);
    assert.match(found.text, /a token lasts/);
    const targets = [
      `${outside}/token.ts:1`,
      ...(hasLinks ? ["out/token.ts:1", "link.ts:1"] : []),
      "../../etc/hostname:1",
    ];
    for (const target of targets) {
      const { text } = await mcp.call("why", { target });
      assert.match(text, /not in this workspace|outside the workspace/, target);
      assert.doesNotMatch(text, /S-a\b|a token lasts/, target);
    }
    assert.equal(Deno.readTextFileSync(`${t.root}/history.ndjson`), before);
  } finally {
    await Deno.remove(outside, { recursive: true });
  }
});

Deno.test("a server of one session has no why, which would tell of others", async () => {
  await using t = await storeOf();
  await using mcp = await connectMcp(t.workspace, {
    words: ["--tools", "all", "--session", "S-b"],
  });
  const { tools } = await mcp.client.listTools();
  for (const name of ["why", "stale"]) {
    assert.ok(!tools.some((tool) => tool.name === name), name);
    const said = await mcp.call(name, { target: "src/token.ts:1" }).then(
      ({ text, isError }) => (assert.ok(isError, name), text),
      (error: Error) => error.message,
    );
    assert.doesNotMatch(said, /S-a\b|a token lasts/);
  }
});

/** One session wrote a file, another has nothing to do with it. */
async function storeOf(): Promise<TempStore> {
  const common: Partial<Entry> = { session_id: "S-a" };
  const t = await tempStore({
    entries: [
      { ...common, role: "user", type: "turn", text: "Say how long a token lasts" },
      {
        ...common,
        role: "assistant",
        type: "tool_call",
        text: "Write: src/token.ts",
        files: ["src/token.ts"],
        tool: {
          name: "Write",
          effect: "edit",
          input: { file_path: "src/token.ts", content: `${line}\n` },
        },
      },
      { session_id: "S-b", role: "user", type: "turn", text: "Something else" },
    ],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/src/token.ts`, `${line}\n`);
  return t;
}
