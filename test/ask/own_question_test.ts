// Which questions our own commands answer, and which must be searched for.

import assert from "node:assert/strict";
import { findOwnQuestion } from "../../src/ask/own_question.ts";

const now = Date.parse("2026-11-18T12:00:00Z");

const own: Record<string, string> = {
  "What is left open?": "open",
  "what's still open": "open",
  "What did we leave open last week?": "open",
  "anything left to do?": "open",
  "what remains to be done": "open",
  "what did we do last week?": "summarize",
  "What did I work on yesterday?": "summarize",
  "what happened on 2026-11-15": "summarize",
  "what have we been doing lately?": "summarize",
  "summarize last month": "summarize",
  "why is src/queue/retry.ts:12 so complicated?": "why",
  "why is line 12 of src/queue/retry.ts there?": "why",
  "who wrote lines 3-7 in parse.go": "why",
};
for (const [question, command] of Object.entries(own)) {
  Deno.test(`"${question}" is a question for ${command}`, () => {
    const found = findOwnQuestion(question, now);
    assert.equal(found?.kind ?? found?.command, command);
  });
}

for (
  const question of [
    "what is left open in the parser?",
    "why does the open dialog flicker?",
    "what did we do about the flaky upload test last week?",
    "what did we do?",
    "why do we rotate refresh tokens?",
    "run the server on localhost:8080",
    "what is the open file limit?",
  ]
) {
  Deno.test(`"${question}" is searched for`, () => {
    assert.equal(findOwnQuestion(question, now), undefined);
  });
}

Deno.test("a line is asked for as why takes it, a time as the range it is", () => {
  const inputOf = (question: string): unknown => findOwnQuestion(question, now)?.input;
  assert.deepEqual(inputOf("why are lines 3 to 7 of lib/a.py here"), { target: "lib/a.py:3-7" });
  assert.deepEqual(inputOf("what did we do on 2026-11-15?"), {
    since: new Date("2026-11-15T00:00").toISOString(),
    until: new Date("2026-11-15T23:59:59.999").toISOString(),
    budget: 600,
  });
});
