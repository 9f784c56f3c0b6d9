// Turns what Cline's panel showed (`ui_messages.json`) into entries, for tasks without the model's
// own conversation.

import {
  type Base,
  makeThinking,
  makeToolCall,
  makeToolOutput,
  makeTurn,
  revised,
} from "../entries.ts";
import { findJson, type Json, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** Sends the rows of a panel into the sink. */
export async function emitPanel(
  session: SourceSession,
  messages: Json[],
  sink: Sink,
): Promise<void> {
  let usage: Json | undefined;
  for (const [i, message] of messages.entries()) {
    sink.tally.messages++;
    if (isReplaced(message, messages[i + 1])) {
      sink.tally.skip("partial_message");
      continue;
    }
    const kind = toText(message.say) ?? toText(message.ask) ?? "";
    const ts = toTime(message.ts) ?? session.started ?? "";
    const base = { message: `${i}`, ts, cwd: session.cwd };
    if (kind === "api_req_started") {
      usage = usageOf(message, `${session.id}:${i}`);
      sink.tally.skip("bookkeeping");
      continue;
    }
    const row = toRow(kind, toText(message.text) ?? "", i === 0, base);
    if (row === undefined) {
      sink.tally.skip(kind === "" ? "empty_message" : `type:${kind.slice(0, 40)}`);
      continue;
    }
    if (row.role === "assistant" && usage) {
      row.usage = usage;
      usage = undefined;
    }
    await sink.entry(revised(row));
  }
}

function toRow(
  kind: string,
  text: string,
  isFirst: boolean,
  base: Base,
): SourceEntry | undefined {
  if (text === "") return undefined;
  switch (kind) {
    case "task":
    case "user_feedback":
      return makeTurn("user", text, base);
    case "text":
      return makeTurn(isFirst ? "user" : "assistant", text, base);
    case "completion_result":
    case "followup":
    case "plan_mode_respond":
      return makeTurn("assistant", text, base);
    case "reasoning":
      return makeThinking(text, base);
    case "tool":
    case "use_mcp_server": {
      const input = toObject(findJson(text));
      return makeToolCall({ name: toText(input?.tool) ?? kind, input: input ?? text }, base);
    }
    case "command":
      return makeToolCall({ name: "command", input: { command: text } }, base);
    case "command_output":
      return makeToolOutput({ name: "command", output: text }, base);
    case "error":
      return makeToolOutput({ name: "error", output: text, error: true }, base);
    default:
      return undefined;
  }
}

/** A partial row that the next one continues. */
function isReplaced(message: Json, next: Json | undefined): boolean {
  return message.partial === true && next?.say === message.say && next?.ask === message.ask;
}

function usageOf(message: Json, id: string): Json | undefined {
  const request = toObject(findJson(toText(message.text) ?? ""));
  if (request === undefined) return undefined;
  return {
    id,
    input_tokens: toNumber(request.tokensIn),
    output_tokens: toNumber(request.tokensOut),
    cache_read_tokens: toNumber(request.cacheReads),
    cache_write_tokens: toNumber(request.cacheWrites),
  };
}
