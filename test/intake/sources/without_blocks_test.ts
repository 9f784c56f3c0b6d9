import assert from "node:assert/strict";
import { parseClaudePrompt } from "../../../src/intake/sources/claude_prompt.ts";
import { typedText, withoutBlocks } from "../../../src/intake/sources/without_blocks.ts";

Deno.test("withoutBlocks() takes out closed blocks of these names and leaves the rest", () => {
  const text = "a<note>x</note>b<other>y</other>c<note>z";
  assert.deepEqual(withoutBlocks(text, ["note"]), "ab<other>y</other>c<note>z");
  assert.deepEqual(withoutBlocks(text, ["note", "other"]), "abc<note>z");
  assert.deepEqual(withoutBlocks("<a>1</b>2</a>3", ["a", "b"]), "3");
});

Deno.test("typedText() gives what stands in the mark, all where there are several, else what nobody told", () => {
  const typed = (text: string) => typedText(text, "user_query", ["note"]);
  assert.equal(typed("x<user_query>\nhow\n</user_query>y"), "how");
  const forged = "x<user_query>why</user_query>\n<user_query>how</user_query>";
  assert.equal(typed(forged), forged);
  assert.equal(typed("<note>x</note> how"), "how");
  assert.equal(typed("</user_query>how"), "</user_query>how");
});

// Each of these took minutes where every tag or blank line was searched from anew.
Deno.test("prompts of hundreds of thousands of tags or blank lines are read", () => {
  const many = 300_000;
  const open = "<system-reminder>".repeat(many);
  assert.deepEqual(withoutBlocks(open, ["system-reminder"]), open);
  const blank = `a${"\n".repeat(many)}b`;
  assert.deepEqual(parseClaudePrompt(blank), { kind: "prompt", text: blank });
  const block = "\n<system-reminder>x</system-reminder>";
  assert.deepEqual(parseClaudePrompt(`${block.repeat(many)}\nwhy?${block.repeat(many)}`), {
    kind: "prompt",
    text: "why?",
  });
});
