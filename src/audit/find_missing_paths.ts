// Paths that rules name and the project no longer has. Only paths that are written as such and begin
// with a folder of the project: others may be of another program, or only an example.

import { normalizePath } from "../core/platform_path.ts";
import type { Rule } from "../intake/agent_files/cut_rules.ts";
import { type AuditScope, type CutFile, type Finding, findingOf, saysGone } from "./finding.ts";
import { findPastPaths } from "./past_paths.ts";
import { ProjectPaths } from "./project_paths.ts";
import { placesOf } from "./rule_places.ts";

export async function findMissingPaths(scope: AuditScope): Promise<Finding[]> {
  const paths = new ProjectPaths(scope.workspace, scope.paths);
  const missing: { file: CutFile; rule: Rule; path: string; whole: string }[] = [];
  for (const file of scope.files) {
    if (!file.path.startsWith(`${scope.workspace}/`)) continue;
    const folder = file.name.includes("/") ? file.name.slice(0, file.name.lastIndexOf("/")) : "";
    const seen = new Set<string>();
    const places = placesOf(file);
    for (const [at, rule] of file.rules.entries()) {
      const title = places[at].titles.at(-1) ?? "";
      for (const path of pathsIn(rule)) {
        if (seen.has(path) || !paths.isOwn(path, folder) || paths.has(path, folder)) continue;
        if (isHypothetical(rule) || saysGone(rule.text, path)) continue;
        if (namesOutside(rule, title) || await paths.isIgnored(path)) continue;
        seen.add(path);
        const base = /^\.+\//.test(path) && folder !== "" ? `/${folder}/` : "/";
        missing.push({ file, rule, path, whole: normalizePath(base + path).slice(1) });
      }
    }
  }
  const past = findPastPaths(scope.workspace, missing.map(({ whole }) => whole));
  return missing.map(({ file, rule, path, whole }) =>
    toFinding(file, rule, { path, moved: paths.findMoved(path), last: past.get(whole) })
  );
}

/** Whether a rule or the title of its list is about another checkout: what it names may be there. */
function namesOutside({ text }: Rule, title: string): boolean {
  return elsewhere.test(text) || elsewhere.test(title) ||
    /`(?:\.\.\/)+[\w.-]+\/?`|`~\/[^`]*`|`\/(?:Users|home)\/[^`]*`/.test(text);
}

const elsewhere =
  /\bsource tree\b|\bupstream (?:sources?|repo(?:sitory)?)\b|\bin (?:an?|another|that|those) (?:[\w.-]+ ){0,3}(?:checkout|clone|repo(?:sitory)?|repositories)\b/i;

function toFinding(
  file: CutFile,
  rule: Rule,
  { path, moved, last }: { path: string; moved?: string; last?: string },
): Finding {
  const lines = file.text.split("\n").slice(rule.line - 1, rule.end);
  const whole = new RegExp(`(?<![\\w./-])${RegExp.escape(path)}(?![\\w/-]|\\.\\w)`, "g");
  const isRoot = !file.name.includes("/") && !path.startsWith(".");
  const isPlain = isRoot && moved !== undefined && lines.some((line) => line.search(whole) >= 0);
  return findingOf(file, rule, {
    kind: "path",
    evidence: `${path} does not exist${
      moved !== undefined ? `; ${moved} does` : last !== undefined ? `; git had it on ${last}` : ""
    }`,
    // Git had it, another file has its name, or the agent is told to read it; else it may be a plan.
    isUnsure: moved === undefined && last === undefined && !isToRead(rule, path),
    proposal: moved === undefined ? "correct the path, or remove the line" : `write ${moved}`,
    ...(isPlain ? { edit: { lines: lines.map((line) => line.replace(whole, () => moved)) } } : {}),
  });
}

/** Whether a rule tells to read a path: then it has to be there. */
function isToRead({ text }: Rule, path: string): boolean {
  return reading.test(text.slice(0, text.indexOf(path)));
}

const reading =
  /\b(?:see|read|consult|refer to|look at|follow)(?: also| the)? [`[]*(?:\[[^\]]*\]\()?$/i;

/** Paths in backticks, links and imports; of shell commands, words that look like one. */
function pathsIn({ kind, text, language }: Rule): string[] {
  if (kind === "code") {
    if (!/^(?:bash|sh|shell|console|zsh)$/.test(language ?? "")) return [];
    return text.replace(/(?:^|\s)#.*$/, "").split(/[\s"'=:]+/).filter(isPath);
  }
  // What a link to a page shows is a path of that page's repository.
  const own = text.replace(/\[[^\]]*\]\(https?:[^)]*\)/g, " ");
  const quoted = [...own.matchAll(/`([^`\s]+)`/g)].map(([, one]) => one);
  const linked = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, one]) => one);
  return [...quoted, ...linked].map((one) => one.replace(/^@(?=[\w.]+\/)/, ""))
    .map((one) => one.replace(/(?::\d+(?:-\d+)?|#L?\d+.*)$/, "")).filter(isPath);
}

function isPath(word: string): boolean {
  if (!/^(?:\.{1,2}\/)*[\w.@+()[\]-]+(?:\/[\w.@+()[\]-]+)+\/?$/.test(word)) return false;
  if (/^(?:[a-z]+:|~|\/)/i.test(word) || placeholder.test(word) || anyName.test(word)) {
    return false;
  }
  const last = word.replace(/\/+$/, "").split("/").at(-1) ?? "";
  return word.endsWith("/") || /^[\w.@+()[\]-]*\w\.[a-z]\w{0,9}$/i.test(last);
}

/** The first word of a name in camel case that stands for any name: `specificPart.ts`, `MyPage.tsx`. */
const anyName =
  /(?:^|\/)(?:[Mm]y|[Yy]our|[Ss]ome|[Aa]ny|[Ss]pecific|[Aa]nother|[Nn]ew|[Ee]xample|[Ss]ample)(?:[A-Z]|[-_])[\w-]*\.\w+$/;
const placeholder =
  /\b(?:foo|bar|baz|example|sample|my|your|some|xxx+|name|placeholder|path|to|yyyy|nnn+|new)(?:[-_./]|\b)|(?:file|class|function|component|module|lib|feature|page|hook)_?name|-N(?:[/.]|$)|\.{3}|\[\w+\]|@\d|\.(?:local|override|env)\b/i;

/** Whether a rule speaks of what is not there yet, no more, or only perhaps. */
function isHypothetical({ text, headings }: Rule): boolean {
  const words = text.replace(/`[^`]*`/g, " ");
  return hypothetical.test(words) ||
    headings.some((one) => hypotheticalHeading.test(one));
}

const hypothetical =
  /\b(?:creat\w*|generat\w*|produc\w*|outputs?|output to|writ(?:e|es|ing|ten)\b.{0,60}\b(?:to|into)|patterns?|conventions?|go in|saves?|saved|emit\w*|e\.g\.|for example|for instance|such as|like|example|new files?|delet\w*|remov\w*|deprecated|replaced|renamed|moved|formerly|was|were|planned|todo|future|upcoming|will be|if (?:it )?exists?|if present|when present|optional\w*|does not exist|do not exist|doesn't exist|missing|not committed|gitignored?|ignored|install\w* (?:to|into|in)|built|build output|artifacts?|never commit|cached?|legacy|old|reserved|migrat\w* to|(?:no|not)\s(?:[^.]{0,30}\s)?yet)\b/i;
const hypotheticalHeading =
  /\b(?:examples?|proposed|planned|roadmap|future|todo|adding|creating|generated|how to add|naming|new)\b/i;
