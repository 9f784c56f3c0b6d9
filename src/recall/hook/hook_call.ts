// What an agent's hook message says and asks for, whichever agent sent it: Claude Code, Codex (hook and
// notify), Cursor, Gemini, Qwen Code, our OpenCode plugin. Their names for one moment differ; what names no event,
// or one that is not listed, is a turn to capture. Pure and small: it is on the way of every prompt.

import { CtxError } from "../../core/errors.ts";
import { hashHex } from "../../core/hash.ts";
import { findJson, isObject } from "../../core/json.ts";
import { toOwnPath } from "../../core/platform_path.ts";

/** The moments at which agents call. */
export type HookMoment =
  | "start"
  | "subagent"
  | "prompt"
  | "edit"
  | "tool"
  | "compact"
  | "end"
  | "turn";

/** Who calls before an edit: any agent, in the words `ctx hook pre-edit`. */
export const editCaller = "pre-edit";
/** The caller that does what a hook left for later: ctx itself. */
export const followCaller = "follow";

/** What a hook, or an import, leaves for later. */
export interface LeftWork {
  workspace: string;
  agent: string;
  conversation?: string;
  moment: "start" | "turn" | "end" | "import";
  /** Whether an import wants records. */
  distils?: boolean;
}

/** A hook message, read. */
export interface HookCall {
  agent: string;
  moment: HookMoment;
  /** The agent's own name of the event; empty when it gives none. */
  event: string;
  conversation?: string;
  transcript?: string;
  cwd?: string;
  /** Why a session starts: startup, resume, clear or compact. */
  reason?: string;
  prompt?: string;
  answer?: string;
  /** The sub-agent that calls, by its id and kind; its conversation is that of who started it. */
  subagent?: string;
  subagentType?: string;
  /** The message of an edit as it came: what it says of the edit differs from tool to tool. */
  message?: unknown;
}

const moments = new Map<string, HookMoment>(Object.entries({
  sessionstart: "start",
  subagentstart: "subagent",
  userpromptsubmit: "prompt",
  beforeagent: "prompt",
  beforesubmitprompt: "prompt",
  beforetool: "tool",
  precompact: "compact",
  precompress: "compact",
  sessionend: "end",
}));

/** The file below a store's `held` that is there from before a compaction until its loss is told. */
export function compactionMark(held: string, conversation: string): string {
  return `${held}/${hashHex(conversation)}.compacted`;
}

/** Reads a message; an empty one is a turn that says nothing. */
export function parseHookCall(agent: string, json: string): HookCall {
  const value: unknown = json.trim() === "" ? {} : findJson(json);
  if (value === undefined) {
    throw new CtxError("USAGE", "Cannot read the agent's message: it is not JSON");
  }
  const find = (...names: string[]): string | undefined => {
    for (const name of names) {
      const found = isObject(value) ? value[name] : undefined;
      const last: unknown = Array.isArray(found) ? found.at(-1) : found;
      if (typeof last === "string" && last !== "") return last;
    }
    return undefined;
  };
  const findPath = (...names: string[]): string | undefined => {
    const path = find(...names);
    return path && toOwnPath(path);
  };
  const event = find("hook_event_name", "type") ?? "";
  return {
    agent,
    moment: agent === editCaller ? "edit" : moments.get(event.toLowerCase()) ?? "turn",
    event,
    conversation: find("session_id", "conversation_id", "thread-id", "thread_id"),
    transcript: findPath("agent_transcript_path", "transcript_path"),
    cwd: findPath("cwd", "workspace_roots"),
    reason: find("source", "trigger"),
    // Qwen Code sends this event before every request: `prompt` may be the harness's words.
    prompt: agent === "qwen"
      ? find("submitted_prompt")
      : find("prompt", "input-messages", "input_messages"),
    subagent: find("agent_id"),
    subagentType: find("agent_type"),
    answer: find("last_assistant_message", "last-assistant-message", "prompt_response", "text"),
    ...(agent === editCaller || event === "BeforeTool" ? { message: value } : {}),
  };
}
