// What a tool call contains beside what its text tells: the new text of an edit, the body of a file,
// a pattern, a plan. Searched as a field of its own. Pure.

import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";

export const maxContentChars = 8000;
/** Edits are kept longer than they are searched. */
const maxPartChars = 2000;
const maxDepth = 6;
const minChars = 3;
/** What was there before, where something is, and numbers of processes say nothing new. */
const leftOut = /^old|path$|^(?:path|file|uri|url|cwd|workdir|status)$|(?:^|_)id$|Id$/i;

/** The text in a call's arguments; empty for other rows. */
export function contentOf(entry: Entry): string {
  if (entry.type !== "tool_call" || entry.tool?.input === undefined) return "";
  const parts: string[] = [];
  let room = maxContentChars;
  const take = (value: unknown, depth: number): void => {
    if (room <= 0 || depth > maxDepth) return;
    if (typeof value === "string") {
      // The argument that says most is the entry's text already.
      if (value.length < minChars || entry.text.includes(value.slice(0, 200))) return;
      const part = value.slice(0, Math.min(room, maxPartChars));
      parts.push(part);
      room -= part.length + 1;
    } else if (Array.isArray(value)) {
      for (const item of value) take(item, depth + 1);
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        if (!leftOut.test(name)) take(item, depth + 1);
      }
    }
  };
  take(entry.tool.input, 0);
  return parts.join("\n");
}
