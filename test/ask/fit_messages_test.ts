// A conversation cut to the context of the model.

import assert from "node:assert/strict";
import { countTokens } from "../../src/core/tokens.ts";
import { fitMessages } from "../../src/ask/fit_messages.ts";
import type { Message } from "../../src/ask/llm/message.ts";

const long = "many words about the delivery queue and its retries. ".repeat(60);
const talk: Message[] = [
  { role: "system", content: "rules" },
  { role: "user", content: `old question ${long}` },
  { role: "assistant", content: `old answer ${long}` },
  { role: "user", content: "new question" },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "1", name: "search", arguments: "{}" }],
  },
  { role: "tool", tool_call_id: "1", content: `first result ${long}` },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ id: "2", name: "get", arguments: "{}" }],
  },
  { role: "tool", tool_call_id: "2", content: `second result ${long}` },
];

Deno.test("fitMessages() leaves what fits alone", () => {
  assert.equal(fitMessages(talk, 1e6), talk);
});

Deno.test("fitMessages() drops the oldest first and keeps rules, question and newest result", () => {
  const fitted = fitMessages(talk, 1200);
  const total = fitted.reduce((sum, message) => sum + countTokens(message.content), 0);
  assert.ok(total <= 1200, String(total));
  const texts = fitted.map(({ content }) => content);
  assert.ok(texts.includes("rules") && texts.includes("new question"));
  assert.ok(texts.some((text) => text.startsWith("second result")));
  assert.ok(!texts.some((text) => text.startsWith("first result")));
  const calls = fitted.flatMap((message) =>
    "tool_calls" in message ? message.tool_calls ?? [] : []
  );
  const results = fitted.flatMap((message) =>
    message.role === "tool" ? [message.tool_call_id] : []
  );
  assert.deepEqual(calls.map(({ id }) => id), results, "every call keeps its result");
});
