// An edit that is about to be made: what agents tell of it, and what it changes in what is suggested.

import assert from "node:assert/strict";
import { readEdit } from "../../../../src/recall/edit/signals/edit_facts.ts";
import { findHunks } from "../../../../src/recall/edit/hook_edit.ts";
import { isTestOf } from "../../../../src/recall/edit/graph/paired_test.ts";
import { tempProject, writeSources } from "../../../support/suggest_project.ts";
import type { TempStore } from "../../../support/temp_store.ts";

const text = "one\ntwo\nthree\nfour\n";

Deno.test("findHunks() reads the edits of several agents", () => {
  const changed = [{ line: 3, removed: ["three"], added: ["drei"] }];
  const forms: [object, unknown][] = [
    [{ old_string: "three\n", new_string: "drei\n" }, changed],
    [{ old_string: "two\nthree\nfour", new_string: "two\ndrei\nfour" }, changed],
    [{ oldString: "three", newString: "drei" }, changed],
    [{ edits: [{ old_string: "three", new_string: "drei" }] }, changed],
    [{ content: "one\ntwo\ndrei\nfour\n" }, changed],
    [{
      command: [
        "apply_patch",
        "*** Begin Patch\n*** Update File: a.ts\n@@\n two\n-three\n+drei\n four\n*** End Patch\n",
      ],
    }, changed],
    [{ old_string: "not there", new_string: "x" }, []],
    [{ content: text }, []],
    [{}, []],
    [{ edits: [1, null, { old_string: 3 }] }, []],
  ];
  for (const [input, expected] of forms) {
    assert.deepEqual(findHunks({ ...input }, text), expected, JSON.stringify(input));
  }
});

Deno.test("readEdit() tells names that change from names that stay, and where they lead", () => {
  const edit = readEdit([{
    line: 1,
    removed: ['import { keepToken } from "../store/token.ts";', "keepToken(input);"],
    added: ['import { saveToken } from "../store/token.ts";', "saveToken(input);"],
  }], { path: "src/auth/service.ts" });
  assert.deepEqual([...edit.changed], ["keepToken", "saveToken"]);

  assert.ok(edit.touched.has("input") && !edit.changed.has("input"));
  assert.deepEqual(edit.imports, ["src/store/token.ts"]);
});

Deno.test("isTestOf() joins a file with its test across languages and endings", () => {
  const tests = ["test/gc_test.ts", "gc.test.tsx", "gc.spec.js", "test_gc.py", "gcTest.java"];
  for (const test of tests) assert.ok(isTestOf(test, "a/gc.ts"), test);
  assert.ok(!isTestOf("a.go", "a.go"));
});

Deno.test("the hook speaks of who uses what the edit changes, and of what it uses", async () => {
  await using t = await tempProject();
  writeSources(t, {
    "src/lib/shapes.ts":
      "export function drawSquare(): void {\n  return;\n}\n\nexport function drawCircle(): void {\n  return;\n}\n",
    "src/lib/left.ts": 'import { drawSquare } from "./shapes.ts";\ndrawSquare();\n',
    "src/lib/right.ts": 'import { drawCircle } from "./shapes.ts";\ndrawCircle();\n',
    "src/lib/more.ts": 'import { drawCircle } from "./shapes.ts";\ndrawCircle();\n',
  });
  await t.run("suggest", { file: "src/paint/brush.ts" });
  const square = await said(t, "src/lib/shapes.ts", "drawSquare(): void {\n  return;", [
    "drawSquare(): void {\n  throw 1;",
  ]);
  assert.match(square, /left\.ts .*drawSquare, which the edit changes/);
  assert.doesNotMatch(square, /right\.ts|more\.ts/);
  const gone = await said(t, "src/lib/right.ts", "drawCircle();", ["drawTriangle();"]);
  assert.match(gone, /shapes\.ts .*changes how it uses drawCircle/);
});

async function said(t: TempStore, file: string, old: string, [now]: string[]): Promise<string> {
  const { stdout } = await t.ctx(["hook", "pre-edit"], {
    stdin: JSON.stringify({
      session_id: file,
      tool_name: "Edit",
      tool_input: { file_path: file, old_string: old, new_string: now },
    }),
  });
  return stdout;
}
