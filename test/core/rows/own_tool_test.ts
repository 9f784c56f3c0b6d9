import assert from "node:assert/strict";
import { loadCommands } from "../../../src/commands/mod.ts";
import { ownToolOf, toRecallText } from "../../../src/core/rows/own_tool.ts";
import { guideName, plainGuideName } from "../../../src/serve/mcp/guide.ts";

const query = { query: "token rotation" };
const said = "ctx search: token rotation";

for (
  const [name, input] of [
    ["mcp__ctx__search", query],
    ["mcp__plugin_ctx_ctx__search", query],
    ["ctx__search", query],
    ["ctx_search", query],
    ["ctx-search", query],
    ["ctx.search", query],
    ["ctx/search", query],
    ["mcp_ctx_search", query],
    ["use_mcp_tool", { server_name: "ctx", tool_name: "search", arguments: query }],
    ["CallMcpTool", { server: "ctx", toolName: "search", arguments: query }],
    ["Bash", { command: 'ctx search "token rotation"' }],
    ["bash", { command: "/opt/bin/ctx search token rotation --k 5" }],
    ["shell", { command: ["bash", "-lc", "ctx search 'token rotation'"] }],
    ["shell", { command: ["ctx", "search", "token rotation"] }],
    ["exec_command", { cmd: "ctx search token\\ rotation" }],
    ["run_shell_command", { command: "cd /work && NO_COLOR=1 ctx search token rotation 2>&1" }],
    ["Bash", { command: "ctx search token rotation | head -20" }],
    ["Bash", { command: "ctx search token rotation || true" }],
    ["Bash", { command: "ctx search 'token rotation' | grep 'a|b'" }],
    ["Bash", { command: "timeout 20 ctx search token rotation; echo done" }],
    ["developer__shell", { command: "ctx search token rotation" }],
    ["copilot_runInTerminal", { command: "ctx search token rotation" }],
    ["@ctx/search", query],
    ["mcp:ctx:search", query],
    ["ctx___search", query],
    ["Bash", { command: "ctx --workspace /w search token rotation --json | jq '.rows[0]'" }],
  ] as const
) {
  Deno.test(`ownToolOf() knows ${name} ${JSON.stringify(input)}`, () => {
    const own = ownToolOf(name, input);
    assert.ok(own);
    assert.equal(toRecallText(own), said);
  });
}

for (
  const [name, input] of [
    ["search", query],
    ["mcp__github__search", query],
    ["mcp__ctx7__search", query],
    ["ctx_other_search", query],
    ["ctxsearch", query],
    ["use_mcp_tool", { server_name: "github", tool_name: "search", arguments: query }],
    ["Bash", { command: "echo ctx search token" }],
    ["Bash", { command: "ctx search token && rm -rf build" }],
    ["Bash", { command: "ctx search token > found.txt" }],
    ["Bash", { command: "ctx search token | xargs rm" }],
    ["Bash", { command: "ctx search token | grep x README.md" }],
    ["Bash", { command: "ctx search $(cat words)" }],
    ["Bash", { command: "npm test; ctx search token" }],
    ["Bash", { command: "ctx search token; npm test" }],
    ["Bash", { command: "ctx search token && ctx setup codex" }],
    ["Bash", { command: "echo ctx" }],
    ["Bash", { command: "cat ctx.log | head" }],
    ["Bash", { command: "ctx setup claude-code" }],
    ["Bash", { command: "ctx search 'token" }],
    ["Read", { command: "ctx search token" }],
  ] as const
) {
  Deno.test(`ownToolOf() leaves ${name} ${JSON.stringify(input)} alone`, () => {
    assert.equal(ownToolOf(name, input), undefined);
  });
}

Deno.test("ownToolOf() takes several calls of ctx in one line as one", () => {
  const told = (command: string) => {
    const own = ownToolOf("Bash", { command });
    return own && toRecallText(own);
  };
  assert.equal(
    told("cd /w && ctx search tokens | head -3; echo ---; ctx get H-1"),
    "ctx search: tokens (and 1 more)",
  );
  assert.equal(told("ctx search tokens && ctx save 'We rotate weekly'"), "ctx save");
});

Deno.test("ownToolOf() never tells what a save keeps", () => {
  const text = "We rotate tokens weekly";
  for (
    const [name, input] of [
      ["mcp__ctx__save_memory", { text }],
      ["ctx_save_memory", { text }],
      ["Bash", { command: `ctx save "${text}"` }],
    ] as const
  ) {
    const own = ownToolOf(name, input);
    assert.ok(own);
    assert.ok(!toRecallText(own).includes("rotate"));
  }
});

Deno.test("ownToolOf() knows the commands that print what is kept", () => {
  for (
    const command of [
      "why src/a.ts:3",
      "stale",
      "confirm H-1",
      "pr main",
      "redactions",
      "preview start",
      "outline S-1",
      "activity",
      "dex list",
    ]
  ) {
    assert.equal(ownToolOf("Bash", { command: `ctx ${command}` })?.tool, command.split(" ")[0]);
  }
});

Deno.test("ownToolOf() knows every tool of the server under every client's naming", async () => {
  const served = (await loadCommands()).flatMap(({ tool }) => tool ?? []);
  for (const tool of [...served, guideName, plainGuideName]) {
    for (const prefix of ["mcp__ctx__", "ctx__", "ctx_", "ctx.", "mcp_ctx_"]) {
      assert.ok(ownToolOf(`${prefix}${tool}`, {}), `${prefix}${tool}`);
    }
  }
});
