// All checks over the rule files of a project. Reads only.

import { cutRules } from "../intake/agent_files/cut_rules.ts";
import { findAgentFiles } from "../intake/agent_files/find_agent_files.ts";
import { listFiles } from "../intake/agent_files/list_files.ts";
import { type Decided, findContradictions } from "./find_contradictions.ts";
import { findCutLines } from "./find_cut_lines.ts";
import { findDuplicates } from "./find_duplicates.ts";
import { findMissingPaths } from "./find_missing_paths.ts";
import { findMissingScripts } from "./find_missing_scripts.ts";
import { findOtherProjects } from "./find_other_projects.ts";
import { findSecretsInRules } from "./find_secrets_in_rules.ts";
import { type AuditScope, type CutFile, type Finding, findingKinds } from "./finding.ts";
import { redactText } from "../core/redact/redact.ts";
import { toLine } from "../core/text.ts";

/** What to look at. */
export interface AuditOptions {
  workspace: string;
  /** The user's own files too. */
  home?: string;
  decided?: readonly Decided[];
  /** Names of the user's other projects. */
  projects?: readonly string[];
}

/** What an audit found, in the order of the files and their lines. */
export interface Audit {
  files: CutFile[];
  findings: Finding[];
}

/** Runs the checks. */
export async function auditFiles(options: AuditOptions): Promise<Audit> {
  const { workspace, home } = options;
  const paths = listFiles(workspace);
  const files = findAgentFiles({ workspace, home, files: paths })
    .map((file) => ({ ...file, rules: cutRules(file.text) }));
  const scope: AuditScope = { workspace, files, paths };
  const found = [
    ...findSecretsInRules(scope),
    ...findContradictions(scope, options.decided),
    ...await findMissingPaths(scope),
    ...findMissingScripts(scope),
    ...findCutLines(scope),
    ...findOtherProjects(scope, options.projects ?? []),
    ...findDuplicates(scope),
  ];
  const order = new Map(files.map(({ name }, at) => [name, at]));
  // The bytes of what is not UTF-8 could not be written back.
  const odd = new Set(files.filter(({ text }) => text.includes("\ufffd")).map(({ name }) => name));
  const findings = found.map(({ edit, ...one }) => ({
    ...one,
    ...(edit && !odd.has(one.file) ? { edit } : {}),
    text: shown(one.text),
    evidence: shown(one.evidence),
  })).sort((a, b) =>
    (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line ||
    findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind)
  );
  return { files, findings };
}

/** On one line, without secrets: one may stand in a line that is wrong for another reason. */
function shown(text: string): string {
  return toLine(redactText(text).value, 300);
}
