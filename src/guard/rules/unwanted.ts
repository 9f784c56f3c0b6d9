// What a rule does not want used: programs, modules, or words in code. Pure.

import type { GuardCheck } from "../guard_kinds.ts";
import { generalTools, isCommand, knownModules, tools } from "./known_tools.ts";
import { inCode, lineWords, ofLine } from "./forbidden_lines.ts";
import { type CompiledRule, unquote } from "./compiled_rule.ts";

type Unwanted = Pick<CompiledRule, "check" | "except">;

/** What is not to be used: programs, modules, or words in code; of several, all of one kind. */
export function toUnwanted(said: string, rule: string): Unwanted | undefined {
  const [plain, except] = scopeOf(said);
  if (plain === undefined) return undefined;
  const items = plain.split(/,? (?:or|and|nor) |, ?/).filter((item) => item.trim() !== "");
  const checks = items.map((item) => toUnwantedOne(item, rule));
  const [first] = checks;
  if (first === undefined) return undefined;
  const isSame = (check: GuardCheck | undefined): boolean =>
    check !== undefined && Object.keys(check).join() === Object.keys(first).join() &&
    JSON.stringify(inOf(check)) === JSON.stringify(inOf(first));
  if (!checks.every(isSame)) return undefined;
  const all = (name: "runs" | "imports" | "adds"): string[] =>
    checks.flatMap((check) => new Map(Object.entries(check ?? {})).get(name) ?? []);
  const check: GuardCheck = first.on === "command"
    ? { ...first, runs: all("runs") }
    : "imports" in first
    ? { ...first, imports: all("imports") }
    : "adds" in first
    ? { ...first, adds: all("adds") }
    : first;
  return { check, ...(except === undefined ? {} : { except }) };
}

function inOf(check: GuardCheck): string[] | undefined {
  return "in" in check ? check.in : undefined;
}

const testPaths = [
  "test/",
  "tests/",
  "__tests__/",
  "*_test.*",
  "*.test.*",
  "*.spec.*",
  "test_*.py",
];

/** What is unwanted, and where it is not; nothing where that is said in other words. */
export function scopeOf(said: string): [string | undefined, string[]?] {
  const plain = said.replace(/ (?:directly|any ?more|at all|ever|here|anywhere|everywhere)$/i, "");
  const [, what, where] =
    /^(.+?) ((?:in|outside|inside|within|on|from|except|for|when|to|as|because|since|whenever|unless|if)\b.*)$/i
      .exec(plain) ?? [];
  if (where === undefined) return [plain];
  if (
    /^(?:in production(?: code)?|outside(?: of)? (?:the )?tests?|in (?:library|non-test) code)$/i
      .test(where)
  ) {
    return [what, testPaths];
  }
  if (
    /^(?:because|since|as)\b|^in (?:this|the|our) (?:repo|repository|project|codebase|code)|^in (?:code|typescript|ts|python)$/i
      .test(where)
  ) {
    return [what];
  }
  const isPurpose = /^(?:for|to|when)\b/i.test(where);
  const name = unquote(what).toLowerCase();
  const isOnePurpose = knownModules.has(name) || (tools.has(name) && !generalTools.has(name));
  return isPurpose && isOnePurpose ? [what] : [undefined];
}

function toUnwantedOne(said: string, rule: string): GuardCheck | undefined {
  const word = unquote(said).replace(/^(?:the|a|an) /i, "");
  const runs = tools.get(word.toLowerCase());
  if (runs !== undefined) return { on: "command", runs };
  if (/^(?:git|npm|yarn|pnpm|docker|cargo|pip|make|go|deno) \S/.test(word)) {
    return isCommand(word) ? { on: "command", runs: [word] } : undefined;
  }
  const known = lineWords.find(([form]) => form.test(unquote(said)));
  if (known !== undefined) return ofLine(known);
  // A sign such as `==` is in others; "`for` loops" and Node.js are no words of code.
  if (!/[A-Za-z]/.test(word) || word.includes("`")) return undefined;
  const isCode = said.includes("`") || /^[\w@][\w./@-]*$/.test(word);
  if (!isCode) return undefined;
  if (/\b(?:import|librar|package|module|dependenc)/i.test(rule)) {
    return { on: "edit", imports: [word] };
  }
  const module = word.replace(/\.js$/, "");
  if (knownModules.has(module.toLowerCase())) return { on: "edit", imports: [module] };
  if (/^[A-Z]\w*\.js$/.test(word)) return undefined;
  if (/^[\w$.]+\.\w+(?:\(\))?$/.test(word) || said.includes("`") || codeWords.has(word)) {
    const bare = word.replace(/\(\)$/, "");
    const endings = wordEndings.find(([form]) => form.test(bare))?.[1] ?? inCode;
    return { on: "edit", adds: [bare], in: endings, ...(isMark(bare) ? {} : { outside: "text" }) };
  }
  return undefined;
}

/** Whether words stand in comments or strings: `TODO`, not the constant `MAX_SIZE`. */
function isMark(word: string): boolean {
  return /^@|^[A-Z]{2,}\b|eslint|noqa|ignore|["'/#]/.test(word);
}

const inScripts = [
  "*.ts",
  "*.tsx",
  "*.mts",
  "*.js",
  "*.jsx",
  "*.mjs",
  "*.cjs",
  "*.vue",
  "*.svelte",
];
/** Words that mean something else in other languages. */
const wordEndings: [RegExp, string[]][] = [
  [
    /^(?:interface|type|enum|namespace|require|debugger|null|let|class|as any|as unknown)$/,
    inScripts,
  ],
  [/^(?:unwrap|println!|expect)$/, ["*.rs"]],
];

const codeWords: ReadonlySet<string> = new Set(
  "any var eval goto unwrap print println! debugger enum namespace require null".split(
    " ",
  ),
);
