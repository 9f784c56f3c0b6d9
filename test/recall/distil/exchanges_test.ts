// A session as exchanges: what tools returned stays with their calls, notices of the client are left out.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { toExchanges } from "../../../src/recall/distil/exchanges.ts";

let count = 0;
function row(fields: Partial<Entry>): Entry {
  const ts = `2026-03-01T10:00:${String(++count).padStart(2, "0")}.000Z`;
  return { id: `H-${count}`, ts, role: "assistant", type: "turn", text: "", ...fields };
}

Deno.test("what a tool returned stays with its call, also where it is between tags or brackets", () => {
  for (
    const text of [
      "<tool_use_error>String to replace not found in file.</tool_use_error>",
      "[Request interrupted by user for tool use]",
      "<system-reminder>This file is empty.</system-reminder>",
    ]
  ) {
    const call_id = `c${count}`;
    const [exchange] = toExchanges([
      row({ role: "user", text: "rename the flag" }),
      row({ type: "tool_call", text: "Edit: a.ts", tool: { name: "Edit", call_id } }),
      row({
        role: "tool",
        type: "tool_output",
        text,
        tool: { name: "Edit", call_id, error: true },
      }),
    ]);
    assert.deepEqual(
      exchange.runs.map(({ failed, output }) => ({ failed, output: output?.text })),
      [{ failed: true, output: text }],
    );
  }
});

Deno.test("a notice from the client asks for nothing", () => {
  const exchanges = toExchanges([
    row({ role: "user", text: "<system-reminder>Be brief.</system-reminder>" }),
    row({ role: "user", text: "rename the flag" }),
    row({ text: "Done." }),
  ]);
  assert.deepEqual(exchanges.map(({ prompts }) => prompts.map(({ text }) => text)), [
    ["rename the flag"],
  ]);
});
