// Whether an entry may stand on code, told from the entry alone: an edit, what an agent answered, what
// was derived or saved in a session. Small, because every search asks; the reader looks closer. Pure.

import type { Entry } from "../core/entry.ts";

/** Whether it is worth a look. */
export function mayStandOnCode({ role, type, tool, patch, session_id }: Entry): boolean {
  if (type === "tool_call") return tool?.effect !== "read" && tool?.effect !== "search";
  if (patch !== undefined || session_id === undefined) return patch !== undefined;
  return role === "note" || type === "decision" || role === "assistant" && type !== "thinking";
}
