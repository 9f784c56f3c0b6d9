import assert from "node:assert/strict";
import { parseClaudePrompt } from "../../../src/intake/sources/claude_prompt.ts";
import { findInBlock, withoutBlocks } from "../../../src/intake/sources/without_blocks.ts";

Deno.test("withoutBlocks() takes out closed blocks of these names and leaves the rest", () => {
  const text = "a<note>x</note>b<other>y</other>c<note>z";
  assert.deepEqual(withoutBlocks(text, ["note"]), "ab<other>y</other>c<note>z");
  assert.deepEqual(withoutBlocks(text, ["note", "other"]), "abc<note>z");
  assert.deepEqual(withoutBlocks("<a>1</b>2</a>3", ["a", "b"]), "3");
});

Deno.test("findInBlock() gives the first closed block, or nothing", () => {
  assert.deepEqual(findInBlock("x<q>\nhow\n</q><q>2</q>", "q"), "\nhow\n");
  assert.deepEqual(findInBlock("x<q>how", "q"), undefined);
  assert.deepEqual(findInBlock("</q>how", "q"), undefined);
});

// Each of these took minutes where every tag or blank line was searched from anew.
Deno.test("prompts of hundreds of thousands of tags or blank lines are read", () => {
  const many = 300_000;
  const open = "<system-reminder>".repeat(many);
  assert.deepEqual(withoutBlocks(open, ["system-reminder"]), open);
  assert.deepEqual(findInBlock(open, "system-reminder"), undefined);
  const blank = `a${"\n".repeat(many)}b`;
  assert.deepEqual(parseClaudePrompt(blank), { kind: "prompt", text: blank });
  const block = "\n<system-reminder>x</system-reminder>";
  assert.deepEqual(parseClaudePrompt(`${block.repeat(many)}\nwhy?${block.repeat(many)}`), {
    kind: "prompt",
    text: "why?",
  });
});
