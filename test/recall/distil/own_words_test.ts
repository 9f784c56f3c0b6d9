import assert from "node:assert/strict";
import { toOwnWords } from "../../../src/recall/distil/own_words.ts";

Deno.test("toOwnWords() drops code, quotations and what was copied from a terminal", () => {
  const prompt =
    "Use tabs.\n```ts\nlet a;\n```\nNever spaces.\n> they said so\n$ deno task ok\nerror";
  assert.deepEqual(toOwnWords(prompt), "Use tabs.\n\nNever spaces.");
});

Deno.test("toOwnWords() ends a block at a fence as long as its first; an open one stays", () => {
  assert.deepEqual(toOwnWords("a\n````\n```\ninner\n```\n````\nb"), "a\n\nb");
  assert.deepEqual(toOwnWords("a\n```\nnot closed"), "a\n```\nnot closed");
});

// Took minutes where every blank line was searched from anew.
Deno.test("toOwnWords() reads a prompt of hundreds of thousands of blank lines", () => {
  assert.deepEqual(toOwnWords(`a${"\n".repeat(300_000)}b`).length, 300_002);
});
