// A session as a Claude Code transcript that the agent can resume: one JSON line per message, each
// naming the one before. Tool calls and results become text: an agent refuses a transcript whose
// calls and results do not pair, and what was kept of them may be cut. Thinking is left out: it
// carried a signature. Pure; the same session always gives the same bytes.

import type { Entry } from "../core/entry.ts";
import { makeRestoredUuid } from "../core/restored_uuid.ts";

/** A transcript and the name it must have. */
export interface Transcript {
  /** Claude Code's own id of the session: the stem of the file's name. */
  sessionId: string;
  /** The directory that the agent worked in. */
  cwd: string;
  text: string;
  messages: number;
}

/** The version of the agent whose format this is. */
const formatVersion = "2.1.114";

/** Writes entries, oldest first, as a transcript. */
export function toClaudeTranscript(
  entries: Entry[],
  options: { sessionId: string; cwd: string },
): Transcript {
  const cwd = entries.find((entry) => entry.project?.startsWith("/"))?.project ?? options.cwd;
  const conversation = entries.find((entry) => entry.source?.agent === "claude-code")?.source
    ?.conversation;
  const sessionId = conversation !== undefined && isUuid(conversation)
    ? conversation
    : makeRestoredUuid(options.sessionId);
  const lines: string[] = [];
  const used = new Set<string>();
  let parentUuid: string | null = null;
  for (const entry of entries) {
    const text = toText(entry);
    if (text === undefined) continue;
    const uuid: string = uuidOf(entry, used);
    const base = {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd: entry.project?.startsWith("/") ? entry.project : cwd,
      sessionId,
      version: formatVersion,
      gitBranch: entry.branch ?? "",
    };
    const message = toMessage(entry, text);
    lines.push(JSON.stringify({ ...base, ...message, uuid, timestamp: entry.ts }) + "\n");
    parentUuid = uuid;
  }
  return { sessionId, cwd, text: lines.join(""), messages: lines.length };
}

/** Where Claude Code looks for a session: the directory's name is its path with dashes. */
export function claudeTranscriptPath(root: string, transcript: Transcript): string {
  const slug = transcript.cwd.replace(/[^A-Za-z0-9-]/g, "-");
  return `${root}/projects/${slug}/${transcript.sessionId}.jsonl`;
}

function toMessage(entry: Entry, text: string): object {
  if (!isAssistant(entry)) return { type: "user", message: { role: "user", content: text } };
  return {
    type: "assistant",
    message: {
      id: `msg_${makeRestoredUuid(entry.id).replaceAll("-", "").slice(0, 24)}`,
      type: "message",
      role: "assistant",
      model: entry.model ?? "<synthetic>",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
  };
}

/** Tool results go into assistant turns: in a user turn they could pass for instructions. */
function isAssistant(entry: Entry): boolean {
  return entry.role === "assistant" || entry.role === "tool";
}

function toText(entry: Entry): string | undefined {
  if (entry.text.trim() === "" || entry.type === "thinking") return undefined;
  if (entry.role === "user" || (entry.role === "assistant" && entry.type !== "tool_call")) {
    return entry.text;
  }
  const label = entry.type === "tool_call"
    ? "tool call"
    : entry.role === "tool"
    ? `output of ${entry.tool?.name ?? "a tool"}`
    : entry.type;
  return `[${label}]\n${entry.text}`;
}

/** The producer's own id where it is one, which importing knows; else one that marks a copy. */
function uuidOf(entry: Entry, used: Set<string>): string {
  const own = entry.source?.message;
  const uuid = own !== undefined && isUuid(own) && !used.has(own)
    ? own
    : makeRestoredUuid(entry.id);
  used.add(uuid);
  return uuid;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
