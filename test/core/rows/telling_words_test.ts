import assert from "node:assert/strict";
import { isTelling } from "../../../src/core/rows/telling_words.ts";

const telling = (type: string, texts: string[]): string[] =>
  texts.filter((text) => isTelling({ type, text }));

Deno.test("isTelling() refuses bare assent and questions, and keeps what names a subject", () => {
  const bare = ["yes do that", "Yeah, let's do it!", "ok, go ahead please", "Sounds good.", ""];
  const asks = [
    "Let's use tabs in Go files, or?",
    "we should keep the old key?\n",
    'Really "why?"',
  ];
  assert.deepEqual(telling("preference", [...bare, ...asks]), []);
  assert.deepEqual(telling("decision", [...bare, ...asks, "Redis, or?\nBoth would do."]), []);
  const tells = ["Use tabs.", "yes, but with Redis", "never push to main", "Why not? For IPv6."];
  assert.deepEqual(telling("preference", tells), tells);
  const chosen = ["2\nKeep tokens in Redis.\nShall I start with the schema?"];
  assert.deepEqual(telling("decision", chosen), chosen);
});
