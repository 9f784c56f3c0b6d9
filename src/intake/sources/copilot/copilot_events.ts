// Turns Copilot's event stream into entries. The system prompt is half of all bytes and dropped.

import * as make from "../entries.ts";
import {
  dig,
  type Json,
  parseArguments,
  toList,
  toNumber,
  toObject,
  toObjects,
  toText,
} from "../loose_json.ts";
import { withHead } from "../patches.ts";
import type { SourceEntry } from "../source.ts";
import { otherType, type Reading, type RecordFormat, type Rows } from "../reading.ts";
import { pathsOf, toolEffect, toProjectPath } from "../touched.ts";

export const copilotEvents: RecordFormat = {
  rows(event, { message, ts, cwd }, reading) {
    const { memory, session } = reading;
    const data = toObject(event.data) ?? {};
    return rowsOf(event.type, data, {
      message,
      ts,
      cwd: toText(memory.cwd) ?? cwd,
      branch: toText(memory.branch) ?? session.branch,
      model: toText(data.model) ?? toText(memory.model),
    }, reading);
  },
};

function rowsOf(type: unknown, data: Json, base: make.Base, reading: Reading): Rows {
  const { memory, sink } = reading;
  switch (type) {
    case "session.start":
    case "session.resume": {
      memory.cwd = toText(dig(data, "context", "cwd")) ?? base.cwd;
      memory.branch = toText(dig(data, "context", "branch")) ?? base.branch;
      memory.model = toText(data.selectedModel) ?? memory.model;
      sink.describe({ cwd: toText(memory.cwd), branch: toText(memory.branch) });
      return undefined;
    }
    case "session.model_change":
      memory.model = toText(data.newModel) ?? memory.model;
      return undefined;
    case "user.message": {
      const text = toText(data.content);
      const files = toObjects(data.attachments).map((item) => item.path);
      return text ? [make.withFiles(make.turn("user", text, base), pathsOf(files, base.cwd))] : [];
    }
    case "assistant.message":
      return answerRows(data, base, reading);
    case "assistant.reasoning": {
      const text = toText(data.content);
      return { beside: text ? [make.thinking(text, base)] : [] };
    }
    case "tool.execution_start":
      // Most calls were already seen as a request of the message before.
      return { beside: callRows({ ...data, name: data.toolName }, base, reading) };
    case "tool.execution_complete":
      return { beside: [outputRow(data, base, reading)] };
    case "session.compaction_complete":
    case "session.truncation":
      return { beside: [make.notice("compaction", "Context compacted", base)] };
    case "session.shutdown": {
      // Written on a clean exit: the totals per model and the files that were changed.
      const paths = toList(dig(data, "codeChanges", "filesModified"))
        .filter((path) => typeof path === "string").map((path) => toProjectPath(path, base.cwd));
      return paths.length === 0 ? otherType(type) : { beside: [make.patch(paths, base)] };
    }
    default:
      return otherType(type);
  }
}

function answerRows(data: Json, base: make.Base, reading: Reading): SourceEntry[] {
  const rows: SourceEntry[] = [];
  const [thinking, text] = [toText(data.reasoningText), toText(data.content)];
  if (thinking) rows.push(make.thinking(thinking, make.under(base, "thinking")));
  if (text) rows.push(make.turn("assistant", text, base));
  rows.push(...toObjects(data.toolRequests).flatMap((call) => callRows(call, base, reading)));
  const output_tokens = toNumber(data.outputTokens);
  const last = rows.at(-1);
  if (last && output_tokens !== undefined) last.usage = { id: base.message, output_tokens };
  return rows;
}

function callRows(call: Json, base: make.Base, { tools }: Reading): SourceEntry[] {
  const call_id = toText(call.toolCallId);
  if (tools.nameOf(call_id) !== undefined) return [];
  const message = call_id === undefined ? `${base.message}:call` : `call:${call_id}`;
  const input = parseArguments(call.arguments);
  return [tools.call({ name: call.name, input, call_id }, { ...base, message })];
}

function outputRow(data: Json, base: make.Base, { tools }: Reading): SourceEntry {
  const result = toObject(data.result);
  const name = tools.nameOf(toText(data.toolCallId)) ?? "tool";
  const shown = toText(result?.detailedContent) ?? "";
  return make.toolOutput({
    name,
    output: toText(result?.content) ?? toText(dig(data, "error", "message")) ?? "",
    error: data.success === false,
    call_id: data.toolCallId,
    patch: toolEffect(name) === "edit" ? patchOf(shown, base.cwd) : undefined,
  }, base);
}

/** Copilot shows every file as a diff, also one it only looked at; paths have lost their first `/`. */
function patchOf(shown: string, cwd: string | undefined): string | undefined {
  const path = /^\+\+\+ b\/(.+)$/m.exec(shown)?.[1];
  return path && withHead(toProjectPath(`/${path}`, cwd), shown);
}
