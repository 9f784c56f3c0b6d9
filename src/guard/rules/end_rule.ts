// Rules about what is run before the end, or before a commit. Pure.

import { isCommand, tools } from "./known_tools.ts";
import { type CompiledRule, quoted } from "./compiled_rule.ts";

/** "run the tests before you finish". */
export function endRule(text: string): CompiledRule | undefined {
  const [, said, when] =
    /^(?:always )?run (?:the |all )?(.{1,80}?) (before (?:you )?(?:finish|finishing|commit|committing|pushing|push|stopping|you are done|ending|completing|saying|declaring|claiming).{0,40}|after (?:every|each|any|all) (?:change|edit|task).{0,30}|at the end.{0,20}|when (?:you are )?(?:done|finished))$/i
      .exec(text) ?? [];
  const [, early, late] =
    /^before (?:you )?(finish(?:ing)?|commit(?:ting)?|push(?:ing)?),? (?:always )?run (?:the |all )?(.{1,80})$/i
      .exec(text) ?? [];
  const what = said ?? late;
  if (what === undefined) return undefined;
  const ran = toRuns(what);
  if (ran.length === 0) return undefined;
  const named = new RegExp(quoted).exec(what)?.[1] ?? (ran.length === 1 ? ran[0] : `the ${what}`);
  const at = when ?? early;
  const before = /commit/i.test(at) ? ["git commit"] : /push/i.test(at) ? ["git push"] : undefined;
  return {
    check: { on: "end", ran, ...(before ? { before } : {}) },
    instead: `run ${named} first`,
  };
}

/** The commands that some words mean. */
function toRuns(said: string): string[] {
  const [named, other] = [...said.matchAll(new RegExp(quoted, "g"))].map(([, one]) => one);
  if (other !== undefined) return [];
  if (named !== undefined) return [named];
  const [program] = said.split(" ");
  if (tools.has(program) || program === "git") return isCommand(said) ? [said] : [];
  if (/^(?:(?:full|unit|whole|entire|relevant) )?tests?(?: suite)?$/i.test(said)) {
    return [
      ...scriptsOf("test"),
      ..."pytest jest vitest mocha tox nox rspec phpunit ctest".split(" "),
      ...["cargo test", "cargo nextest", "go test", "mvn test", "mvn verify", "dotnet test"],
      ...["swift test", "gradle* test", "*test*.sh"],
    ];
  }
  if (/^(?:code )?(?:formatter|format)$/i.test(said)) {
    return [
      ...scriptsOf("fmt"),
      ...scriptsOf("format"),
      ..."cargo fmt,go fmt,gofmt,prettier,biome,ruff,black".split(","),
    ];
  }
  if (/^(?:linters?|lint)$/i.test(said)) {
    return [
      ...scriptsOf("lint"),
      ..."eslint,biome,ruff,pylint,flake8,golangci-lint,cargo clippy,oxlint".split(","),
    ];
  }
  return [];
}

/** How a project's own script is started. */
function scriptsOf(name: string): string[] {
  return ["npm", "pnpm", "yarn", "bun", "deno", "deno task", "make", "just", "task"]
    .map((program) => `${program} ${name}*`);
}
