// Rules as a block of Markdown for the files that agents read: printed, never written. Pure.

import { toLine } from "../../core/text.ts";
import type { Rule } from "./find_rules.ts";

/** The files that rules can be printed for: AGENTS.md, CLAUDE.md, a rule of Cursor. */
export type RuleFile = "agents" | "claude" | "cursor";

/**
 * Whether a rule is for such a file: it holds, and it is the user's. What only an agent saved would be
 * read as the user's word there.
 */
export function isExported({ superseded_by, saved_by }: Rule): boolean {
  return superseded_by === undefined && saved_by === undefined;
}

/** The rules that hold, one an item, each with what it rests on where readers of the file do not see it. */
export function toRulesBlock(rules: readonly Rule[], file: RuleFile): string {
  const items = rules.filter(isExported)
    .map(({ text, sessions, ts, evidence }) => {
      const said = sessions > 1 ? `${sessions} sessions, last ` : "";
      return `- ${toItem(text)} <!-- ${said}${ts.slice(0, 10)}: ${evidence[0]} -->`;
    });
  const head = file === "cursor"
    ? "---\ndescription: What the user asked for in earlier sessions\nalwaysApply: true\n---\n\n"
    : "";
  return `${head}## Rules\n\n${items.join("\n")}\n`;
}

/** A demand as an item: on one line, without what could end the comment behind it or begin another. */
function toItem(text: string): string {
  const line = toLine(text, 300).replace(/<!--|-->/g, " ")
    .replace(/^(?:(?:no|yes|yeah|ok(?:ay)?|also|and|but|so|please|again|note that)\b[\s,:]*)+/i, "")
    .trim();
  return line.replace(/^\p{Ll}(?=\p{Ll}*[\s,])/u, (letter) => letter.toUpperCase());
}
