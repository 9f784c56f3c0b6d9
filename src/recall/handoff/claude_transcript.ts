// A session as a Claude Code transcript: one JSON line per message, each naming the one before. Pure.

import { makeRestoredUuid } from "../../core/restored_uuid.ts";
import { briefUuid, MessageUuids, sessionUuid } from "./handed_ids.ts";
import type { HandedSession, HandoffPlace, Transcript } from "./transcript.ts";
import type { Turn, TurnFacts } from "./turn.ts";
import { resumeCommands } from "./resume_commands.ts";

/** The version of the agent whose format this is. */
const formatVersion = "2.1.114";

/** Writes a transcript where Claude Code looks for it: the directory's name is its path with dashes. */
export function toClaudeTranscript(session: HandedSession, place: HandoffPlace): Transcript {
  const id = sessionUuid(session, "claude-code");
  const uuids = new MessageUuids(session.from === "claude-code");
  const lines: string[] = [];
  let parentUuid: string | null = null;
  const put = (facts: TurnFacts, message: object, uuid = uuids.of(facts)): void => {
    lines.push(
      JSON.stringify({
        parentUuid,
        isSidechain: false,
        userType: "external",
        cwd: facts.cwd ?? session.cwd,
        sessionId: id,
        version: formatVersion,
        gitBranch: facts.branch ?? session.branch ?? "",
        ...message,
        uuid,
        timestamp: facts.ts,
      }) + "\n",
    );
    parentUuid = uuid;
  };
  const { brief, turns } = session;
  if (brief !== undefined) {
    const ts = turns[0]?.ts ?? new Date(0).toISOString();
    put({ id: session.id, ts }, said(brief), briefUuid(session));
  }
  for (const turn of turns) {
    put(turn, turn.kind === "prompt" ? said(turn.text) : answered(turn, blockOf(turn)));
    if (turn.kind === "call") put({ ...turn, ...turn.result }, returned(turn));
  }
  const root = place.env("CLAUDE_CONFIG_DIR") || `${place.home}/.claude`;
  const slug = session.cwd.replace(/[^A-Za-z0-9-]/g, "-");
  return {
    id,
    files: [{ path: `${root}/projects/${slug}/${id}.jsonl`, text: lines.join("") }],
    messages: lines.length,
    resume: [`${resumeCommands["claude-code"]} ${id}`],
  };
}

function said(text: string): object {
  return { type: "user", message: { role: "user", content: text } };
}

function blockOf(turn: Turn): object {
  if (turn.kind !== "call") return { type: "text", text: turn.text };
  return { type: "tool_use", id: turn.call_id, name: turn.call.name, input: turn.call.input };
}

function answered(turn: Turn, block: object): object {
  return {
    type: "assistant",
    message: {
      id: `msg_${makeRestoredUuid(turn.id).replaceAll("-", "").slice(0, 24)}`,
      type: "message",
      role: "assistant",
      model: turn.model ?? "<synthetic>",
      content: [block],
      stop_reason: turn.kind === "call" ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}

function returned({ call_id, result }: Turn & { kind: "call" }): object {
  const block = {
    type: "tool_result",
    tool_use_id: call_id,
    content: result.text,
    ...(result.error ? { is_error: true } : {}),
  };
  return { type: "user", message: { role: "user", content: [block] } };
}
