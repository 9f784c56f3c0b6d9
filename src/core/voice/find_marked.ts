// Finds the text that an agent's program marks as typed, when it puts text of its own around it: files,
// rules, facts about the machine. Pure.

import type { Range } from "./span.ts";

/** The tags of these marks: Cursor's and Grok's, Antigravity's. */
export const typedMarks = ["user_query", "USER_REQUEST"] as const;

/**
 * What stands in the mark; undefined where there is none. A file or something pasted may contain such a mark
 * too: nothing tells then which is the program's.
 */
export function findMarked(
  text: string,
  name: typeof typedMarks[number],
): Range | "unsure" | undefined {
  const [start, end] = [`<${name}>`, `</${name}>`];
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  if (from < 0 || to < from) return undefined;
  return from === text.lastIndexOf(start) && to === text.indexOf(end)
    ? { from: from + start.length, to }
    : "unsure";
}
