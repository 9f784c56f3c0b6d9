// Reads one session of Claude Code: its transcript, or the prompts that its history still has of it.

import { readConversation } from "../read_jsonl.ts";
import type { ReadOptions, ResumePoint, Sink, SourceSession } from "../source.ts";
import { ClaudeConversation } from "./claude_conversation.ts";
import { readTyped } from "./claude_history.ts";

/** Streams a session into the sink. */
export function readClaude(
  session: SourceSession,
  sink: Sink,
  options: ReadOptions,
): Promise<ResumePoint | void> {
  if (session.isRemnant) return readTyped(session, sink);
  return readConversation(session.path, sink, {
    ...options,
    open: (state) => new ClaudeConversation(session, sink, state),
  });
}
