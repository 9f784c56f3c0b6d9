// What `ctx setup` writes must work as it stands: for each agent the entry is read back from the
// agent's own settings, the server it names is started the way the agent would, and the official
// client talks to it. `--remove` then takes all of it out again.

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { parse as parseToml } from "smol-toml";
import { isolatedEnv } from "../support/processes/run_ctx.ts";
import { tempStore } from "../support/stores/temp_store.ts";
import { listTree } from "../support/stores/tree.ts";

/** Where an agent keeps its servers (`~` is the home), and under which name. */
const agents: { name: string; path: string; servers: string }[] = [
  { name: "claude-code", path: "~/.claude.json", servers: "mcpServers" },
  { name: "codex", path: "~/.codex/config.toml", servers: "mcp_servers" },
  { name: "opencode", path: "~/.config/opencode/opencode.json", servers: "mcp" },
  { name: "cursor", path: "~/.cursor/mcp.json", servers: "mcpServers" },
  { name: "gemini", path: "~/.gemini/settings.json", servers: "mcpServers" },
  { name: "vscode", path: ".vscode/mcp.json", servers: "servers" },
  { name: "kiro", path: "~/.kiro/settings/mcp.json", servers: "mcpServers" },
  { name: "qwen", path: "~/.qwen/settings.json", servers: "mcpServers" },
];

for (const { name, path, servers } of agents) {
  Deno.test(`the entry that ctx setup ${name} writes starts a server that answers`, async () => {
    await using t = await tempStore({ entries: ["The queue drops messages on restart"] });
    const setUp = await t.ctx(["setup", name]);
    assert.equal(setUp.code, 0, setUp.stderr);
    const file = path.startsWith("~") ? `${t.home}${path.slice(1)}` : `${t.workspace}/${path}`;
    const text = Deno.readTextFileSync(file);
    const settings = file.endsWith(".toml") ? parseToml(text) : JSON.parse(text);
    const entry: Entry = settings[servers].ctx;
    const [command, ...args] = Array.isArray(entry.command)
      ? entry.command
      : [entry.command, ...entry.args ?? []];
    const client = new Client({ name: "test", version: "1" });
    const env = { ...isolatedEnv(t.workspace), ...entry.env };
    await client.connect(new StdioClientTransport({ command, args, env, cwd: t.workspace }));
    try {
      const found = await client.callTool({ name: "search", arguments: { query: "queue" } });
      assert.match(JSON.stringify(found.structuredContent), /drops messages/);
    } finally {
      await client.close();
    }
    const removed = await t.ctx(["setup", name, "--remove", "--yes"]);
    assert.equal(removed.code, 0, removed.stderr);
    for (const left of [...listTree(t.home), ...listTree(t.workspace)]) {
      if (left.startsWith(t.root) || ownFiles.test(left)) continue;
      assert.doesNotMatch(Deno.readTextFileSync(left), /ctx/, left);
    }
  });
}

/**
 * Where ctx unpacks itself (the check of an agent that passes on HOME only does so in the home), and
 * the list of the user's projects: their memory is there still.
 */
const ownFiles = /\/(\.cache|Library\/Caches)\/ctx\/|\/ctx\/projects\.ndjson$/;

interface Entry {
  command: string | string[];
  args?: string[];
  env?: Record<string, string>;
}
