// Turns the messages of a Crush session into entries. Parts grow in place while they stream, so every
// row carries a revision.

import type { DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  parseArguments,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import { sendMessage } from "../send_message.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { toProjectPath } from "../touched.ts";

/** Sends the rows of a session into the sink. */
export async function emitCrush(
  session: SourceSession,
  messages: readonly DatabaseRow[],
  sink: Sink,
): Promise<void> {
  const isNamed = session.title !== undefined && !/^(?:New|Untitled) Session$/i.test(session.title);
  if (isNamed) sink.describe({ title: session.title, title_from: "ai" });
  for (const message of messages) {
    const parts = findJson(String(message.parts));
    if (!Array.isArray(parts)) sink.tally.bad_lines++;
    await sendMessage(
      sink,
      toRows(session, message, { parts: toObjects(parts), tally: sink.tally }),
    );
  }
}

function toRows(
  { cwd, started }: SourceSession,
  message: DatabaseRow,
  { parts, tally }: { parts: Json[]; tally: Tally },
): SourceEntry[] {
  const base = {
    ts: toTime(message.created_at) ?? started ?? "",
    cwd,
    model: make.modelName(toText(message.model), toText(message.provider)),
  };
  const role = message.is_summary_message === 1 ? "summary" : String(message.role);
  const rows = parts.flatMap((part, i) => [
    ...fromPart({ type: part.type, data: toObject(part.data) ?? {} }, role, {
      base: { ...base, message: `${message.id}:${i}` },
      tally,
    }),
  ]);
  const files = parts.filter((part) => part.type === "binary")
    .map((part) => toText(toObject(part.data)?.Path)).filter((path) => path !== undefined);
  const first = rows.findIndex((row) => row.role === "user");
  if (first >= 0) {
    rows[first] = make.withFiles(rows[first], files.map((path) => toProjectPath(path, cwd)));
  }
  return rows;
}

function* fromPart(
  { type, data }: { type: unknown; data: Json },
  role: string,
  { base, tally }: { base: make.Base; tally: Tally },
): Generator<SourceEntry> {
  const text = toText(data.text);
  switch (type) {
    case "text":
      if (text === undefined) return;
      if (role === "summary") return yield make.notice("summary", text, base);
      if (role !== "user" && role !== "assistant") return tally.skip(`type:message.${role}`);
      return yield make.turn(role, text, base);
    case "reasoning": {
      const thinking = toText(data.thinking);
      if (thinking) yield make.thinking(thinking, base);
      return;
    }
    case "tool_call":
      return yield make.toolCall({
        name: toText(data.name) ?? "tool",
        input: parseArguments(data.input),
        call_id: toText(data.id),
      }, base);
    case "tool_result":
      return yield make.toolOutput({
        name: toText(data.name) ?? "tool",
        output: toText(data.content) ?? mediaNote(data),
        error: data.is_error === true,
        call_id: toText(data.tool_call_id),
      }, base);
    case "shell_command":
      yield make.toolCall({ name: "shell", input: { command: data.command } }, base);
      return yield make.toolOutput({
        name: "shell",
        output: toText(data.output) ?? "",
        error: data.exit_code !== 0,
        exit: toNumber(data.exit_code),
      }, { ...base, message: `${base.message}:output` });
    case "finish":
      return;
    case "binary":
    case "image_url":
      return tally.skip("attachment");
    default:
      tally.skip(`type:part.${String(type).slice(0, 40)}`);
  }
}

function mediaNote(data: Json): string {
  const kind = toText(data.mime_type);
  return kind === undefined ? "" : `[${kind}]`;
}
