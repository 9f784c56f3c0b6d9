// Gemini CLI has no hook that tells of a compaction: `PreCompress` runs before every request, compacted or
// not. Its transcript tells: all messages are written again, and for those that were left out there is one
// that begins with `<state_snapshot>`. Looked for at a prompt.

import { findJson, isObject } from "../../core/json.ts";
import { findSmallText } from "../../disk/outside_files.ts";
import { readCaptures } from "../../store/logs/capture_log.ts";
import type { Store } from "../../store/store.ts";
import { markCompaction } from "./compact_block.ts";
import type { HookCall } from "./hook_call.ts";

const maxTranscriptBytes = 64 << 20;
/** As it stands in the transcript: in the words of a file or a result the quotes are escaped. */
const sign = '"text":"<state_snapshot>';

/** Marks a conversation that was compacted since the prompt before this one. */
export function markGeminiCompaction(store: Store, call: HookCall): void {
  const { transcript, conversation } = call;
  if (transcript === undefined || conversation === undefined) return;
  const text = findSmallText(transcript, maxTranscriptBytes);
  if (text?.includes(sign) !== true) return;
  const last = findSnapshot(text);
  // The hook has noted this prompt already.
  const [before] = readCaptures(store).filter((event) =>
    event.conversation === conversation && event.event === "live" && event.hook === call.event
  ).slice(-2, -1);
  if (last === undefined || before === undefined || last.ts <= before.ts) return;
  markCompaction(store, call, Date.parse(last.ts), last.kept);
}

/** When the last snapshot was written, and the messages that were written again behind it. */
function findSnapshot(text: string): { ts: string; kept: string[] } | undefined {
  const writings = text.split("\n").filter((line) => line.includes(sign)).map(messagesOf);
  const id = writings.at(-1)?.findLast(isSnapshot)?.id;
  // Whoever resumes the chat has Gemini write it again, with what came later: the first time counts.
  const first = writings.find((messages) => messages.some((message) => message.id === id)) ?? [];
  const at = first.findIndex((message) => message.id === id);
  const ts = first[at]?.timestamp;
  if (typeof ts !== "string" || !(Date.parse(ts) > 0)) return undefined;
  const kept = first.slice(at + 1).map((message) => message.id);
  return { ts, kept: kept.filter((id) => typeof id === "string") };
}

type Message = Record<string, unknown>;

function messagesOf(line: string): Message[] {
  const record = findJson(line);
  const messages = isObject(record) && isObject(record.$set) ? record.$set.messages : undefined;
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function isSnapshot({ type, content }: Message): boolean {
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  return type === "user" && isObject(first) && String(first.text).startsWith("<state_snapshot>");
}
