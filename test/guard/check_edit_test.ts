// Edits as agents send them, against what must not be changed or written.

import assert from "node:assert/strict";
import { addedLines, editOf } from "../../src/guard/added_lines.ts";
import { toolInputOf } from "../../src/recall/edit/hook_edit.ts";
import { checkEdit } from "../../src/guard/check_edit.ts";
import { compileRule } from "../../src/guard/rules/compile_rule.ts";
import type { Guard, GuardCheck } from "../../src/guard/guard_kinds.ts";

function found(check: GuardCheck, path: string, text: string, exists = false): string | undefined {
  const guard: Guard = { id: "g", rule: "r", since: "", mode: "deny", check };
  const added = text.split("\n");
  const files = [{ path, added, text: added, isWhole: true, isComplete: true, exists }];
  const [breach] = checkEdit([guard], files);
  return breach && (breach.found ?? breach.what);
}

Deno.test("only what an edit adds is looked at", () => {
  const edit = (before: string, after: string): string[] =>
    addedLines(toolInputOf({
      tool_name: "Edit",
      tool_input: { file_path: "/w/a.ts", old_string: before, new_string: after },
    }))[0].added;
  assert.deepEqual(edit("let a: any;\nlet b;", "let a: any;\nlet b = 1;"), ["let b = 1;"]);
  assert.deepEqual(edit("  x();", "x();"), []);
});

Deno.test("the edits of all agents are read", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old\n+new\n" +
    "*** Add File: b.py\n+print(1)\n*** End Patch";
  assert.deepEqual(addedLines(toolInputOf({ tool_input: { command: patch } })), [
    { path: "src/a.ts", added: ["new"], text: ["new"], isWhole: false, isComplete: false },
    {
      path: "b.py",
      added: ["print(1)"],
      text: ["print(1)"],
      isWhole: true,
      isComplete: true,
    },
  ]);
  assert.deepEqual(
    addedLines(toolInputOf({ tool_input: { filePath: "a.ts", content: "x\ny\n" } })),
    [
      { path: "a.ts", added: ["x", "y"], text: ["x", "y"], isWhole: true, isComplete: true },
    ],
  );
  assert.deepEqual(addedLines(toolInputOf({ tool_input: { command: "ls" } })), []);
  assert.deepEqual(addedLines(toolInputOf("nonsense")), []);
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

Deno.test("what a function had before an edit, it has", () => {
  const guard: Guard = {
    id: "g",
    rule: "r",
    since: "",
    mode: "deny",
    check: { on: "edit", each: "function", has: "docstring" },
  };
  const file = '@retry\ndef f(a):\n    """Doubles."""\n    return a\n';
  const isCaught = (old_string: string, new_string: string): boolean => {
    const [edit] = addedLines(
      toolInputOf({ tool_input: { file_path: "a.py", old_string, new_string } }),
    );
    const whole = editOf(edit, file);
    const counts = [edit, whole].map((one) =>
      checkEdit([guard], [{ ...one, exists: true }]).length
    );
    assert.equal(counts[0] > 0 && counts[1] === 0, false, new_string);
    return counts[1] > 0;
  };
  assert.ok(!isCaught("def f(a):", "def f(a, b):"));
  assert.ok(!isCaught('def f(a):\n    """Doubles."""', 'def f(a, b):\n    """Doubles."""'));
  assert.ok(isCaught('def f(a):\n    """Doubles."""\n', "def f(a, b):\n"));
  assert.ok(isCaught("    return a\n", "    return a\n\ndef g(b):\n    return b\n"));
});

Deno.test("a file that is written anew adds what it did not have", () => {
  const [write] = addedLines(
    toolInputOf({ tool_input: { file_path: "a.ts", content: "let a: any;\nlet b;" } }),
  );
  assert.deepEqual(editOf(write, "let a: any;\n").added, ["let b;"]);
});

Deno.test("innocent code is let through", () => {
  const variable: GuardCheck = { on: "edit", names: "variable", like: "v_*" };
  for (
    const line of [
      "run_it(max_len=3)",
      "    timeout=30,",
      "    mode=1)",
      "_, v_x = f()",
      "else: pass",
    ]
  ) assert.equal(found(variable, "a.py", line), undefined, line);
  const camel: GuardCheck = { on: "edit", names: "function", like: "camelCase" };
  assert.equal(found(camel, "a.tsx", "export function Button() {"), undefined);
  const any = compileRule("never use `any`")?.check;
  assert.ok(any);
  for (const line of ["// note: any value", 'log("is it as any other?");', "const many = 1;"]) {
    assert.equal(found(any, "a.ts", line), undefined, line);
  }
  assert.ok(found(any, "a.ts", "const x: Record<string, any> = {}; // why"));
  const star = compileRule("never use wildcard imports")?.check;
  assert.ok(star);
  assert.equal(found(star, "a.py", "import os"), undefined);
  assert.ok(found(star, "a.py", "from os import *"));
  assert.ok(found(star, "A.java", "import java.util.*;"));
  const moment: GuardCheck = { on: "edit", imports: ["moment"] };
  assert.equal(found(moment, "a.ts", '// import m from "moment";'), undefined);
  const each: GuardCheck = { on: "edit", each: "class", has: "docstring" };
  assert.equal(found(each, "a.py", 'class A:\n    """Is one."""\n    x = 1'), undefined);
  assert.ok(found(each, "a.py", "class A:\n    x = 1"));
});

Deno.test("a huge file or line takes no time and breaks nothing", () => {
  const names: GuardCheck = { on: "edit", names: "function", like: "x_*" };
  const started = performance.now();
  assert.equal(found(names, "a.py", "\n".repeat(300_000) + "def f():\n    pass"), "f");
  found(names, "a.py", `def f(${")->".repeat(130_000)}`);
  found({ on: "edit", imports: ["x"] }, "a.ts", `from${" ".repeat(300_000)}`);
  assert.ok(performance.now() - started < 3000);
});

Deno.test("patterns of absolute paths and of the home directory hold outside of the workspace", () => {
  assert.ok(found({ on: "edit", touches: ["/etc/hosts"] }, "/etc/hosts", "x"));
  assert.ok(found({ on: "edit", touches: ["~/.ssh"] }, "~/.ssh/config", "x"));
});

Deno.test("new files of a kind belong somewhere; those that are there may stay", () => {
  const check: GuardCheck = { on: "edit", creates: ["*_test.*"], below: ["test/**"] };
  assert.equal(found(check, "src/a_test.ts", "x"), "src/a_test.ts");
  assert.equal(found(check, "test/deep/a_test.ts", "x"), undefined);
  assert.equal(found(check, "src/a_test.ts", "x", true), undefined);
});

Deno.test("a name that only a comment has is not used; a mark such as TODO stands in comments", () => {
  const check = (rule: string): GuardCheck => {
    const compiled = compileRule(rule);
    assert.ok(compiled !== undefined && "check" in compiled, rule);
    return compiled.check;
  };
  const constant = check("Never use `ACTIVE_COMMITTED`");
  assert.equal(found(constant, "a.go", "// only ACTIVE_COMMITTED should block"), undefined);
  assert.ok(found(constant, "a.go", "if phase == ACTIVE_COMMITTED {"));
  assert.ok(found(check("Never use `HACK`"), "a.go", "// HACK: twice"));
});
