// Every source has its row in docs/IMPORT.md, and its name where agents are named.

import assert from "node:assert/strict";
import { agentNames } from "../../../src/core/rows/agent_names.ts";
import { sourceNames } from "../../../src/intake/import/source_table.ts";

Deno.test("docs/IMPORT.md says of every source where it looks", () => {
  const text = Deno.readTextFileSync(new URL("../../../docs/IMPORT.md", import.meta.url));
  const [, table] = /## Sources\n([^]*?)\n## /.exec(text) ?? [];
  const rows = (table ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) => [...row.split("|")[1].matchAll(/`([\w-]+)`/g)])
    .map((match) => match[1]);
  assert.deepEqual(named.sort(), [...sourceNames].sort());
});

Deno.test("every agent that is imported can be asked for by its name", () => {
  const agents = sourceNames.filter((name) => name !== "contextfs" && name !== "ndjson");
  assert.deepEqual([...agentNames].sort(), agents.sort());
});
