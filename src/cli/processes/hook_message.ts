// Reads the message that an agent hands its hook, whichever agent it is. Pure and small: it is on the
// way of every prompt.

import { CtxError } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";

/** The parts of a hook message that matter, whichever agent sent it. */
export interface HookMessage {
  /** The agent's name of what happened: `Stop`, `SessionStart`, `BeforeAgent`. */
  event?: string;
  conversation?: string;
  transcript?: string;
  cwd?: string;
  prompt?: string;
  answer?: string;
}

/** Reads the messages of Claude Code, Codex (hook and notify), Cursor, Gemini and our plugin. */
export function parseHookMessage(json: string): HookMessage {
  const value: unknown = json.trim() === "" ? {} : findJson(json);
  if (value === undefined) {
    throw new CtxError("USAGE", "Cannot read the agent's message: it is no JSON");
  }
  const find = (...names: string[]): string | undefined => {
    for (const name of names) {
      const found = isObject(value) ? value[name] : undefined;
      const first: unknown = Array.isArray(found) ? found.at(-1) : found;
      if (typeof first === "string" && first !== "") return first;
    }
    return undefined;
  };
  return {
    event: find("hook_event_name", "type"),
    conversation: find("session_id", "conversation_id", "thread-id", "thread_id"),
    transcript: find("transcript_path"),
    cwd: find("cwd", "workspace_roots"),
    prompt: find("prompt", "input-messages", "input_messages"),
    answer: find("last_assistant_message", "last-assistant-message", "prompt_response", "text"),
  };
}
