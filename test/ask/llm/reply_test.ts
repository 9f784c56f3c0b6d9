// What a provider may put into a reply: the parts that are as they should be count, the others do not.

import assert from "node:assert/strict";
import { readReply, type ReplyPiece } from "../../../src/ask/llm/reply.ts";

const call = { index: 3, id: "a", function: { name: "search", arguments: "{}" } };

const cases: [piece: unknown, read: ReplyPiece][] = [
  [{ choices: [{ delta: { content: "hi" } }] }, { choice: { content: "hi", calls: [] } }],
  [{ choices: [{ message: { content: "hi" } }] }, { choice: { content: "hi", calls: [] } }],
  [{ choices: [{ delta: null, message: { content: null, tool_calls: null } }] }, {
    choice: { content: "", calls: [] },
  }],
  [{ choices: [{ delta: { content: ["no", "text"] } }, "more"] }, {
    choice: { content: "", calls: [] },
  }],
  [{ choices: [] }, {}],
  [{ choices: [null] }, {}],
  [{ choices: [{ delta: [] }] }, {}],
  [{ choices: "none" }, {}],
  [{ choices: [{ delta: { tool_calls: [call, null, "x", { function: null }] } }] }, {
    choice: { content: "", calls: [{ index: 3, id: "a", name: "search", arguments: "{}" }] },
  }],
  // A whole message has each call once, and the arguments may be JSON already.
  [{
    choices: [{
      message: { tool_calls: [call, { ...call, function: { name: "b", arguments: { q: [1] } } }] },
    }],
  }, {
    choice: {
      content: "",
      calls: [
        { index: 0, id: "a", name: "search", arguments: "{}" },
        { index: 1, id: "a", name: "b", arguments: '{"q":[1]}' },
      ],
    },
  }],
  [{ choices: [{ delta: { tool_calls: [{ index: "1", id: 7, function: { arguments: 5 } }] } }] }, {
    choice: { content: "", calls: [{ index: 0, id: "", name: "", arguments: "" }] },
  }],
  [{ usage: { prompt_tokens: 5, completion_tokens: 0 } }, {
    usage: { input_tokens: 5, output_tokens: 0, estimated: false },
  }],
  // What would count against the day's tokens is estimated instead.
  [{ usage: { prompt_tokens: -5_000_000, completion_tokens: 1 } }, {}],
  [{ usage: { prompt_tokens: 1e999, completion_tokens: 1 } }, {}],
  [{ usage: { prompt_tokens: 5 } }, {}],
  [{ usage: null, error: null }, {}],
  [{ error: { message: "busy", code: 1 } }, { error: "busy" }],
  [{ error: "busy" }, { error: "busy" }],
  [{ error: { code: 1 } }, { error: '{"code":1}' }],
  [null, {}],
  ["text", {}],
  [[{ choices: [] }], {}],
  [undefined, {}],
];

Deno.test("a reply is read as far as it is one", () => {
  for (const [piece, read] of cases) {
    assert.deepEqual(readReply(piece), read, JSON.stringify(piece));
  }
});
