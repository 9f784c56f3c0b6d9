// The commits that a session made itself: git answers `[branch 1a2b3c4] subject`. Pure.

import type { Entry } from "../entry.ts";

/** A commit as git told it. */
export interface MadeCommit {
  /** The beginning of its hash; a rebase gives it another one. */
  oid: string;
  subject: string;
}

/** Whether a call runs `git commit`: only then its output tells of a commit, others may say anything. */
export function isCommitCall({ type, text }: Entry): boolean {
  const start = type === "tool_call" ? text.slice(0, maxCallChars) : "";
  return start.includes("commit") && /\bgit\b[^|;&\n]{0,200}\bcommit\b/.test(start);
}

const maxCallChars = 4000;
/** Of a longer output only the beginning is looked at. */
const maxChars = 64 << 10;

/** The commits that the output of a tool tells of; none for most entries. */
export function madeCommitsOf(entry: Entry): MadeCommit[] {
  if (entry.type !== "tool_output" || !entry.text.includes("] ")) return [];
  const found: MadeCommit[] = [];
  for (const line of entry.text.slice(0, maxChars).split("\n")) {
    if (line[0] !== "[") continue;
    const match = /^\[[^\]\s]{1,250}(?: \([^)]{1,40}\)| HEAD)? ([0-9a-f]{7,64})\] (.+)$/
      .exec(line.slice(0, 1000));
    if (match !== null) found.push({ oid: match[1], subject: match[2] });
  }
  return found;
}

/** The subject that a commit takes back, by the words that `git revert` gives it. */
export function revertOf(subject: string): string | undefined {
  return /^Revert "(.+)"\.?$/.exec(subject)?.[1];
}
