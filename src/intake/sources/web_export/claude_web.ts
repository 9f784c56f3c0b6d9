// What Claude's web and desktop accounts export: conversations as lists of messages of blocks.

import { makeExportSource } from "./export_file.ts";
import { toObjects, toText, toTime } from "../loose_json.ts";

export const claudeWeb = makeExportSource({
  name: "claude-web",
  title: "Claude (web)",
  describe(conversation) {
    const id = toText(conversation.uuid);
    if (id === undefined || !Array.isArray(conversation.chat_messages)) return undefined;
    const updated = toTime(conversation.updated_at);
    return {
      id,
      signature: `${conversation.chat_messages.length}:${conversation.updated_at ?? ""}`,
      title: toText(conversation.name),
      started: toTime(conversation.created_at) ?? updated ?? new Date(0).toISOString(),
      updated,
    };
  },
  messages: ({ chat_messages }) => toObjects(chat_messages),
  format: {
    isRevised: true,
    timeOf: ({ created_at }, { started }) => toTime(created_at) ?? started,
    idOf: ({ uuid }) => uuid,
    rows(message, base, { blocks, sink }) {
      const attached = toObjects(message.attachments).length + toObjects(message.files).length;
      if (attached > 0) sink.tally.skip("attachment", attached);
      const content = toObjects(message.content);
      const role = message.sender === "human" ? "user" : "assistant";
      return blocks.rows(role, content.length > 0 ? content : message.text, base);
    },
  },
});
