// Rules of another project: they name a project beside this one that this project has nothing to do
// with, or a home directory on which this project is not.

import { plain } from "../intake/agent_files/cut_rules.ts";
import { findSmallText } from "../disk/outside_files.ts";
import { type AuditScope, type Finding, findingOf, saysGone } from "./finding.ts";

export function findOtherProjects(scope: AuditScope, projects: readonly string[]): Finding[] {
  const own = scope.workspace.slice(scope.workspace.lastIndexOf("/") + 1).toLowerCase();
  const known = ownWords(scope);
  const names = projects.filter((name) => {
    const low = name.toLowerCase();
    return name.length >= minNameChars && !own.includes(low) && !low.includes(own);
  });
  const findings: Finding[] = [];
  for (const file of scope.files) {
    for (const rule of file.rules) {
      if (rule.kind === "code") continue;
      const text = plain(rule.text);
      const path = isLimited(text) ? undefined : findForeignPath(text, own, names);
      const name = path?.name ??
        names.find((one) => hasWord(text, one) && !known(one, file.text));
      if (name === undefined && path === undefined) continue;
      if (name !== undefined && saysGone(text, name)) continue;
      const evidence = path === undefined
        ? `"${name}" is another project of yours, and nothing else here names it`
        : `${path.path} is not in this project`;
      findings.push(findingOf(file, rule, {
        kind: "project",
        evidence,
        // A path of one machine may be there on purpose, and a plain word may be no name.
        isUnsure: name === undefined || (path === undefined && !/[\W\d_]|.[A-Z]/.test(name)),
        proposal: name === undefined
          ? "use a path inside this project, or remove the line"
          : `move it to the rules of ${name}, or remove it`,
      }));
    }
  }
  return findings;
}

const minNameChars = 6;

/** Whether a rule says itself that its paths are of one machine, or of a copy that lies beside. */
function isLimited(text: string): boolean {
  return /\b(?:in|on) (?:this|my|our|the)(?: [\w-]+)? (?:workspace|machine|host|computer|laptop|workstation)\b|\b(?:cloned|checked out|vendored|mirrored) (?:at|in|to|under)\b|\b(?:local|reference|sibling) (?:clones?|checkouts?|cop(?:y|ies)) (?:of|at|in|is|are)\b/i
    .test(text);
}

/** A path in somebody's home that leads to another directory than this project's. */
function findForeignPath(
  text: string,
  own: string,
  names: readonly string[],
): { path: string; name?: string } | undefined {
  for (const [path] of text.matchAll(/(?<![\w.])\/(?:Users|home)\/[\w.-]+(?:\/[\w.@+-]+)+/g)) {
    const parts = path.split("/").slice(3);
    if (parts.some((part) => part.toLowerCase() === own) || parts[0].startsWith(".")) continue;
    const name = names.find((one) => parts.includes(one));
    if (placeholder.test(path) || (name === undefined && !checkouts.test(path))) continue;
    return { path, name };
  }
}

/** Folders in which people keep their projects. */
const checkouts =
  /\/(?:code|projects?|src|dev|work|workspaces?|repos?|git|github|developer|sites|documents|desktop)\//i;
const placeholder =
  /\/(?:user(?:name)?|you|your-?(?:user)?name|me|runner|vscode|node|ubuntu|app|nonroot|coder|path|project|example)(?:\/|$)/i;

function hasWord(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const isPart = (char: string | undefined): boolean => char !== undefined && /[\w@/-]/.test(char);
  return !isPart(text[at - 1]) && !isPart(text[at + name.length]);
}

/** Tells whether the project speaks of a name elsewhere: then it has to do with it. */
function ownWords({ workspace, paths }: AuditScope): (name: string, text: string) => boolean {
  const about = paths.filter((path) =>
    /(?:^|\/)(?:README\.md|package\.json|go\.mod|Cargo\.toml|pyproject\.toml|composer\.json|\.gitmodules)$/
      .test(path)
  )
    .slice(0, 40).map((path) => findSmallText(`${workspace}/${path}`) ?? "").join("\n")
    .toLowerCase();
  const listed = paths.join("\n").toLowerCase();
  return (name, text) => {
    const low = name.toLowerCase();
    const lines = text.toLowerCase().split("\n").filter((line) => line.includes(low));
    return about.includes(low) || listed.includes(low) || lines.length > maxLines;
  };
}

/** A file that names it more often is about it. */
const maxLines = 2;
