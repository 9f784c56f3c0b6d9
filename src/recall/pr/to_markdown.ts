// The text of a pull request: what was decided, what did not do, what has moved since. One line each, with
// the id to look it up by; escaped, and short enough for every forge. Pure.

import { countOf } from "../../command/view.ts";
import { escapeMarkdown } from "./escape_markdown.ts";
import type { CommitSessions } from "./commit_sessions.ts";
import { type Memory, type MemoryKind, toShortId } from "./session_memories.ts";

/** GitHub takes 65,536 characters; its author may have something to add. */
export const maxMarkdownChars = 60_000;
const headings: Record<MemoryKind, string> = {
  decision: "Decisions",
  dead_end: "Dead ends",
  drifted: "Decided, but the code has changed since",
};
const kinds: readonly MemoryKind[] = ["decision", "dead_end", "drifted"];
/** What is told beside the memories. */
export interface MarkdownFacts extends Omit<CommitSessions, "sessions"> {
  sessions: number;
  /** The most lines of each kind. */
  limit: number;
  /** Commits that were too many to look at. */
  beyond: number;
}

/** The whole text, and how many lines had no place in it. */
export function toMarkdown(
  memories: readonly Memory[],
  facts: MarkdownFacts,
): { text: string; leftOut: number } {
  const end = `${toFootnote(facts, memories.length === 0)}\n`;
  const parts: string[] = [];
  let room = maxMarkdownChars - end.length;
  let leftOut = 0;
  for (const kind of kinds) {
    const own = memories.filter((memory) => memory.kind === kind);
    // The last ones stand for the earlier ones.
    const lines: string[] = [];
    for (const memory of own.slice(-facts.limit).toReversed()) {
      const line = toItem(memory);
      if (line.length > room - reserve) break;
      room -= line.length;
      lines.unshift(line);
    }
    const missing = own.length - lines.length;
    leftOut += missing;
    if (lines.length === 0) continue;
    const more = missing === 0 ? "" : `- … and ${missing} earlier\n`;
    parts.push(`### ${headings[kind]}\n\n${lines.join("")}${more}`);
  }
  return { text: [...parts, end].join("\n"), leftOut };
}

/** For headings and what is said of lines that are missing. */
const reserve = 500;

function toItem({ text, because, id }: Memory): string {
  const why = because === undefined ? "" : ` (${escapeMarkdown(because)})`;
  return `- ${escapeMarkdown(text)}${why} \`${toShortId(id).replaceAll("`", "")}\`\n`;
}

/** Where all of it is from, and of how much nothing is known. */
function toFootnote(facts: MarkdownFacts, isEmpty: boolean): string {
  const { commits, unattributed, merges, unread, sessions, beyond } = facts;
  const notes = [
    ...merges > 0 ? [`${countOf(merges, "merge")} not counted`] : [],
    ...unread > 0 ? [`${countOf(unread, "commit")} not fully available`] : [],
    ...beyond > 0 ? [`${countOf(beyond, "older commit")} not checked`] : [],
  ];
  if (sessions === 0) {
    const none = `None of ${countOf(commits, "commit")} came from a recorded session`;
    return `_${[none, ...notes].join("; ")}._`;
  }
  const known = unattributed === 0
    ? `covers all ${countOf(commits, "commit")}`
    : `${unattributed} of ${countOf(commits, "commit")} did not come from a recorded session`;
  const from = `From ${countOf(sessions, "recorded session")}`;
  const told = isEmpty
    ? "; no decisions or dead ends were recorded._"
    : "._ `ctx get ID` has more.";
  return `_${[from, known, ...notes].join("; ")}${told}`;
}
