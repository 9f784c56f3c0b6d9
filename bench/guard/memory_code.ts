// MemoryCode's rules as guards, and its stored outputs as edits: how many rules become checks, and how
// far the checks agree with its own checker.

import { checkEdit } from "../../src/guard/check_edit.ts";
import { compileRule } from "../../src/guard/rules/compile_rule.ts";
import type { Guard } from "../../src/guard/guard_kinds.ts";
import { type BenchTable, round } from "../support/table.ts";
import { fromFileUrl } from "../../src/core/platform_path.ts";

interface Wording {
  kind: string;
  rule: string;
}
interface Output {
  rule: string;
  code: string;
  obeys: boolean;
}

/** The tables, from a checkout. */
export async function memoryCode(data: string): Promise<BenchTable[]> {
  const script = fromFileUrl(new URL("./memory_code_cases.py", import.meta.url));
  const { success, stdout, stderr } = await new Deno.Command("python3", { args: [script, data] })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const rows: (Wording | Output)[] = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => JSON.parse(line));
  const wordings = rows.filter((row) => "kind" in row);
  const kinds = new Set(wordings.map(({ kind }) => kind));
  const missing = new Set(
    wordings.filter(({ rule }) => compileRule(rule) === undefined).map(({ kind }) => kind),
  );
  const counts = new Map<string, Counts>();
  const all = newCounts();
  for (const output of rows.filter((row) => "code" in row)) {
    const guard = toGuard(output.rule);
    if (guard === undefined) continue;
    const isCaught = breaks(guard, output.code);
    const form = output.rule.replace(/'[^']*'/g, "'…'");
    const own = counts.get(form) ?? newCounts();
    counts.set(form, own);
    for (const one of [all, own]) {
      if (output.obeys) isCaught ? one.denied++ : one.passed++;
      else isCaught ? one.caught++ : one.missed++;
    }
  }
  const wrong = [...counts].filter(([, { missed, denied }]) => missed + denied > 0);
  return [
    {
      title: "MemoryCode: its rules as guards, its stored outputs as edits",
      head: ["", "of", "share", "goal"],
      rows: [
        [
          "rules that become checks, in all their wordings",
          kinds.size,
          share(kinds.size - missing.size, kinds.size),
          "≥ .7",
        ],
        [
          "outputs its checker calls a breach, caught",
          all.caught + all.missed,
          share(all.caught, all.caught + all.missed),
          "≥ .9",
        ],
        [
          "outputs that obey, denied",
          all.denied + all.passed,
          share(all.denied, all.denied + all.passed),
          "≤ .01",
        ],
      ],
    },
    {
      title: "Where the guard and its checker differ",
      head: ["rule", "breaches missed", "of", "obeying denied", "of"],
      rows: wrong.map(([form, { caught, missed, denied, passed }]) => [
        form,
        missed,
        caught + missed,
        denied,
        denied + passed,
      ]),
    },
  ];
}

interface Counts {
  caught: number;
  missed: number;
  denied: number;
  passed: number;
}

function newCounts(): Counts {
  return { caught: 0, missed: 0, denied: 0, passed: 0 };
}

const guards = new Map<string, Guard | undefined>();

function toGuard(rule: string): Guard | undefined {
  if (!guards.has(rule)) {
    const compiled = compileRule(rule);
    guards.set(
      rule,
      compiled && { id: "rule", rule, since: "", ...compiled, mode: "deny" },
    );
  }
  return guards.get(rule);
}

function breaks(guard: Guard, code: string): boolean {
  const added = code.replace(/^\n/, "").split("\n");
  const change = { path: "a.py", added, text: added, isComplete: true, isWhole: true };
  return checkEdit([guard], [{ ...change, exists: false }]).length > 0;
}

function share(part: number, whole: number): number {
  return round(part / whole, 3);
}
