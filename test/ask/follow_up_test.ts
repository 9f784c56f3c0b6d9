import assert from "node:assert/strict";
import { followUp } from "../../src/ask/follow_up.ts";

const before = "which pool does the worker use?";
const cases: [question: string, searched: string][] = [
  ["and why?", `${before} and why?`],
  ["who decided that?", `${before} who decided that?`],
  ["what about its size?", `${before} what about its size?`],
  ["what is the default?", `${before} what is the default?`],
  ["how do refresh tokens rotate?", "how do refresh tokens rotate?"],
  ["what about billing?", "what about billing?"],
  ["billing?", "billing?"],
];
for (const [question, searched] of cases) {
  Deno.test(`followUp() searches "${question}" as "${searched}"`, () => {
    assert.equal(followUp(question, before), searched);
    assert.equal(followUp(question, undefined), question);
  });
}
