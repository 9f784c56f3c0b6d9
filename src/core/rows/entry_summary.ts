// An entry in one line, as lists show it.

import type { Entry } from "../entry.ts";
import { firstLine } from "../text.ts";

/** How long the line is at most where the entry has no summary of its own. */
export const summaryChars = 160;

/** Its summary, or the first line of its text that says something. */
export function summaryOf({ summary, text }: Pick<Entry, "summary" | "text">): string {
  return summary ?? firstLine(text, summaryChars);
}

export function isCut(line: string): boolean {
  return line.startsWith("…") || line.endsWith("…");
}
