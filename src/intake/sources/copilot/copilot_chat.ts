// Turns a VS Code chat session into entries: each request is a prompt and a response of many parts.
// Requests change in place, so rows carry revisions.

import * as make from "../entries.ts";
import { type Json, parseArguments, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { promptText } from "./prompt_text.ts";
import { sendMessage } from "../send_message.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { findPath, toProjectPath } from "../touched.ts";

/** Sends the rows of a chat session into the sink. */
export async function emitChat(session: SourceSession, chat: Json, sink: Sink): Promise<void> {
  const title = toText(chat.customTitle) ?? session.title;
  if (title) sink.describe({ title, title_from: "ai" });
  let ts = toTime(chat.creationDate) ?? session.started ?? session.updated ?? "";
  for (const [i, request] of toObjects(chat.requests).entries()) {
    ts = toTime(request.timestamp) ?? ts;
    const message = toText(request.requestId) ?? `request-${i}`;
    const base = { message, ts, cwd: session.cwd, model: toText(request.modelId) };
    const prompt = promptRows(request, base);
    const response = responseRows(request, {
      ...base,
      message: toText(request.responseId) ?? `${message}:response`,
    });
    await sendMessage(sink, prompt);
    await sendMessage(sink, response);
  }
}

function promptRows(request: Json, base: make.Base): SourceEntry[] {
  const text = toText(toObject(request.message)?.text) ?? toText(request.message);
  if (text === undefined) return [];
  const attached = toObjects(toObject(request.variableData)?.variables)
    .map((variable) => toObject(variable.value))
    .map((value) => findPath(value) ?? toText(toObject(value?.uri)?.fsPath))
    .filter((path) => path !== undefined).map((path) => toProjectPath(path, base.cwd));
  return [make.withFiles(make.turn("user", text, base), attached)];
}

function responseRows(request: Json, base: make.Base): SourceEntry[] {
  const parts = toObjects(request.response);
  const rows: SourceEntry[] = [];
  const text = parts.map(partText).join("").trim();
  const thinking = parts.filter((part) => part.kind === "thinking")
    .map((part) => toText(part.value) ?? "").join("\n").trim();
  if (thinking) {
    rows.push(make.thinking(thinking, { ...base, message: `${base.message}:thinking` }));
  }
  if (text) rows.push(make.turn("assistant", text, base));
  rows.push(...toolRows(request, parts, base));
  const edited = parts.filter((part) => part.kind === "textEditGroup")
    .map((part) => findPath(toObject(part.uri)))
    .filter((path) => path !== undefined).map((path) => toProjectPath(path, base.cwd));
  if (edited.length > 0) {
    rows.push(make.patch([...new Set(edited)], { ...base, message: `${base.message}:edits` }));
  }
  return rows;
}

/** Tool calls: what the model asked for, with results, else what the interface showed. */
function toolRows(request: Json, parts: Json[], base: make.Base): SourceEntry[] {
  const metadata = toObject(toObject(request.result)?.metadata);
  const results = toObject(metadata?.toolCallResults) ?? {};
  const rows = toObjects(metadata?.toolCallRounds).flatMap((round, r) =>
    toObjects(round.toolCalls).flatMap((call, c) => {
      const call_id = toText(call.id);
      const message = `${base.message}:call:${call_id ?? `${r}.${c}`}`;
      return callRows(call, results[call_id ?? ""], { ...base, message });
    })
  );
  if (rows.length > 0) return rows;
  return parts.flatMap((part, i) => {
    if (part.kind !== "toolInvocationSerialized") return [];
    const call_id = toText(part.toolCallId);
    const input = shownText(part.pastTenseMessage) ?? shownText(part.invocationMessage);
    const call = { name: toText(part.toolId) ?? "tool", input, call_id };
    return make.toolCall(call, { ...base, message: `${base.message}:call:${call_id ?? i}` });
  });
}

function callRows(call: Json, result: unknown, base: make.Base): SourceEntry[] {
  const name = toText(call.name) ?? "tool";
  const call_id = toText(call.id);
  const row = make.toolCall({ name, input: parseArguments(call.arguments), call_id }, base);
  const output = promptText(call_id === undefined ? undefined : result);
  if (!output) return [row];
  const message = `${base.message}:output`;
  return [row, make.toolOutput({ name, output, call_id }, { ...base, message })];
}

function shownText(message: unknown): string | undefined {
  return toText(message) ?? toText(toObject(message)?.value);
}

/** Parts without a kind are Markdown; references stand for their names. */
function partText(part: Json): string {
  if (part.kind === undefined) return toText(part.value) ?? "";
  if (part.kind === "markdownContent") return toText(toObject(part.content)?.value) ?? "";
  if (part.kind !== "inlineReference") return "";
  const reference = toObject(part.inlineReference);
  const path = findPath(reference) ?? toText(reference?.name);
  return path === undefined ? "" : `\`${path.replace(/^.*\//, "")}\``;
}
