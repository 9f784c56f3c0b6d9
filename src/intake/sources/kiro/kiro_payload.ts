// Turns the records of Kiro since 1.0, of the IDE and of the command line, into entries: each has one
// payload, a prompt, an answer, a call, a result or what the harness notes beside. Pure but for counts.

import * as make from "../entries.ts";
import { type Json, toList, toText } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { SourceEntry } from "../source.ts";
import type { ToolNames } from "../tool_names.ts";

/** The rows of a payload. */
export function payloadRows(
  payload: Json,
  base: make.Base,
  { tools, tally }: { tools: ToolNames; tally: Tally },
): SourceEntry[] {
  const kind = String(payload.type);
  if (!kinds.has(kind)) {
    tally.skip(`type:${kind.slice(0, 40)}`);
    return [];
  }
  tally.messages++;
  const rows = rowsOf(kind, payload, { base, tools });
  if (rows.length === 0) tally.skip("empty_message");
  const attached = toList(payload.images).length + toList(payload.documents).length;
  if (attached > 0) tally.skip("attachment", attached);
  return rows;
}

const kinds = new Set(["user", "assistant", "tool_call", "tool_result", "tombstone"]);

function rowsOf(
  kind: string,
  payload: Json,
  { base, tools }: { base: make.Base; tools: ToolNames },
): SourceEntry[] {
  const text = toText(payload.content);
  const call_id = toText(payload.toolCallId);
  switch (kind) {
    case "user":
      return text?.trim() ? [make.turn("user", text, { ...base, model: undefined })] : [];
    case "assistant":
      if (payload.operationType !== "Reasoning") {
        return text?.trim() ? [make.turn("assistant", text, base)] : [];
      }
      // What the model thought is sealed; three dots stand for it.
      return text && /[^.…\s]/.test(text) ? [make.thinking(text, base)] : [];
    case "tool_call": {
      const name = toText(payload.toolName) ?? toText(payload.title) ?? "tool";
      // A call is told again when its state changes.
      const at = { ...base, message: call_id ? `${call_id}:call` : base.message };
      return [tools.call({ name, input: payload.args, call_id }, at)];
    }
    case "tool_result":
      return [
        tools.output({ output: text ?? "", error: payload.success === false, call_id }, {
          ...base,
          model: undefined,
        }),
      ];
    default:
      return [make.notice("compaction", "Conversation summarized", { ...base, model: undefined })];
  }
}
