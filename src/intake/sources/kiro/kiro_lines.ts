// Turns the lines of a Kiro session into entries. Since 1.0 each line has one payload: a prompt, an
// answer, a call, a result or what the harness notes beside. Before, it was a message of blocks, and only
// prompts were dated; what follows one has its time.

import * as make from "../entries.ts";
import { dig, type Json, toList, toObject, toObjects, toText } from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";
import { otherType, type Reading, type RecordFormat, type Rows } from "../reading.ts";
import { toolText } from "./kiro_document.ts";

export const kiroLines: RecordFormat = {
  timeOf: (line) => line.payload ? line.timestamp : dig(line, "data", "meta", "timestamp"),
  idOf: (line) => line.payload ? line.id : dig(line, "data", "message_id"),
  rows(line, facts, reading) {
    const base = { ...facts, model: reading.session.key };
    const payload = toObject(line.payload);
    if (payload !== undefined) return payloadRows(payload, base, reading);
    if (!kinds.has(String(line.kind))) return otherType(line.kind);
    return toObjects(dig(line, "data", "content")).flatMap((block, i) =>
      blockRows(block, line.kind === "Prompt", { base: make.under(base, i), reading })
    );
  },
};

const kinds = new Set(["Prompt", "AssistantMessage", "ToolResults"]);

const payloads = new Set(["user", "assistant", "tool_call", "tool_result", "tombstone"]);

function payloadRows(payload: Json, base: make.Base, { tools, sink }: Reading): Rows {
  if (!payloads.has(String(payload.type))) return otherType(payload.type);
  const attached = toList(payload.images).length + toList(payload.documents).length;
  if (attached > 0) sink.tally.skip("attachment", attached);
  const text = toText(payload.content);
  const call_id = toText(payload.toolCallId);
  const ofUser = { ...base, model: undefined };
  switch (payload.type) {
    case "user":
      return text?.trim() ? [make.turn("user", text, ofUser)] : [];
    case "assistant":
      if (payload.operationType !== "Reasoning") {
        return text?.trim() ? [make.turn("assistant", text, base)] : [];
      }
      // What the model thought is sealed; three dots stand for it.
      return text && /[^.…\s]/.test(text) ? [make.thinking(text, base)] : [];
    case "tool_call": {
      const name = toText(payload.toolName) ?? payload.title;
      // A call is told again when its state changes.
      const at = { ...base, message: call_id ? `${call_id}:call` : base.message };
      return [tools.call({ name, input: payload.args, call_id }, at)];
    }
    case "tool_result": {
      const error = payload.success === false;
      return [tools.output({ output: text ?? "", error, call_id }, ofUser)];
    }
    default:
      return [make.notice("compaction", "Conversation summarized", ofUser)];
  }
}

function blockRows(
  { kind, data: given }: Json,
  isPrompt: boolean,
  { base, reading: { blocks, tools } }: { base: make.Base; reading: Reading },
): SourceEntry[] {
  const data = toObject(given) ?? {};
  if (kind !== "toolResult") {
    const block = { ...data, type: kind, text: toText(given) ?? toText(data.text) };
    return blocks.row(block, isPrompt ? "user" : "assistant", base);
  }
  const { output, exit } = toolText(toObjects(data.content).map(({ data }) => data));
  const error = (exit ?? 0) !== 0 || data.status === "error";
  return [tools.output({ output, error, exit, call_id: data.toolUseId }, base)];
}
