// What an audit says of a rule file, and what it looks at.

import type { AgentFile } from "../intake/agent_files/find_agent_files.ts";
import type { Rule } from "../intake/agent_files/cut_rules.ts";

/** What can be wrong. */
export const findingKinds = [
  "secret",
  "contradiction",
  "path",
  "script",
  "cut",
  "project",
  "duplicate",
] as const;
/** One of `findingKinds`. */
export type FindingKind = typeof findingKinds[number];

/** A part of a file that is wrong. */
export interface Finding {
  kind: FindingKind;
  /** The file's name, as `AgentFile` has it. */
  file: string;
  /** Its lines, from 1. */
  line: number;
  end: number;
  /** What it says, on one line. */
  text: string;
  /** How that is known. */
  evidence: string;
  /** What to do about it. */
  proposal: string;
  /** Not proven: shown only with `--all`, and never fixed. */
  isUnsure?: boolean;
  /** What `--fix` does: other words for the lines, none to take them out. */
  edit?: { lines: string[] };
}

export interface CutFile extends AgentFile {
  rules: Rule[];
}

/** Everything that the checks look at. */
export interface AuditScope {
  workspace: string;
  files: readonly CutFile[];
  /** The project's files, relative. */
  paths: readonly string[];
}

export function findingOf(
  { name }: Pick<AgentFile, "name">,
  { line, end, text }: Pick<Rule, "line" | "end" | "text">,
  what: Pick<Finding, "kind" | "evidence" | "proposal" | "edit" | "isUnsure">,
): Finding {
  return { file: name, line, end, text, ...what };
}

/** Rules in words: not code, rows of tables, labels in bold, or links alone. */
export function isSpoken({ kind, text }: Rule): boolean {
  return (kind === "item" || kind === "paragraph") &&
    !/^\*\*[^*]+\*\*:?$|^\[[^\]]*\]\([^)]*\)\.?$|^<?https?:\S+>?$/.test(text.trim());
}

/**
 * Whether both are of one agent and in every session of it. What AGENTS.md and the rules of another
 * agent have in common is there on purpose, though some agents read both.
 */
export function areReadTogether(one: AgentFile, other: AgentFile): boolean {
  if (one.path === other.path) return true;
  return one.loads === "start" && other.loads === "start" && one.clients[0] === other.clients[0];
}

/** Whether a rule says itself that a path or name is gone, not to come back, or made later. */
export function saysGone(text: string, name: string): boolean {
  if (/\b(?:retired|former) (?:paths?|files?|folders?|names?)\b/i.test(text)) return true;
  return text.split(/(?<=[.;!?])\s+/).some((sentence) => {
    const at = sentence.indexOf(name);
    if (at < 0) return false;
    return gone.test(sentence) || /\bno [`*"']*$/i.test(sentence.slice(0, at)) ||
      /\bafter (?:the |its |your )?first\b/i.test(sentence.slice(at));
  });
}

const gone =
  /\bno longer\b|\b(?:re-?introduc|resurrect)\w*|\bbring(?:ing)? back\b|\b(?:formerly|previously) (?:named|called|known)\b|\bold names?\b/i;
