// What a session cost, from its rows.

import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { findCosts } from "../../../src/recall/trial/session_costs.ts";
import { rowOf } from "../../support/stores/temp_store.ts";

const user = (text: string): Entry => rowOf({ role: "user", type: "turn", text });
const call = (effect: string, file: string): Entry =>
  rowOf({
    role: "tool",
    type: "tool_call",
    text: file,
    files: [file],
    tool: { name: effect, effect },
  });

Deno.test("costs count the way to the first edit, repeated reads and corrections", () => {
  const costs = findCosts([
    user("fix the limiter"),
    call("read", "a.ts"),
    call("read", "b.ts"),
    call("read", "a.ts"),
    call("edit", "a.ts"),
    // Read again to see what the edit did.
    call("read", "a.ts"),
    user("no, that's wrong: keep the bucket"),
    user("Now the docs"),
  ]);
  assert.deepEqual(
    { ...costs, tokens: 0 },
    { actions_to_first_edit: 3, repeated_reads: 1, corrections: 1, tokens: 0 },
  );
  assert.ok((costs?.tokens ?? 0) > 10);
});

Deno.test("a first prompt corrects nobody, and without edits there is no way to one", () => {
  assert.deepEqual(
    Object.keys(findCosts([user("no tests run here, why?"), call("read", "a.ts")]) ?? {}),
    ["repeated_reads", "corrections", "tokens"],
  );
  const { corrections } = findCosts([user("no tests run here"), call("read", "a.ts")]) ?? {};
  assert.equal(corrections, 0);
});

Deno.test("a session in which no agent did anything has no costs", () => {
  assert.equal(findCosts([user("fix it")]), undefined);
  assert.equal(findCosts([]), undefined);
});
