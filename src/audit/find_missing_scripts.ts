// Commands that rules tell agents to run and that the project's manifests no longer define.

import type { Rule } from "../intake/agent_files/cut_rules.ts";
import { type AuditScope, type Finding, findingOf } from "./finding.ts";
import { readScripts, type Runner } from "./project_scripts.ts";

export function findMissingScripts(scope: AuditScope): Finding[] {
  // What is in a submodule may not be checked out.
  if (scope.paths.includes(".gitmodules")) return [];
  const scripts = readScripts(scope.workspace, scope.paths);
  const findings: Finding[] = [];
  for (const file of scope.files) {
    if (!file.path.startsWith(`${scope.workspace}/`)) continue;
    const seen = new Set<string>();
    for (const rule of file.rules) {
      // Then the manifest is made later, or by a template.
      if (/\bgenerated\s+`?(?:(?:GNU)?Makefile|justfile|[\w.]+\.json)\b/i.test(rule.text)) continue;
      for (const { runner, name, command } of commandsIn(rule)) {
        const known = scripts[runner];
        if (known === undefined || known.has(name) || seen.has(command)) continue;
        seen.add(command);
        const near = nearest(name, known);
        findings.push(findingOf(file, rule, {
          kind: "script",
          evidence: `no ${manifestOf[runner]} of this project defines "${name}"`,
          proposal: near === undefined
            ? "correct the command, or remove it"
            : `did you mean "${near}"?`,
        }));
      }
    }
  }
  return findings;
}

const manifestOf: Record<Runner, string> = {
  node: "package.json",
  deno: "deno.json",
  make: "Makefile",
  just: "justfile",
  composer: "composer.json",
};

interface Command {
  runner: Runner;
  name: string;
  command: string;
}

const word = String.raw`([\w][\w:.@/-]*)`;
const flags = String.raw`(?:\s+(?:-{1,2}[\w-]+(?:[= ](?![-\w:]+(?:\s|$))\S+|=\S+)?))*`;
const patterns: [Runner, RegExp][] = [
  ["node", new RegExp(String.raw`\b(?:npm|pnpm|yarn|bun)${flags}\s+run${flags}\s+${word}`, "g")],
  ["deno", new RegExp(String.raw`\bdeno\s+task${flags}\s+${word}`, "g")],
  ["make", new RegExp(String.raw`(?:^|[;&|]\s*|\$ )make\s+${word}`, "g")],
  ["just", new RegExp(String.raw`(?:^|[;&|]\s*|\$ )just\s+${word}`, "g")],
  ["composer", new RegExp(String.raw`\bcomposer\s+run(?:-script)?\s+${word}`, "g")],
];

function commandsIn({ kind, text, language }: Rule): Command[] {
  const isShell = kind === "code" && /^(?:bash|sh|shell|console|zsh|)$/.test(language ?? "");
  const lines = isShell
    ? [text.replace(/(?:^|\s)#.*$/, "")]
    : kind === "code"
    ? []
    : [...text.matchAll(/`([^`]+)`/g)].map(([, one]) => one);
  return lines.flatMap((line) =>
    patterns.flatMap(([runner, pattern]) =>
      [...line.matchAll(pattern)].flatMap(([command, name]) => {
        const after = line.slice(line.indexOf(command) + command.length);
        const isOpen = /^[*<{[…]/.test(after) || /[:.-]$/.test(name) || placeholder.test(name);
        // A file is run as it is; make has files as targets.
        const isFile = /\.[cm]?[jt]sx?$/.test(name) || name.includes("/");
        return isOpen || isFile ? [] : [{ runner, name, command: command.trim() }];
      })
    )
  );
}

const placeholder = /^(?:script|task|command|name|target|xxx?|foo|bar|your-\w+|my-\w+)$/i;

/** The known name that is most like one, if any is. */
function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  const parts = new Set(name.split(/[:._-]/));
  const scored = [...known].map((one) => {
    const own = one.split(/[:._-]/);
    return {
      one,
      score: own.filter((part) => parts.has(part)).length / Math.max(own.length, parts.size),
    };
  }).sort((a, b) => b.score - a.score);
  return scored[0]?.score >= 0.5 ? scored[0].one : undefined;
}
