// Commands that rules tell agents to run and that the project's manifests no longer define.

import type { Rule } from "../intake/agent_files/cut_rules.ts";
import { type AuditScope, type Finding, findingOf } from "./finding.ts";
import { parse as parseJsonc } from "jsonc-parser";
import { isObject } from "../core/json.ts";
import { findSmallText } from "../disk/outside_files.ts";

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

// The scripts and tasks that a project's manifests define, of all its packages together: a rule rarely
// says in which folder a command is run.

/** Runners of scripts, each with the manifests that define them. */
const runners = ["node", "deno", "make", "just", "composer"] as const;
/** One of `runners`. */
type Runner = typeof runners[number];

/** The names that each runner knows; none where the project has no manifest for it, or it is not sure. */
type ProjectScripts = Partial<Record<Runner, ReadonlySet<string>>>;

const manifests: Record<Runner, RegExp> = {
  node: /(?:^|\/)package\.json$/,
  deno: /(?:^|\/)deno\.jsonc?$/,
  make: /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$/,
  just: /(?:^|\/)\.?[Jj]ustfile$/,
  composer: /(?:^|\/)composer\.json$/,
};

const mostManifests = 300;

function readScripts(workspace: string, paths: readonly string[]): ProjectScripts {
  const scripts: ProjectScripts = {};
  for (const runner of runners) {
    const own = paths.filter((path) => manifests[runner].test(path)).slice(0, mostManifests);
    const names = own.map((path) => namesIn(runner, findSmallText(`${workspace}/${path}`) ?? ""));
    // One that cannot be read, or that names are made up in, may define anything.
    if (own.length === 0 || names.includes(undefined)) continue;
    scripts[runner] = new Set(names.flatMap((some) => some ?? []));
  }
  return scripts;
}

function namesIn(runner: Runner, text: string): string[] | undefined {
  if (runner === "make" || runner === "just") {
    if (runner === "make" && /^\s*-?include\b|^[^#\n]*%[^\n]*:|^\$\(/m.test(text)) return undefined;
    if (runner === "just" && /^\s*(?:import|mod)\b/m.test(text)) return undefined;
    return [...text.matchAll(/^@?([\w./-]+(?:[ \t]+[\w./-]+)*)[^:=\n]*:(?!=)/gm)]
      .flatMap(([, names]) => names.split(/[ \t]+/));
  }
  try {
    const json: unknown = parseJsonc(text);
    if (!isObject(json)) return undefined;
    const scripts = json[runner === "deno" ? "tasks" : "scripts"];
    return isObject(scripts) ? Object.keys(scripts) : [];
  } catch {
    return undefined;
  }
}
