import assert from "node:assert/strict";
import { editLinesOf } from "../../../src/core/rows/edit_lines.ts";
import { hashLine } from "../../../src/core/rows/line_hash.ts";
import { madeCommitsOf } from "../../../src/core/rows/made_commits.ts";
import { rowOf } from "../../support/stores/temp_store.ts";

function hashOf(text: string): string | undefined {
  const into = new Uint32Array(2);
  return hashLine(text, { from: 0, to: text.length, into }) ? into.join() : undefined;
}

Deno.test("a line has one hash whatever a formatter makes of it", () => {
  const forms = [
    "const name = 'rotate', age = 3;",
    '  const name="rotate", age = 3',
    "\tconst name = `rotate`,age=3,",
  ];
  assert.equal(new Set(forms.map(hashOf)).size, 1);
  assert.notEqual(hashOf("call(first, second)"), hashOf("call(firstsecond)"));
  assert.notEqual(hashOf("const age = 3;"), hashOf("const age = 4;"));
});

Deno.test("a line that stands everywhere has no hash", () => {
  assert.deepEqual(
    ["", "  }", "});", "// --------", "} else {", "a = 1"].map(hashOf).filter(Boolean),
    [
      hashOf("} else {"),
    ],
  );
});

Deno.test("what an edit cites of the place is not what it wrote", () => {
  const { added, removed } = editLinesOf({
    old: "func rotate() {\n  return oldToken\n}",
    new: "func rotate() {\n  token := fresh()\n  return token.String()\n}",
  });
  assert.deepEqual([added.map(({ order }) => order), removed.map(({ order }) => order)], [
    [1, 2],
    [1],
  ]);
});

Deno.test("of a line that is there once and then twice, one was written", () => {
  const { added, removed } = editLinesOf({
    old: "check(token)",
    new: "check(token)\ncheck(token)",
  });
  assert.deepEqual([added.length, removed.length], [1, 0]);
});

Deno.test("git's answer to a commit names it, on a branch, on none and at the root", () => {
  const text = [
    "[main 1a2b3c4] Rotate tokens",
    " 1 file changed",
    "[detached HEAD 1a2b3c5d] Keep [old] ones",
    "[main (root-commit) 1a2b3c6] First",
    "[not a commit] at all",
    "x [main 1a2b3c7] quoted",
  ].join("\n");
  assert.deepEqual(madeCommitsOf(rowOf({ role: "tool", type: "tool_output", text })), [
    { oid: "1a2b3c4", subject: "Rotate tokens" },
    { oid: "1a2b3c5d", subject: "Keep [old] ones" },
    { oid: "1a2b3c6", subject: "First" },
  ]);
  assert.deepEqual(madeCommitsOf(rowOf({ type: "turn", text })), []);
});
