// Turns the lines of a Kimi session into entries. Kimi Code and Kimi CLI before it say the same events
// in different envelopes: both become one event first.

import { DatedConversation } from "../dated_conversation.ts";
import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, parseArguments, toBlocks, toObject, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** One session being read. */
export class KimiConversation extends DatedConversation {
  #model: string | undefined;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    super(session, sink, state);
    this.#model = toText(state.model);
    if (session.title) sink.describe({ title: session.title, title_from: "ai" });
  }

  override state(): Json {
    return { ...super.state(), model: this.#model };
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.sink;
    this.ts = toTime(value.timestamp) ?? toTime(value.time) ?? this.ts;
    this.#model = toText(value.modelAlias) ?? this.#model;
    const { kind, event } = eventOf(value);
    if (!kinds.has(kind)) return tally.skip(`type:${kind.slice(0, 40)}`);
    tally.messages++;
    const base = { message: key, ts: this.ts, cwd: this.session.cwd };
    const rows = [...this.#rows(kind, event, base)];
    if (rows.length === 0) tally.skip("empty_message");
    yield* rows;
  }

  *#rows(kind: string, event: Json, base: make.Base): Generator<SourceEntry> {
    const ofModel = { ...base, model: this.#model };
    switch (kind) {
      case "turn.prompt":
      case "turn.steer":
      case "TurnBegin": {
        const blocks = toBlocks(event.input ?? event.user_input) ?? [];
        const text = blocksText(blocks.filter((block) => block.type === "text"));
        if (text.trim()) yield make.turn("user", text, base);
        return;
      }
      case "content.part":
      case "ContentPart": {
        const part = toObject(event.part) ?? event;
        const [text, thought] = [toText(part.text), toText(part.think)];
        if (part.type === "think" && (thought ?? text)) {
          yield make.thinking(thought ?? text ?? "", ofModel);
        } else if (part.type === "text" && text?.trim()) {
          yield make.turn("assistant", text, ofModel);
        }
        return;
      }
      case "tool.call":
      case "ToolCall": {
        const made = toObject(event.function) ?? event;
        return yield this.tools.call({
          name: toText(made.name) ?? "tool",
          input: parseArguments(made.args ?? made.arguments),
          call_id: toText(event.toolCallId) ?? toText(event.id),
        }, ofModel);
      }
      case "tool.result":
      case "ToolResult": {
        const result = toObject(event.result) ?? toObject(event.return_value) ?? {};
        const output = blocksText(result.output);
        return yield this.tools.output({
          call_id: toText(event.toolCallId) ?? toText(event.tool_call_id),
          output: output || (toText(result.message) ?? ""),
          error: result.isError === true || result.is_error === true,
        }, base);
      }
      default:
        yield make.notice("compaction", "Conversation compacted", base);
    }
  }
}

const kinds = new Set(
  `turn.prompt turn.steer TurnBegin content.part ContentPart tool.call ToolCall tool.result ToolResult
  CompactionEnd`.split(/\s+/),
);

function eventOf(value: Json): { kind: string; event: Json } {
  const message = toObject(value.message);
  if (message) return { kind: String(message.type), event: toObject(message.payload) ?? {} };
  const event = toObject(value.event);
  if (value.type === "context.append_loop_event" && event) {
    return { kind: String(event.type), event };
  }
  return { kind: String(value.type), event: value };
}
