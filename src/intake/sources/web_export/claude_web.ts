// What Claude's web and desktop accounts export: conversations as lists of messages of blocks.

import { BlockRows } from "../block_rows.ts";
import { makeExportSource } from "./export_file.ts";
import { toObjects, toText, toTime } from "../loose_json.ts";
import { sendMessage } from "../reading.ts";

/** Claude's exported conversations. */
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
  async emit(session, { chat_messages }, sink) {
    const blocks = new BlockRows(sink.tally);
    for (const [i, message] of toObjects(chat_messages).entries()) {
      const attached = toObjects(message.attachments).length + toObjects(message.files).length;
      if (attached > 0) sink.tally.skip("attachment", attached);
      const content = toObjects(message.content);
      const rows = blocks.rows(
        message.sender === "human" ? "user" : "assistant",
        content.length > 0 ? content : message.text,
        {
          message: toText(message.uuid) ?? String(i),
          ts: toTime(message.created_at) ?? session.started ?? "",
        },
      );
      await sendMessage(sink, rows);
    }
  },
});
