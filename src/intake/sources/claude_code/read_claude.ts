// Reads one session of Claude Code: its transcript, or the prompts that its history still has of it.

import { findJson, toObject } from "../loose_json.ts";
import { readConversation } from "../read_jsonl.ts";
import type { ReadOptions, ResumePoint, Sink, SourceSession } from "../source.ts";
import { ClaudeConversation } from "./claude_conversation.ts";
import { readTyped } from "./claude_history.ts";

/** Streams a session into the sink. */
export function readClaude(
  session: SourceSession,
  sink: Sink,
  options: ReadOptions,
): Promise<ResumePoint> {
  if (session.isRemnant) return readTyped(session, sink);
  return readConversation(session.path, sink, {
    ...options,
    parse: parseWithoutResult,
    open: (state) => new ClaudeConversation(session, sink, state),
  });
}

const resultField = ',"toolUseResult":';

/**
 * Two fifths of all bytes are `toolUseResult`, which repeats the tool result and whole files: the part
 * before it is the record, with the place where it happened, which newer versions write after it.
 * Undefined when the line is not of that shape, or tells what an edit changed, which is kept.
 */
export function parseWithoutResult(text: string): unknown {
  const at = text.lastIndexOf(resultField);
  if (at < 0 || !text.endsWith("}") || text.indexOf('{"parentUuid"', at) >= 0) return undefined;
  if (text.indexOf('"structuredPatch":[{', at) >= 0) return undefined;
  const value = toObject(findJson(`${text.slice(0, at)}}`));
  if (value === undefined || value.uuid === undefined || value.message === undefined) {
    return undefined;
  }
  if (value.cwd === undefined) {
    const place = text.lastIndexOf(',"cwd":"');
    const rest = place > at ? toObject(findJson(`{${text.slice(place + 1)}`)) : undefined;
    if (rest === undefined) return undefined;
    value.cwd = rest.cwd;
    value.gitBranch ??= rest.gitBranch;
  }
  const agent = text.indexOf('"agentId":"', at);
  if (agent >= 0) {
    const id = /^[\w-]{1,64}/.exec(text.slice(agent + 11, agent + 75))?.[0];
    if (id !== undefined) value.toolUseResult = { agentId: id };
  }
  return value;
}
