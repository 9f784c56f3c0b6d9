// The text of a pull request: what was asked, decided, tried and dropped, and left open. Each line
// names its commits. The text is escaped, and short enough for every forge. Pure.

import { countOf } from "../../command/view.ts";
import { escapeMarkdown } from "./escape_markdown.ts";
import type { CommitWork } from "./commit_work.ts";
import { type Note, type NoteKind, noteKinds } from "./pr_shapes.ts";

/** GitHub takes 65,536 characters; its author may have something to add. */
export const maxMarkdownChars = 60_000;
export const headings: Record<NoteKind, string> = {
  asked: "Asked",
  decision: "Decided",
  dead_end: "Tried and dropped",
  open: "Left open",
};
/** What the text says besides the notes. */
export interface MarkdownFacts extends Omit<CommitWork, "parts" | "subjects"> {
  sessions: number;
  /** The most lines of each kind. */
  limit: number;
  /** Commits that were too many to look at. */
  beyond: number;
}

/** The whole text, and how many lines had no place in it. */
export function toMarkdown(
  notes: readonly Note[],
  facts: MarkdownFacts,
): { text: string; leftOut: number } {
  const end = `${toFootnote(facts, notes.length === 0)}\n`;
  const parts: string[] = [];
  let room = maxMarkdownChars - end.length;
  let leftOut = 0;
  for (const kind of noteKinds) {
    const own = notes.filter((note) => note.kind === kind);
    // The last ones stand for the earlier ones.
    const lines: string[] = [];
    for (const note of own.slice(-facts.limit).toReversed()) {
      const line = toItem(note);
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

function toItem({ text, because, commits }: Note): string {
  const why = because === undefined ? "" : ` (${escapeMarkdown(because)})`;
  // Forges link a hash to its commit.
  return `- ${escapeMarkdown(text)}${why} (${namesOf(commits)})
`;
}

/** Commits by the start of their hashes. */
export function namesOf(commits: readonly string[]): string {
  const names = commits.map((oid) => oid.slice(0, shortChars));
  return names.length > maxNames ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
}

const shortChars = 9;
/** If a line has more commits, only the first and the last are named. */
const maxNames = 4;

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
    ? commits === 1 ? "covers the only commit" : `covers all ${commits} commits`
    : `${unattributed} of ${countOf(commits, "commit")} did not come from a recorded session`;
  const from = `From ${countOf(sessions, "recorded session")}`;
  const told = isEmpty
    ? "; nothing about these commits was recorded._"
    : "._ `ctx why COMMIT` shows more.";
  return `_${[from, known, ...notes].join("; ")}${told}`;
}
