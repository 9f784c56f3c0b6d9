// The form in which each agent takes context from a hook. Claude Code, Codex, Gemini and Qwen Code read the
// same fields (Codex refuses any other); our OpenCode plugin takes the text as it is; Cursor has its own
// field, and takes context only when a session starts. Before an edit nobody says which agent calls:
// those that name the event of a tool read these fields too, others plain text. Pure.

import { editCaller, type HookCall } from "./hook_call.ts";

/** What to print so that the agent's model reads a text; undefined where it could not reach it. */
export function toHookAnswer({ agent, moment, event }: HookCall, text: string): string | undefined {
  if (agent === "cursor") {
    return moment === "start" ? JSON.stringify({ additional_context: text }) + "\n" : undefined;
  }
  if (agent === "opencode" || (agent === editCaller && !toolEvents.has(event))) return text;
  // These write < and > as entities: without this, what we had escaped would look like our fence.
  const additionalContext = agent === "gemini" || agent === "qwen"
    ? text.replaceAll("&", "&amp;")
    : text;
  const hookSpecificOutput = { hookEventName: event, additionalContext };
  return JSON.stringify({ hookSpecificOutput }) + "\n";
}

const toolEvents: ReadonlySet<string> = new Set(["PreToolUse", "AfterTool", "PostToolUse"]);
