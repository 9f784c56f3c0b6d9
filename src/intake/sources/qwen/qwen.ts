// Qwen Code: `projects/<slug>/chats/<session>.jsonl`, a record per line: messages in Gemini's parts, and
// events of the harness. What it wrote in 2025, when it kept chats as Gemini CLI does, is not read.

import { isRestoredId } from "../../../core/restored_uuid.ts";
import * as make from "../entries.ts";
import { dig, type Json, partsText, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { withHead } from "../patches.ts";
import type { SourceEntry } from "../source.ts";
import { fileSource } from "../source_kinds.ts";
import { compactionRows, otherType, type Reading, readRecords, type Rows } from "../reading.ts";
import { toProjectPath } from "../touched.ts";

export const qwen = fileSource({
  name: "qwen",
  title: "Qwen Code",
  idScope: "agent",
  roots: ({ env, home }) => {
    const root = env("QWEN_RUNTIME_DIR")?.trim() || env("QWEN_HOME")?.trim() || `${home}/.qwen`;
    return [`${root}/projects`];
  },
  // Sub-agents have files of their own beside the chats; `runs` and the like are bookkeeping.
  files: (name, path, root) =>
    name.endsWith(".jsonl") && (path === root || /\/(?:chats|subagents)\//.test(path)),
  describe: () => ({ path, stem, head }) => {
    const named = head.find("sessionId");
    return {
      cwd: head.find("cwd"),
      branch: head.find("gitBranch"),
      started: toTime(head.find("timestamp")),
      parent: head.find("parentSessionId") ??
        (path.includes("/subagents/") && named !== stem ? named : undefined),
    };
  },
  read: readRecords({
    idOf: ({ uuid }, { id }, key) => toText(uuid) ?? `${id}:${key}`,
    rows: rowsOf,
  }),
});

function rowsOf(record: Json, facts: make.Base, reading: Reading): Rows {
  const base = {
    ...facts,
    cwd: toText(record.cwd) ?? facts.cwd,
    branch: toText(record.gitBranch),
    model: toText(record.model),
  };
  if (record.type === "system") return eventRows(record, base, reading);
  if (!kinds.has(String(record.type))) return otherType(record.type);
  if (isRestoredId(toText(record.uuid) ?? "")) return "restored_by_ctx";
  if (record.type === "user" && !isTyped(record)) return "harness_text";
  const rows = record.type === "user" ? userRows(record, base) : partRows(record, base, reading);
  make.addUsage(rows, base.message, toObject(record.usageMetadata), usageNames);
  return rows;
}

const kinds = new Set(["user", "assistant", "tool_result"]);
const usageNames: make.UsageNames = {
  input_tokens: "promptTokenCount",
  output_tokens: "candidatesTokenCount",
  cache_read_tokens: "cachedContentTokenCount",
  reasoning_tokens: "thoughtsTokenCount",
};

function eventRows({ subtype, systemPayload }: Json, base: make.Base, { sink }: Reading): Rows {
  const payload = toObject(systemPayload) ?? {};
  const title = toText(payload.customTitle);
  if (subtype === "custom_title" && title) {
    sink.describe({ title, title_from: payload.titleSource === "auto" ? "ai" : "custom" });
    return undefined;
  }
  if (subtype !== "chat_compression") return otherType(subtype, "system.");
  // What the model went on with: the summary comes first, then the turns that were kept.
  const [summary] = toObjects(payload.compressedHistory);
  return compactionRows(base, partsText(summary?.parts), "Conversation compacted");
}

/** Notices of tasks, timers and goals also come as messages of the user. */
function isTyped({ subtype, provenance }: Json): boolean {
  const ofUser = subtype === undefined || subtype === "mid_turn_user_message" ||
    subtype === "realtime_message";
  return ofUser && (provenance === undefined || provenance === "real_user");
}

function userRows(record: Json, base: make.Base): SourceEntry[] {
  // What was typed, before files and what hooks say were put into it.
  const text = toText(toObject(record.systemPayload)?.displayText) ??
    partsText(dig(record, "message", "parts"));
  return text.trim() === "" ? [] : [make.turn("user", text, base)];
}

function partRows(record: Json, base: make.Base, reading: Reading): SourceEntry[] {
  return toObjects(toObject(record.message)?.parts).flatMap((part, i) => {
    const at = i === 0 ? base : make.under(base, i);
    const text = toText(part.text);
    const [call, response] = [toObject(part.functionCall), toObject(part.functionResponse)];
    if (call) {
      const { name, input } = toMeantCall(call);
      const [call_id, path] = [toText(call.id), toText(toObject(input)?.file_path)];
      if (call_id && path) reading.paths.set(call_id, path);
      return [reading.tools.call({ name, input, call_id }, at)];
    }
    if (response) return [outputRow(response, toObject(record.toolCallResult), at, reading)];
    if (part.inlineData || part.fileData) reading.sink.tally.skip("attachment");
    else if (text?.trim()) {
      return [part.thought === true ? make.thinking(text, at) : make.turn("assistant", text, at)];
    }
    return [];
  });
}

/** Tools that the model had to search for are called through one of Qwen Code's own. */
function toMeantCall({ name, args }: Json): { name: unknown; input: unknown } {
  const inner = toObject(args);
  const meant = name === "tool_call" ? toText(inner?.name) : undefined;
  return meant === undefined ? { name, input: args } : { name: meant, input: inner?.arguments };
}

function outputRow(
  response: Json,
  result: Json | undefined,
  base: make.Base,
  reading: Reading,
): SourceEntry {
  const given = toObject(response.response) ?? {};
  const output = given.output ?? given.error;
  const display = toObject(result?.resultDisplay);
  const call_id = toText(response.id) ?? toText(result?.callId);
  const file = reading.paths.get(call_id ?? "") ?? toText(display?.fileName);
  const path = display?.fileDiff && file ? toProjectPath(file, base.cwd) : undefined;
  return reading.tools.output({
    name: response.name,
    call_id,
    output: typeof output === "string" ? output : JSON.stringify(output ?? ""),
    error: given.error !== undefined || result?.status === "error",
    files: path ? [path] : undefined,
    patch: path ? withHead(path, display?.fileDiff) : undefined,
  }, base);
}
