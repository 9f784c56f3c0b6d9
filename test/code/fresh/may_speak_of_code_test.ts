import assert from "node:assert/strict";
import { mayHoldEdits } from "../../../src/code/fresh/may_speak_of_code.ts";
import { SearchStore } from "../../support/search_store.ts";

Deno.test("only a store in which no agent called anything holds no edits for sure", async () => {
  await using notes = new SearchStore([{ id: "H-1", text: "We keep tokens in Redis." }]);
  assert.equal(mayHoldEdits(notes.store), false);
  await using calls = new SearchStore([{ id: "H-1", type: "tool_call", text: "Edit: a.ts" }]);
  assert.equal(mayHoldEdits(calls.store), true);
  await using long = new SearchStore([{ id: "H-1", text: "word ".repeat(60_000) }]);
  assert.equal(mayHoldEdits(long.store), true);
});
