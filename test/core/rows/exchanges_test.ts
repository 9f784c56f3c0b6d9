// A session as exchanges: what tools returned stays with their calls, notices of the client are left out.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { toExchanges } from "../../../src/core/rows/exchanges.ts";

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

function hasFailed(text: string, marks: object = {}): boolean {
  const [{ runs: [run] }] = toExchanges([
    row({ role: "user", text: "run the tests" }),
    row({ type: "tool_call", text: "Bash: deno test", tool: { name: "Bash", call_id: "c" } }),
    row({
      role: "tool",
      type: "tool_output",
      text,
      tool: { name: "Bash", call_id: "c", ...marks },
    }),
  ]);
  return run.failed;
}

const log = "login logs ERROR when the server is gone ... ok (3ms)\nerror: cannot connect\n";

for (
  const green of [
    "ok | 12 passed | 0 failed (1s)",
    "test result: ok. 12 passed; 0 failed; 0 ignored; finished in 0.02s",
    "======= 12 passed, 1 skipped in 0.31s =======",
    "Tests:       1 skipped, 12 passed, 13 total",
    "      Tests  1 skipped | 12 passed (13)",
    "  12 passing (40ms)",
    "# pass 12\n# fail 0",
  ]
) {
  Deno.test(`tests that passed did not fail, whatever they print: ${green.trim()}`, () => {
    assert.equal(hasFailed(`${log}${green}\n`), false);
    assert.equal(hasFailed(`tells of 2 failed logins ... ok (3ms)\n${log}${green}\n`), false);
    assert.equal(hasFailed(`${log}${green}\n`, { error: true }), true, "marked as an error");
    assert.equal(hasFailed(`Exit code 1\n${log}${green}\n`), true, "an exit code");
    assert.equal(hasFailed(`${green}\nerror: coverage is below 80 %\n`), true, "after the tests");
    assert.equal(hasFailed(`a.ts(3,1): error TS2304: no name\n${green}\n`), true, "a compiler");
  });
}

for (
  const red of [
    "FAILED | 11 passed | 1 failed (1s)",
    "test result: FAILED. 11 passed; 1 failed; 0 ignored",
    "======= 1 failed, 11 passed in 0.31s =======",
    "======= 11 passed, 1 error in 0.31s =======",
    " Test Files  1 failed | 2 passed (3)\n      Tests  12 passed (12)",
    "  12 passing (40ms)\n  1 failing",
  ]
) {
  Deno.test(`tests that failed did, also beside others that passed: ${red.trim()}`, () => {
    assert.equal(hasFailed(`${log}${red}\n`), true);
    assert.equal(hasFailed(`${log}${red}\nok | 12 passed | 0 failed (1s)\n`), true);
  });
}

Deno.test("an output of blank lines takes no longer than another", () => {
  const from = performance.now();
  assert.equal(hasFailed("\n".repeat(59_000)), false);
  assert.ok(performance.now() - from < 1000);
});
