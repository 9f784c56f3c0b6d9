import assert from "node:assert/strict";
import { editsOf } from "../../../src/core/rows/edits.ts";
import { rowOf } from "../../support/stores/temp_store.ts";

const project = "/work/app";

function call(name: string, input: unknown, effect = "edit") {
  return rowOf({ role: "assistant", type: "tool_call", project, tool: { name, input, effect } });
}

const patchText = `*** Begin Patch
*** Update File: src/a.ts
@@ function f()
 keep
-old one
+new one
+new two
*** Add File: src/b.ts
+first
*** Delete File: src/c.ts
*** End Patch`;
const patched = [
  { path: "src/a.ts", old: "old one", new: "new one\nnew two" },
  { path: "src/b.ts", old: "", new: "first" },
];

const unified = `Index: /work/app/src/a.ts
===================================================================
--- /work/app/src/a.ts\t
+++ /work/app/src/a.ts\t
@@ -10,3 +10,4 @@
 keep
--- a comment of SQL
+++ counter;
+another
 keep
@@ -30,1 +31,1 @@
-x
+y
\\ No newline at end of file`;

/** Every way that an agent writes an edit down, and what it says. */
const cases: [string, Parameters<typeof editsOf>[0], ReturnType<typeof editsOf>][] = [
  [
    "Claude Code: Edit",
    call("Edit", { file_path: "/work/app/src/a.ts", old_string: "a", new_string: "b" }),
    [{ path: "src/a.ts", old: "a", new: "b" }],
  ],
  [
    "Claude Code: MultiEdit",
    call("MultiEdit", {
      file_path: "/work/app/a.ts",
      edits: [{ old_string: "a", new_string: "b" }, { old_string: "c", new_string: "" }],
    }),
    [{ path: "a.ts", old: "a", new: "b" }, { path: "a.ts", old: "c", new: "" }],
  ],
  [
    "Claude Code: Write",
    call("Write", { file_path: "/elsewhere/a.ts", content: "all\n" }),
    [{ path: "/elsewhere/a.ts", old: "", new: "all\n" }],
  ],
  ["Codex: apply_patch", call("apply_patch", patchText), patched],
  [
    "Codex: apply_patch in a shell",
    call("shell", { command: ["bash", "-lc", `apply_patch <<'E'\n${patchText}\nE`] }, "run"),
    patched,
  ],
  [
    "OpenCode: edit",
    call("edit", { filePath: "a.ts", oldString: "a", newString: "b" }),
    [{ path: "a.ts", old: "a", new: "b" }],
  ],
  [
    "Cursor: Write",
    call("Write", { path: "a.ts", contents: "all" }),
    [{ path: "a.ts", old: "", new: "all" }],
  ],
  [
    "Copilot: create",
    call("create", { path: "/work/app/a.py", file_text: "all" }),
    [{ path: "a.py", old: "", new: "all" }],
  ],
  [
    "Cline: replace_in_file",
    call("replace_in_file", {
      path: "a.ts",
      diff: "------- SEARCH\na\n=======\nb\nc\n+++++++ REPLACE\n",
    }),
    [{ path: "a.ts", old: "a", new: "b\nc" }],
  ],
  [
    "Roo: apply_diff",
    call("apply_diff", {
      path: "a.ts",
      diff: "<<<<<<< SEARCH\n:start_line:12\n-------\na\n=======\n\n>>>>>>> REPLACE",
    }),
    [{ path: "a.ts", old: "a", new: "", line: 12 }],
  ],
  [
    "Aider: blocks in the answer",
    rowOf({
      role: "assistant",
      type: "turn",
      text:
        "I change two.\n\nsrc/a.py\n```python\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```" +
        "\n\nsrc/b.py\n```python\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\n",
    }),
    [{ path: "src/a.py", old: "a", new: "b" }, { path: "src/b.py", old: "", new: "new" }],
  ],
  [
    "the patch of a result, line by line",
    rowOf({ role: "tool", type: "tool_output", project, tool: { name: "edit" }, patch: unified }),
    [
      { path: "src/a.ts", old: "-- a comment of SQL", new: "++ counter;\nanother", line: 11 },
      { path: "src/a.ts", old: "x", new: "y", line: 31 },
    ],
  ],
  [
    "a text that was cut says so",
    call("Write", { file_path: "a.ts", content: "begin[+40 chars]" }),
    [{ path: "a.ts", old: "", new: "begin[+40 chars]", isCut: true }],
  ],
  ["what reads edits nothing", call("Read", { file_path: "a.ts", content: "x" }, "read"), []],
  ["a prompt that quotes a block", rowOf({ role: "user", type: "turn", text: patchText }), []],
];

for (const [name, entry, expected] of cases) {
  Deno.test(`editsOf() ${name}`, () => assert.deepEqual(editsOf(entry), expected));
}

Deno.test("blocks that nobody closed take no longer than other text", () => {
  const text = "<<<<<<< SEARCH\na\n=======\n".repeat(8000);
  const begun = performance.now();
  assert.deepEqual(editsOf(rowOf({ role: "assistant", type: "turn", text })), []);
  assert.ok(performance.now() - begun < 2000);
});
