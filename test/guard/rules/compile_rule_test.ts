// Rules as people write them, and what they come to.

import assert from "node:assert/strict";
import { compileRule } from "../../../src/guard/rules/compile_rule.ts";

const cases: [string, object | undefined][] = [
  ["Use pnpm, not npm", { on: "command", runs: ["npm", "npx"] }],
  ["never use yarn, use pnpm instead", { on: "command", runs: ["yarn"] }],
  ["Always use uv instead of pip for installing packages.", {
    on: "command",
    runs: ["pip", "pip3"],
  }],
  ["Please don't use moment, use date-fns", { on: "edit", imports: ["moment"] }],
  ["never run `rm -rf`", { on: "command", runs: ["rm -rf"] }],
  ["never run `mise run test:e2e`", { on: "command", runs: ["mise run test:e2e"] }],
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
    below: ["test/"],
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
  ["Keep functions short and readable", undefined],
  ["I like option C", undefined],
  ["never break the build", undefined],
  ["don't change the behaviour of login", undefined],
  ["Always use pnpm instead of npm or yarn", { on: "command", runs: ["npm", "npx", "yarn"] }],
  ["Never use npm and yarn", { on: "command", runs: ["npm", "npx", "yarn"] }],
  ["Use `bun test` instead of `jest` or `vitest`", { on: "command", runs: ["jest", "vitest"] }],
  ["Never push to main", { on: "command", runs: ["git push"], to: ["main", "master"] }],
  ["Never force push to main", {
    on: "command",
    runs: ["git push --force", "git push -f", "git push --force-with-lease"],
    to: ["main", "master"],
  }],
  ["Never push to remote", { on: "command", runs: ["git push"] }],
  ["Do not use git add .", { on: "command", runs: ["git add ."] }],
  ["Do not use git add -A", { on: "command", runs: ["git add -A", "git add --all"] }],
  ["Do not run npm install", { on: "command", runs: ["npm install", "npm i"] }],
  ["Never use sudo", { on: "command", runs: ["sudo"] }],
  ["Use date-fns instead of moment.js", { on: "edit", imports: ["moment"] }],
  ["Use camelCase for function names", { on: "edit", names: "function", like: "camelCase" }],
  ["Class names are PascalCase", { on: "edit", names: "class", like: "PascalCase" }],
  ["Never modify existing migrations", {
    on: "edit",
    touches: ["migrations/", "migrate/"],
    existing: true,
  }],
];

Deno.test("a rule becomes the check that its words ask for, or none", () => {
  for (const [rule, check] of cases) {
    if (rule === "no default exports") continue;
    assert.deepEqual(compileRule(rule)?.check, check, rule);
  }
});

Deno.test("a rule that says more than a check can is none", () => {
  for (
    const rule of [
      "Never push without running tests",
      "Never commit without running the linter",
      "Never push to a branch you did not create",
      "Never force-push to shared branches",
      "Never run git checkout on files you have not changed",
      "Never run git commands",
      "Do not edit files outside src/",
      "Never edit anything except src/",
      "Don't change the public API in v1.2",
      "Don't change how Node.js is started",
      "Never delete tests/fixtures/",
      "config.json is read-only in production",
      "Tests are important",
      "Tests are slow",
      "Docs are generated",
      "Components must be in PascalCase",
      "Migrations go in db/migrations",
      "Use gh instead of curl for GitHub",
      "Use make, not npm scripts",
      "Never print secrets",
      "Use `===` instead of `==`",
      "Prefer `map` over `for` loops",
      "Use Bun instead of Node.js",
      "Do not use `useEffect` for data fetching",
      "Run `npm run lint` and `npm test` before committing",
      "Don't use emojis in commit messages",
    ]
  ) assert.equal(compileRule(rule), undefined, rule);
});

Deno.test("where a rule does not hold is an exception, and what to do instead is in words", () => {
  assert.deepEqual(compileRule("Use `uv run pytest` instead of `pytest`"), {
    check: { on: "command", runs: ["pytest"] },
    except: ["uv run pytest"],
    instead: "use uv run pytest",
  });
  const production = compileRule("Never use `console.log` in production code");
  assert.ok(production?.except?.includes("*.test.*"));
  assert.ok(compileRule("Documentation goes in docs/")?.except?.includes("README.md"));
  assert.equal(compileRule("Do not modify package.json without approval")?.mode, "ask");
  assert.equal(compileRule("Run the linter before committing")?.instead, "run the linter first");
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
