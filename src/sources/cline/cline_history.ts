// Turns the conversation that Cline sent to the model (`api_conversation_history.json`) into
// entries: Anthropic messages with the environment's details wrapped into the user's text.

import {
  type Base,
  makeNotice,
  makeThinking,
  makeToolCall,
  makeToolOutput,
  makeTurn,
  revised,
} from "../entries.ts";
import { type Json, toBlocks, toObjects, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** Sends the rows of a conversation into the sink. */
export async function emitApiHistory(
  session: SourceSession,
  messages: Json[],
  sink: Sink,
): Promise<void> {
  const calls = new Map<string, string>();
  let ts = session.started ?? "";
  let cwd = session.cwd;
  for (const [i, message] of messages.entries()) {
    ts = toTime(message.ts) ?? ts;
    sink.tally.messages++;
    const blocks = toBlocks(message.content) ?? [];
    let kept = 0;
    for (const [b, block] of blocks.entries()) {
      cwd ??= /Current (?:Working|Workspace) Directory \(([^)]+)\)/.exec(toText(block.text) ?? "")
        ?.[1];
      const row = toRow(message, block, { message: `${i}.${b}`, ts, cwd }, calls);
      if (row === undefined) continue;
      kept++;
      await sink.entry(revised(row));
    }
    if (kept === 0) sink.tally.skip("harness_text");
  }
  if (cwd !== undefined) sink.describe({ cwd });
}

function toRow(
  message: Json,
  block: Json,
  base: Base,
  calls: Map<string, string>,
): SourceEntry | undefined {
  const call_id = toText(block.id) ?? toText(block.tool_use_id);
  switch (block.type) {
    case "text": {
      const text = typedText(toText(block.text) ?? "", message.role === "user");
      if (text === "") return undefined;
      if (message.isSummary === true) return makeNotice("summary", text, base);
      return makeTurn(message.role === "user" ? "user" : "assistant", text, base);
    }
    case "thinking":
    case "reasoning": {
      const text = toText(block.thinking) ?? toText(block.text);
      return text ? makeThinking(text, base) : undefined;
    }
    case "tool_use": {
      const name = toText(block.name) ?? "tool";
      if (call_id) calls.set(call_id, name);
      return makeToolCall({ name, input: block.input, call_id }, base);
    }
    case "tool_result": {
      const output = typeof block.content === "string"
        ? block.content
        : toObjects(block.content).map((part) => toText(part.text) ?? "").join("\n");
      const name = (call_id && calls.get(call_id)) ?? "tool";
      return makeToolOutput({ name, output, call_id, error: block.is_error === true }, base);
    }
    default:
      return undefined;
  }
}

/** What was typed, without the environment and the tags around it. */
function typedText(text: string, isUser: boolean): string {
  if (!isUser) return text.trim();
  return text.replace(/<environment_details>[\s\S]*?(?:<\/environment_details>|$)/g, "")
    .replace(/^\s*<(task|feedback|user_message|answer)>\s*([\s\S]*?)\s*<\/\1>\s*$/, "$2").trim();
}
