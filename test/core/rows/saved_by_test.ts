import assert from "node:assert/strict";
import { agentName } from "../../../src/core/rows/saved_by.ts";

Deno.test("an agent's name is its client's, unless that is no name or means the user", () => {
  const names: [client: string | undefined, name: string][] = [
    ["claude-code", "claude-code"],
    ["Some Agent 2.1", "Some-Agent-2.1"],
    [undefined, "mcp"],
    ["", "mcp"],
    // The beginning of a key is enough of it.
    ["ghp_0123456789abcdefghijABCDEFGHIJ012345", "mcp"],
    ["user", "mcp"],
    ["The user", "mcp"],
    ["User!", "mcp"],
    ["user-agent", "user-agent"],
  ];
  assert.deepEqual(
    names.map(([client]) => agentName(client, "mcp")),
    names.map(([, name]) => name),
  );
});
