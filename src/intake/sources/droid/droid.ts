// Factory's Droid: `~/.factory/sessions/<slug>/<session>.jsonl`, older ones right in `sessions`; the
// model is in a `.settings.json` beside it. Lines are messages of blocks, and what the harness notes.

import type * as make from "../entries.ts";
import { dig, type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import { fileSource } from "../source_kinds.ts";
import { compactionRows, otherType, type Reading, readRecords, type Rows } from "../reading.ts";
import { findObject } from "../walk.ts";
import { withoutBlocks } from "../without_blocks.ts";

export const droid = fileSource({
  name: "droid",
  title: "Factory Droid",
  roots: ({ env, home }) => [
    env("DROID_SESSIONS_DIR") || `${home}/.factory/sessions`,
    `${home}/.factory/projects`,
  ],
  files: /\.jsonl$/,
  maxDepth: 3,
  describe: () => ({ path, head }) => ({
    cwd: head.find("cwd"),
    started: toTime(head.find("timestamp")),
    parent: head.find("callingSessionId"),
    key: toText(findObject(path.replace(/\.jsonl$/, ".settings.json"))?.model),
  }),
  read: readRecords({ rows: rowsOf }),
});

function rowsOf(line: Json, base: make.Base, reading: Reading): Rows {
  switch (line.type) {
    case "session_start": {
      const given = toText(line.sessionTitle);
      const title = given ?? toText(line.title);
      // What a session is called at first is its prompt, or what all are called.
      if (title && title !== "New Session") {
        reading.sink.describe({ title, title_from: given ? "ai" : "prompt" });
      }
      return undefined;
    }
    case "compaction_state": {
      const summary = toText(line.summaryText) ?? dig(line, "summary", "body");
      return compactionRows(base, summary, "Conversation compacted");
    }
    case "message":
      return messageRows(line, base, reading);
    default:
      return otherType(line.type);
  }
}

function messageRows(line: Json, base: make.Base, { blocks, session }: Reading): Rows {
  const message = toObject(line.message) ?? line;
  if (line.visibility === "llm_only") return "harness_text";
  if (message.role === "assistant") {
    const model = toText(message.model) ?? session.key;
    return blocks.rows("assistant", message.content, { ...base, model });
  }
  const rows = blocks.rows("user", withoutReminders(message.content), base);
  return rows.length === 0 && message.role === "user" ? "harness_text" : rows;
}

/** Prompts carry reminders of the harness, mostly in blocks of their own. */
function withoutReminders(content: unknown): Json[] {
  return (toBlocks(content) ?? []).map((block) => {
    const text = toText(block.text);
    return block.type === "text" && text?.includes("<system-reminder>")
      ? { ...block, text: withoutBlocks(text, ["system-reminder"]).trim() }
      : block;
  });
}
