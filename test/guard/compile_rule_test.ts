// Rules as people write them, and what they come to.

import assert from "node:assert/strict";
import { compileRule } from "../../src/guard/compile_rule.ts";

const cases: [string, object | undefined][] = [
  ["Use pnpm, not npm", { on: "command", runs: ["npm", "npx"] }],
  ["never use yarn, use pnpm instead", { on: "command", runs: ["yarn"] }],
  ["Always use uv instead of pip for installing packages.", { on: "command", runs: ["pip"] }],
  ["Please don't use moment, use date-fns", { on: "edit", imports: ["moment"] }],
  ["never run `rm -rf`", { on: "command", runs: ["rm -rf"] }],
  ["Never force push", {
    on: "command",
    runs: ["git push --force", "git push -f", "git push --force-with-lease"],
  }],
  ["do not commit to main", {
    on: "command",
    runs: ["git commit"],
    branches: ["main", "master"],
  }],
  ["Never use --no-verify", { on: "command", runs: ["git * --no-verify", "git commit -n"] }],
  ["Never edit files in `src/generated/`", { on: "edit", touches: ["src/generated/"] }],
  ["don't touch migrations", { on: "edit", touches: ["migrations/", "migrate/"] }],
  ["deno.lock is generated", { on: "edit", touches: ["deno.lock"] }],
  ["Tests go in test/", {
    on: "edit",
    creates: ["*_test.*", "*.test.*", "*.spec.*", "test_*.py"],
    below: ["test/**"],
  }],
  ["always start function names with 'x_'", { on: "edit", names: "function", like: "x_*" }],
  ["always use snake_case for variable names", {
    on: "edit",
    names: "variable",
    like: "snake_case",
  }],
  ["Always use docstrings in functions", { on: "edit", each: "function", has: "docstring" }],
  ["no default exports", undefined],
  ["Run `deno task ok` before you finish", { on: "end", ran: ["deno task ok"] }],
  ["Run the linter before committing", {
    on: "end",
    ran: ["* fmt*", "* format*", "* lint*", "prettier", "eslint", "biome", "ruff", "black"],
    before: ["git commit"],
  }],
  ["Keep functions short and readable", undefined],
  ["I like option C", undefined],
  ["never break the build", undefined],
  ["don't change the behaviour of login", undefined],
];

Deno.test("a rule becomes the check that its words ask for, or none", () => {
  for (const [rule, check] of cases) {
    if (rule === "no default exports") continue;
    assert.deepEqual(compileRule(rule)?.check, check, rule);
  }
});

Deno.test("a rule about words in code looks for them in code only", () => {
  const found = compileRule("no default exports")?.check;
  assert.ok(found?.on === "edit" && "adds" in found);
  assert.deepEqual(found.adds, ["export default"]);
  assert.ok(found.in?.includes("*.ts") && !found.in.includes("*.md"));
});

Deno.test("a rule that wants to be asked asks, and says what to do instead", () => {
  assert.equal(compileRule("never commit without asking me")?.mode, "ask");
  assert.equal(compileRule("use pnpm, not npm")?.instead, "use pnpm");
});

Deno.test("a hostile rule takes no time", () => {
  compileRule(`use ${"a ".repeat(20_000)} not b`);
  compileRule(`never edit ${"a/".repeat(150)}`);
});
