// What of a row may be quoted as an answer.

import assert from "node:assert/strict";
import { passagesOf } from "../../src/ask/answer_passages.ts";
import { rowOf } from "../support/stores/temp_store.ts";

Deno.test("of a user's message nothing is quoted that the client put in, unless it is all of it", () => {
  const quoted = (text: string): string[] =>
    passagesOf(rowOf({ role: "user", type: "turn", text })).map((passage) => passage.text);
  const reminder = "<system-reminder>\nTokens expire after nine hours.\n</system-reminder>";
  const typed = "The sessions expire after one day in this project.";
  assert.deepEqual(quoted(`${reminder}\n${typed}`), [typed]);
  const plan = "Implement the following plan:\n\n# Tokens\n\nTokens expire after nine hours.";
  assert.ok(quoted(plan).includes("Tokens expire after nine hours."));
});
