// Turns Copilot's documents into entries. In a VS Code chat session each request is a prompt and a
// response of many parts; the documents of Copilot CLI of 2025 have a timeline. Both change in place, so
// rows carry revisions.

import * as make from "../entries.ts";
import {
  dig,
  type Json,
  parseArguments,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { otherType, readValues, type RecordFormat, sendMessage } from "../reading.ts";
import { findPath, pathsOf } from "../touched.ts";

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
  const attached = toObjects(dig(request, "variableData", "variables"))
    .map(({ value }) => findPath(toObject(value)) ?? dig(value, "uri", "fsPath"));
  return [make.withFiles(make.turn("user", text, base), pathsOf(attached, base.cwd))];
}

function responseRows(request: Json, base: make.Base): SourceEntry[] {
  const parts = toObjects(request.response);
  const rows: SourceEntry[] = [];
  const text = parts.map(partText).join("").trim();
  const thinking = parts.filter((part) => part.kind === "thinking")
    .map((part) => toText(part.value) ?? "").join("\n").trim();
  if (thinking) rows.push(make.thinking(thinking, make.under(base, "thinking")));
  if (text) rows.push(make.turn("assistant", text, base));
  rows.push(...toolRows(request, parts, base));
  const groups = parts.filter((part) => part.kind === "textEditGroup");
  const edited = pathsOf(groups.map((part) => toObject(part.uri)), base.cwd);
  if (edited.length > 0) rows.push(make.patch([...new Set(edited)], make.under(base, "edits")));
  return rows;
}

/** Tool calls: what the model asked for, with results, else what the interface showed. */
function toolRows(request: Json, parts: Json[], base: make.Base): SourceEntry[] {
  const metadata = toObject(dig(request, "result", "metadata"));
  const results = toObject(metadata?.toolCallResults) ?? {};
  const rows = toObjects(metadata?.toolCallRounds).flatMap((round, r) =>
    toObjects(round.toolCalls).flatMap(({ name, arguments: given, id }, c) => {
      const call_id = toText(id);
      const output = promptText(call_id === undefined ? undefined : results[call_id]);
      const call = { name, input: parseArguments(given), call_id };
      const at = make.under(base, `call:${call_id ?? `${r}.${c}`}`);
      return make.callRows(call, output ? { output } : undefined, at);
    })
  );
  if (rows.length > 0) return rows;
  return parts.flatMap((part, i) => {
    if (part.kind !== "toolInvocationSerialized") return [];
    const call_id = toText(part.toolCallId);
    const input = shownText(part.pastTenseMessage) ?? shownText(part.invocationMessage);
    return make.toolCall(
      { name: part.toolId, input, call_id },
      make.under(base, `call:${call_id ?? i}`),
    );
  });
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

/** Sends the rows of a timeline into the sink: `history-session-state/<id>.json`. */
export async function emitTimeline(
  session: SourceSession,
  document: Json,
  sink: Sink,
): Promise<void> {
  const started = toTime(document.startTime) ?? session.started;
  const untitled = { ...session, started, title: undefined };
  await readValues(timelineItems, untitled, sink, toObjects(document.timeline));
}

const timelineItems: RecordFormat = {
  isRevised: true,
  rows(item, base) {
    const text = toText(item.text);
    const role = item.type === "user" ? "user" : item.type === "copilot" ? "assistant" : undefined;
    if (role && text) return [make.turn(role, text, base)];
    if (item.type !== "tool_call_completed") return otherType(item.type);
    const { name, callId: call_id, arguments: input } = item;
    const result = toObject(item.result);
    const [output, error] = [toText(result?.log) ?? "", result?.type === "failure"];
    return {
      beside: [
        make.toolCall({ name, input, call_id }, make.under(base, "call")),
        make.toolOutput({ name, output, call_id, error }, base),
      ],
    };
  },
};

const textNode = 2;
const imageKind = 3;
/** Stands between two parts of a list: a line ends where text follows. */
const lineEnd = Symbol("line end");

/** The text in a result, in its order. */
function promptText(value: unknown): string {
  const pending: unknown[] = [value];
  let text = "";
  let isLineDue = false;
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === lineEnd) isLineDue = true;
    else if (typeof next === "string") {
      if (next === "") continue;
      text += isLineDue && text !== "" ? `\n${next}` : next;
      isLineDue = false;
    } else if (Array.isArray(next)) {
      for (let i = next.length - 1; i >= 0; i--) {
        pending.push(next[i]);
        if (i > 0) pending.push(lineEnd);
      }
    } else {
      const node = toObject(next);
      if (node === undefined) continue;
      if (node.type === textNode && node.lineBreakBefore) isLineDue = true;
      if (node.ctor === imageKind) pending.push("[image]");
      else if (Array.isArray(node.children)) {
        // Pieces of one text: they tell themselves where a line ends.
        for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]);
      } else pending.push(node.value ?? node.text ?? node.content ?? node.node);
    }
  }
  return text;
}
