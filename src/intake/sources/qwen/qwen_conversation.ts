// Turns the records of a Qwen Code chat into entries: messages in Gemini's parts, and events of the
// harness beside them.

import { DatedConversation } from "../dated_conversation.ts";
import * as make from "../entries.ts";
import { type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { withHead } from "../patches.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { SourceEntry } from "../source.ts";
import { toProjectPath } from "../touched.ts";

/** One chat being read. */
export class QwenConversation extends DatedConversation {
  /** The whole paths of edited files: results name no more than the last part. */
  readonly #edited = new Map<string, string>();

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.ts = toTime(value.timestamp) ?? this.ts;
    const base = {
      message: toText(value.uuid) ?? `${this.session.id}:${key}`,
      ts: this.ts,
      cwd: toText(value.cwd) ?? this.session.cwd,
      branch: toText(value.gitBranch),
      model: toText(value.model),
    };
    if (value.type === "system") return yield* this.#event(value, base);
    const { tally } = this.sink;
    if (!kinds.has(String(value.type))) {
      return tally.skip(`type:${String(value.type).slice(0, 40)}`);
    }
    tally.messages++;
    if (value.type === "user" && !isTyped(value)) return tally.skip("harness_text");
    const rows = value.type === "user" ? userRows(value, base) : [...this.#rows(value, base)];
    if (rows.length === 0) tally.skip("empty_message");
    make.addUsage(rows, base.message, toObject(value.usageMetadata), usageNames);
    yield* rows;
  }

  *#event(value: Json, base: make.Base): Generator<SourceEntry> {
    const payload = toObject(value.systemPayload) ?? {};
    const title = toText(payload.customTitle);
    if (value.subtype === "custom_title" && title) {
      const title_from = payload.titleSource === "auto" ? "ai" : "custom";
      return this.sink.describe({ title, title_from });
    }
    if (value.subtype !== "chat_compression") {
      return this.sink.tally.skip(`type:system.${String(value.subtype).slice(0, 40)}`);
    }
    this.sink.tally.messages++;
    yield make.notice("compaction", "Conversation compacted", base);
    // What the model went on with: the summary comes first, then the turns that were kept.
    const [summary] = toObjects(payload.compressedHistory);
    const text = textOf(summary);
    if (text) yield make.notice("summary", text, { ...base, message: `${base.message}:summary` });
  }

  *#rows(value: Json, base: make.Base): Generator<SourceEntry> {
    for (const [i, part] of toObjects(toObject(value.message)?.parts).entries()) {
      const at = { ...base, message: i === 0 ? base.message : `${base.message}:${i}` };
      const text = toText(part.text);
      const [call, response] = [toObject(part.functionCall), toObject(part.functionResponse)];
      if (call) {
        const { name, input } = toMeantCall(call);
        const call_id = toText(call.id);
        const path = toText(toObject(input)?.file_path);
        if (call_id && path) this.#edited.set(call_id, path);
        yield this.tools.call({ name, input, call_id }, at);
      } else if (response) yield this.#output(response, value, at);
      else if (part.inlineData || part.fileData) this.sink.tally.skip("attachment");
      else if (text?.trim()) {
        yield part.thought === true ? make.thinking(text, at) : make.turn("assistant", text, at);
      }
    }
  }

  #output(response: Json, { toolCallResult }: Json, base: make.Base): SourceEntry {
    const given = toObject(response.response) ?? {};
    const result = toObject(toolCallResult);
    const output = given.output ?? given.error;
    const display = toObject(result?.resultDisplay);
    const call_id = toText(response.id) ?? toText(result?.callId);
    const file = (call_id && this.#edited.get(call_id)) ?? toText(display?.fileName);
    const path = display?.fileDiff && file ? toProjectPath(file, base.cwd) : undefined;
    return this.tools.output({
      name: toText(response.name),
      call_id,
      output: typeof output === "string" ? output : JSON.stringify(output ?? ""),
      error: given.error !== undefined || result?.status === "error",
      files: path ? [path] : undefined,
      patch: path ? withHead(path, display?.fileDiff) : undefined,
    }, base);
  }
}

/** Tools that the model had to search for are called through one of Qwen Code's own. */
function toMeantCall({ name, args }: Json): { name: string; input: unknown } {
  const inner = toObject(args);
  const meant = name === "tool_call" ? toText(inner?.name) : undefined;
  if (meant !== undefined) return { name: meant, input: inner?.arguments };
  return { name: toText(name) ?? "tool", input: args };
}

const kinds = new Set(["user", "assistant", "tool_result"]);
const usageNames: make.UsageNames = {
  input_tokens: "promptTokenCount",
  output_tokens: "candidatesTokenCount",
  cache_read_tokens: "cachedContentTokenCount",
  reasoning_tokens: "thoughtsTokenCount",
};

/** Notices of tasks, timers and goals also come as messages of the user. */
function isTyped({ subtype, provenance }: Json): boolean {
  const ofUser = subtype === undefined || subtype === "mid_turn_user_message" ||
    subtype === "realtime_message";
  return ofUser && (provenance === undefined || provenance === "real_user");
}

function userRows(value: Json, base: make.Base): SourceEntry[] {
  // What was typed, before files and what hooks say were put into it.
  const text = toText(toObject(value.systemPayload)?.displayText) ??
    textOf(toObject(value.message));
  return text.trim() === "" ? [] : [make.turn("user", text, base)];
}

function textOf(message: Json | undefined): string {
  return toObjects(message?.parts).map((part) => toText(part.text) ?? "")
    .filter((text) => text !== "").join("\n");
}
