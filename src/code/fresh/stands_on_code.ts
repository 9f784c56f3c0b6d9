// Whether an entry may stand on code, told from the entry alone: an edit, what an agent answered, what
// was derived or saved in a session; or what was saved and names files itself. Small, because every
// search asks; the reader looks closer. Pure.

import { docType, type Entry } from "../../core/entry.ts";

/** Whether it is worth a look. */
export function mayStandOnCode({ role, type, tool, patch, session_id }: Entry): boolean {
  if (type === "tool_call") return tool?.effect !== "read" && tool?.effect !== "search";
  if (patch !== undefined || session_id === undefined) return patch !== undefined;
  return role === "note" || type === "decision" || role === "assistant" && type !== "thinking";
}

/** Whether what was saved may speak of code by itself: by files, paths in backticks, fenced lines. */
export function mayNameCode({ role, type, files, record, text }: Entry): boolean {
  if (role !== "note" || type === docType || record !== undefined) return false;
  return files !== undefined && files.length > 0 || named.test(text);
}

/** Whether it may quote lines of code. */
export function quotesCode({ text }: Entry): boolean {
  return /```|~~~/.test(text);
}

const named = /```|~~~|`[^`\s/]{0,99}\/[^`\s]{1,199}\.\w/;
