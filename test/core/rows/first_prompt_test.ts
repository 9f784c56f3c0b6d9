// What a session without a title is called by.

import assert from "node:assert/strict";
import { preferPrompt } from "../../../src/core/rows/first_prompt.ts";

Deno.test("a prompt that begins with a lead-in names its session by what follows as well", () => {
  const plan =
    "Implement the following plan:\n\n# Status notifications in the terminal\n\n## Context";
  assert.equal(
    preferPrompt(undefined, plan),
    "Implement the following plan: Status notifications in the terminal",
  );
  assert.equal(preferPrompt(undefined, "Look at this:"), "Look at this:");
  assert.equal(preferPrompt(undefined, "Look at this:\n \n"), "Look at this:");
  const long = preferPrompt(undefined, `I got this:\n${"word ".repeat(100)}`);
  assert.ok(long.startsWith("I got this: word") && long.length <= 120, long);
});

Deno.test("the first prompt that says something stays the name", () => {
  assert.equal(preferPrompt("/model", "fix the tests\nall of them"), "fix the tests");
  assert.equal(preferPrompt("fix the tests", "Implement:\n# A plan"), "fix the tests");
});
