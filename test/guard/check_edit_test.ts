// Edits as agents send them, against what must not be changed or written.

import assert from "node:assert/strict";
import { addedLines } from "../../src/guard/added_lines.ts";
import { checkEdit } from "../../src/guard/check_edit.ts";
import type { Guard, GuardCheck } from "../../src/guard/guard_kinds.ts";

function found(check: GuardCheck, path: string, text: string, exists = false): string | undefined {
  const guard: Guard = { id: "g", rule: "r", since: "", mode: "deny", check };
  const files = [{ path, added: text.split("\n"), isWhole: true, exists }];
  const [breach] = checkEdit([guard], files);
  return breach && (breach.found ?? breach.what);
}

Deno.test("only what an edit adds is looked at", () => {
  const edit = (before: string, after: string): string[] =>
    addedLines({
      tool_name: "Edit",
      tool_input: { file_path: "/w/a.ts", old_string: before, new_string: after },
    })[0].added;
  assert.deepEqual(edit("let a: any;\nlet b;", "let a: any;\nlet b = 1;"), ["let b = 1;"]);
  assert.deepEqual(edit("  x();", "x();"), []);
});

Deno.test("the edits of all agents are read", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n" +
    "*** Add File: b.py\n+print(1)\n*** End Patch";
  assert.deepEqual(addedLines({ tool_input: { command: patch } }), [
    { path: "src/a.ts", added: ["new"], isWhole: false },
    { path: "b.py", added: ["print(1)"], isWhole: true },
  ]);
  assert.deepEqual(addedLines({ tool_input: { filePath: "a.ts", content: "x\ny\n" } }), [
    { path: "a.ts", added: ["x", "y"], isWhole: true },
  ]);
  assert.deepEqual(addedLines({ tool_input: { command: "ls" } }), []);
  assert.deepEqual(addedLines("nonsense"), []);
});

Deno.test("files that are not changed, by name, directory or pattern", () => {
  const touches = ["dist/", "*.lock", "db/**/migrations/*.sql"];
  const check = { on: "edit", touches } as const;
  for (
    const path of ["dist/a.js", "packages/x/dist/b.js", "deno.lock", "db/a/b/migrations/1.sql"]
  ) {
    assert.ok(found(check, path, "x"), path);
  }
  for (const path of ["src/dist.ts", "lock.ts", "db/seed.sql", "mydist/a.js"]) {
    assert.equal(found(check, path, "x"), undefined, path);
  }
});

Deno.test("words in added code are whole words", () => {
  const check = { on: "edit", adds: ["console.log"], in: ["*.ts"] } as const;
  assert.equal(
    found({ ...check, in: ["*.ts"], adds: ["console.log"] }, "a.ts", "  console.log(1)"),
    "console.log(1)",
  );
  assert.equal(
    found({ ...check, in: ["*.ts"], adds: ["console.log"] }, "a.ts", "myconsole.logger()"),
    undefined,
  );
  assert.equal(
    found({ ...check, in: ["*.ts"], adds: ["console.log"] }, "a.md", "console.log(1)"),
    undefined,
  );
});

Deno.test("modules that are not imported, in several languages", () => {
  const check: GuardCheck = { on: "edit", imports: ["moment", "requests"] };
  assert.equal(found(check, "a.ts", 'import m from "moment";'), "moment");
  assert.equal(found(check, "a.js", 'const m = require("moment/locale");'), "moment/locale");
  assert.equal(found(check, "a.py", "from requests.auth import X"), "requests.auth");
  assert.equal(found(check, "a.ts", 'import m from "momentum";'), undefined);
  assert.equal(found(check, "a.py", "# import requests"), undefined);
});

Deno.test("names of functions, classes, arguments and variables", () => {
  const python = [
    "class Account(Base):",
    '    """Holds money."""',
    "    def __init__(self, owner):",
    "        self.owner = owner",
    "",
    "    def close(self) -> None:",
    "        total = sum(x for x in self.rows)",
    "",
    "def open_account(",
    "    name: str,",
    "    limit=(1, 2),",
    "):",
    "    return name",
  ].join("\n");
  const named = (names: "class" | "function" | "method" | "argument" | "variable" | "attribute") =>
    found({ on: "edit", names, like: "no" }, "a.py", python);
  assert.equal(named("class"), "Account");
  assert.equal(named("function"), "open_account");
  assert.equal(named("method"), "close");
  assert.equal(named("argument"), "name");
  assert.equal(named("variable"), "total");
  assert.equal(named("attribute"), "owner");
  assert.equal(
    found(
      { on: "edit", names: "function", like: "snake_case" },
      "a.ts",
      "export function getUser() {",
    ),
    "getUser",
  );
  assert.equal(
    found(
      { on: "edit", names: "function", like: "camelCase" },
      "a.ts",
      "export function getUser() {",
    ),
    undefined,
  );
});

Deno.test("what each function has", () => {
  const lacks = (has: string, text: string): string | undefined =>
    found({ on: "edit", each: "function", has }, "a.py", text);
  const bare = "def f(a):\n    return a";
  const full =
    '@retry\ndef f(a: int):\n    """Doubles."""\n    assert a\n    try:\n        return a\n    finally:\n        pass';
  for (const has of ["docstring", "annotations", "try", "assert", "@retry"]) {
    assert.equal(lacks(has, bare), "f", has);
    assert.equal(lacks(has, full), undefined, has);
  }
});

Deno.test("new files of a kind belong somewhere; those that are there may stay", () => {
  const check: GuardCheck = { on: "edit", creates: ["*_test.*"], below: ["test/**"] };
  assert.equal(found(check, "src/a_test.ts", "x"), "src/a_test.ts");
  assert.equal(found(check, "test/deep/a_test.ts", "x"), undefined);
  assert.equal(found(check, "src/a_test.ts", "x", true), undefined);
});
