// Turns the lines of a Droid session into entries: messages of blocks, and what the harness notes beside.

import { DatedConversation } from "../dated_conversation.ts";
import { BlockRows } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { SourceEntry } from "../source.ts";
import { withoutBlocks } from "../without_blocks.ts";

/** One session being read. */
export class DroidConversation extends DatedConversation {
  readonly #blocks = new BlockRows(this.sink.tally, this.tools);

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.ts = toTime(value.timestamp) ?? this.ts;
    const base = { message: toText(value.id) ?? key, ts: this.ts, cwd: this.session.cwd };
    switch (value.type) {
      case "session_start": {
        const given = toText(value.sessionTitle);
        const title = given ?? toText(value.title);
        // What a session is called at first is its prompt, or what all are called.
        if (title && title !== "New Session") {
          this.sink.describe({ title, title_from: given ? "ai" : "prompt" });
        }
        return;
      }
      case "compaction_state": {
        const text = toText(value.summaryText) ?? toText(toObject(value.summary)?.body);
        this.sink.tally.messages++;
        yield make.notice("compaction", "Conversation compacted", base);
        if (text) {
          yield make.notice("summary", text, { ...base, message: `${base.message}:summary` });
        }
        return;
      }
      case "message":
        return yield* this.#message(value, base);
      default:
        this.sink.tally.skip(`type:${String(value.type).slice(0, 40)}`);
    }
  }

  *#message(value: Json, base: make.Base): Generator<SourceEntry> {
    const { tally } = this.sink;
    const message = toObject(value.message) ?? value;
    tally.messages++;
    if (value.visibility === "llm_only") return tally.skip("harness_text");
    const rows = message.role === "assistant"
      ? this.#blocks.rows("assistant", message.content, {
        ...base,
        model: toText(message.model) ?? this.session.key,
      })
      : this.#blocks.rows("user", withoutReminders(message.content), base);
    if (rows.length === 0) tally.skip(message.role === "user" ? "harness_text" : "empty_message");
    yield* rows;
  }
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
