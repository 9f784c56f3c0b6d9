// The scripts and tasks that a project's manifests define, of all its packages together: a rule rarely
// says in which folder a command is run.

import { parse as parseJsonc } from "jsonc-parser";
import { isObject } from "../core/json.ts";
import { findSmallText } from "../disk/outside_files.ts";

/** Runners of scripts, each with the manifests that define them. */
export const runners = ["node", "deno", "make", "just", "composer"] as const;
/** One of `runners`. */
export type Runner = typeof runners[number];

/** The names that each runner knows; none where the project has no manifest for it, or it is not sure. */
export type ProjectScripts = Partial<Record<Runner, ReadonlySet<string>>>;

const manifests: Record<Runner, RegExp> = {
  node: /(?:^|\/)package\.json$/,
  deno: /(?:^|\/)deno\.jsonc?$/,
  make: /(?:^|\/)(?:GNUmakefile|[Mm]akefile)$/,
  just: /(?:^|\/)\.?[Jj]ustfile$/,
  composer: /(?:^|\/)composer\.json$/,
};

const mostManifests = 300;

/** Reads the manifests of a project. */
export function readScripts(workspace: string, paths: readonly string[]): ProjectScripts {
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
