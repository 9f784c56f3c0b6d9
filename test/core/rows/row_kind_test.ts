import assert from "node:assert/strict";
import type { Entry } from "../../../src/core/entry.ts";
import { isLookingCommand, rowKindOf } from "../../../src/core/rows/row_kind.ts";
import { contentOf, maxContentChars } from "../../../src/core/rows/tool_content.ts";

function row(fields: Partial<Entry>): Entry {
  const plain = { id: "H-1", ts: "2026-01-01T00:00:00.000Z", session_id: "S-1" };
  return { ...plain, role: "assistant", type: "turn", text: "", ...fields };
}

function call(tool: Partial<Entry["tool"]>): Entry {
  return row({ type: "tool_call", text: "Tool", tool: { name: "Tool", ...tool } });
}

function result(text: string, tool: Partial<Entry["tool"]> = {}): Entry {
  return row({ role: "tool", type: "tool_output", text, tool: { name: "Tool", ...tool } });
}

Deno.test("isLookingCommand() knows command lines that change nothing", () => {
  const looking = [
    "ls -la src",
    "cd /a && rg -n 'x' src | head -5",
    "git log --oneline",
    "FOO=1 cat a",
    "rg 'rotate|renew' src | head -5",
    'grep -E "a|b; c" notes.md',
    "grep a\\|b notes.md",
    'rg "=> {" src',
  ];
  const doing = [
    "npm test",
    "sed -i s/a/b/ f",
    "echo x > f",
    "git commit -m x",
    "cat <<E > f",
    "rm a",
    "echo 'a' | tee 'b|c'",
    'echo "a" > "b"',
  ];
  assert.deepEqual(looking.filter((command) => !isLookingCommand(command)), []);
  assert.deepEqual(doing.filter(isLookingCommand), []);
  assert.equal(isLookingCommand("ls missing 2>/dev/null"), true);
});

Deno.test("rowKindOf() tells calls that only look from those that do something", () => {
  assert.equal(rowKindOf(call({ effect: "read" })), "looking_call");
  assert.equal(rowKindOf(call({ effect: "run", input: { command: "ls" } })), "looking_call");
  assert.equal(rowKindOf(call({ effect: "run", input: { todos: [] } })), "looking_call");
  assert.equal(rowKindOf(call({ effect: "run", input: { cmd: ["npm", "test"] } })), "call");
  assert.equal(rowKindOf(call({ effect: "edit", input: { file_path: "a" } })), "call");
  assert.equal(rowKindOf(call({ input: { thoughts: "x" } })), "call");
});

Deno.test("rowKindOf() tells results that say something from listings and receipts", () => {
  const said = "one line of what a tool found out about it, ".repeat(5);
  assert.equal(rowKindOf(result(said)), "result");
  assert.equal(rowKindOf(result("File created")), "bare_result");
  assert.equal(rowKindOf(result("File created", { error: true })), "result");
  assert.equal(rowKindOf(result("src/a.ts\n".repeat(40))), "bare_result");
});

Deno.test("rowKindOf() knows prompts, and ctx's own calls of any store", () => {
  assert.equal(rowKindOf(row({ role: "user" })), "prompt");
  assert.equal(rowKindOf(row({ role: "user", session_id: undefined })), "other");
  assert.equal(rowKindOf(row({})), "other");
  assert.equal(rowKindOf(row({ type: "recall", role: "tool" })), "recall");
  assert.equal(rowKindOf(call({ name: "mcp__ctx__search", input: { query: "x" } })), "recall");
  assert.equal(rowKindOf(result("rows", { name: "mcp__ctx__search" })), "recall");
  assert.equal(
    rowKindOf(call({ name: "Bash", effect: "run", input: { command: "ctx search x" } })),
    "recall",
  );
});

Deno.test("contentOf() takes what a call contains, not what was there before nor where it is", () => {
  const input = {
    file_path: "src/a.ts",
    old_string: "const before = 1;",
    edits: [{ old_string: "gone", new_string: "const after = 2;" }],
    todos: [{ content: "write tests", status: "pending", id: "t1" }],
  };
  const entry = row({ type: "tool_call", text: "Edit: src/a.ts", tool: { name: "Edit", input } });
  assert.equal(contentOf(entry), "const after = 2;\nwrite tests");
  assert.equal(contentOf(row({ type: "turn", tool: { name: "Edit", input } })), "");
});

Deno.test("contentOf() leaves out what the text says already, and is bounded", () => {
  const command = { name: "Bash", input: { command: "npm test", description: "Run the tests" } };
  const entry = row({ type: "tool_call", text: "Bash: npm test", tool: command });
  assert.equal(contentOf(entry), "Run the tests");
  const part = "x ".repeat(maxContentChars);
  assert.equal(contentOf(call({ input: { a: part, b: "the end" } })).length, 2000 + 8);
  const long = call({ input: { all: Array(6).fill(part), last: "never reached" } });
  assert.ok(contentOf(long).length <= maxContentChars);
  assert.doesNotMatch(contentOf(long), /never/);
});
