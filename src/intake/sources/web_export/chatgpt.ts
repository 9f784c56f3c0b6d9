// What ChatGPT exports: conversations as trees of messages, whose branches are all kept.

import { makeExportSource } from "./export_file.ts";
import * as make from "../entries.ts";
import {
  dig,
  type Json,
  toList,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";

export const chatgpt = makeExportSource({
  name: "chatgpt",
  title: "ChatGPT",
  describe(conversation) {
    const id = toText(conversation.conversation_id) ?? toText(conversation.id);
    const mapping = toObject(conversation.mapping);
    if (id === undefined || mapping === undefined) return undefined;
    const updated = toTime(conversation.update_time);
    return {
      id,
      signature: `${Object.keys(mapping).length}:${conversation.update_time ?? ""}`,
      title: toText(conversation.title),
      started: toTime(conversation.create_time) ?? updated ?? new Date(0).toISOString(),
      updated,
    };
  },
  messages: ({ mapping }) => inOrder(toObject(mapping) ?? {}),
  format: {
    isRevised: true,
    timeOf: ({ create_time }, { started }) => toTime(create_time) ?? started,
    rows(message, base) {
      const role = toText(dig(message, "author", "role")) ?? "";
      const about = toObject(message.metadata);
      const isOwn = role === "system" || about?.is_visually_hidden_from_conversation === true;
      if (isOwn) return "harness_text";
      const model = role === "assistant" ? toText(about?.model_slug) : undefined;
      return [...rowsOf(message, role, { ...base, model })];
    },
  },
});

/** Messages by their times; one without stands where the list has it. */
function inOrder(mapping: Json): Json[] {
  let time = 0;
  const nodes = Object.entries(mapping).flatMap(([id, node]) => {
    const message = toObject(toObject(node)?.message);
    time = toNumber(message?.create_time) ?? time;
    return message ? [{ message: { ...message, id: toText(message.id) ?? id }, time }] : [];
  });
  return nodes.sort((a, b) => a.time - b.time).map(({ message }) => message);
}

function* rowsOf(message: Json, role: string, base: make.Base): Generator<SourceEntry> {
  const content = toObject(message.content) ?? {};
  const thoughts = toObjects(content.thoughts)
    .map((thought) => toText(thought.content) ?? toText(thought.summary) ?? "").join("\n");
  const parts = toList(content.parts).map((part) =>
    typeof part === "string" ? part : toText(toObject(part)?.text) ?? attachment(toObject(part))
  ).join("\n");
  const text = parts || (toText(content.text) ?? toText(content.result) ?? "");
  if (thoughts) yield make.thinking(thoughts, base);
  if (text.trim() === "") return;
  const recipient = toText(message.recipient) ?? "all";
  if (role === "user") yield make.turn("user", text, base);
  else if (role === "tool") {
    const name = toText(toObject(message.author)?.name) ?? "tool";
    yield make.toolOutput({ name, output: text }, base);
  } else if (role === "assistant" && recipient !== "all") {
    yield make.toolCall({ name: recipient, input: { input: text } }, base);
  } else if (role === "assistant") yield make.turn("assistant", text, base);
}

/** Pictures and files are named, not kept. */
function attachment(part: Json | undefined): string {
  return part === undefined ? "" : `[${toText(part.content_type) ?? "attachment"}]`;
}
