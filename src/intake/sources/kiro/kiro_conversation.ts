// Turns the lines of a Kiro session into entries: prompts, answers with calls, results. Before 1.0 only
// prompts were dated; what follows one has its time.

import { DatedConversation } from "../dated_conversation.ts";
import * as make from "../entries.ts";
import { type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { toolText } from "./kiro_document.ts";
import { payloadRows } from "./kiro_payload.ts";

/** One session being read. */
export class KiroConversation extends DatedConversation {
  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    super(session, sink, state);
    if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.sink;
    const payload = toObject(value.payload);
    if (payload !== undefined) {
      this.ts = toTime(value.timestamp) ?? this.ts;
      const base = this.#base(toText(value.id) ?? key);
      return yield* payloadRows(payload, base, { tools: this.tools, tally });
    }
    const data = toObject(value.data) ?? {};
    if (!kinds.has(String(value.kind))) {
      return tally.skip(`type:${String(value.kind).slice(0, 40)}`);
    }
    this.ts = toTime(toObject(data.meta)?.timestamp) ?? this.ts;
    tally.messages++;
    const id = toText(data.message_id) ?? key;
    const rows = toObjects(data.content).flatMap((block, i) => [
      ...this.#fromBlock(block, value.kind === "Prompt", this.#base(`${id}:${i}`)),
    ]);
    if (rows.length === 0) tally.skip("empty_message");
    yield* rows;
  }

  *#fromBlock(block: Json, isPrompt: boolean, base: make.Base): Generator<SourceEntry> {
    const data = toObject(block.data) ?? {};
    const text = toText(block.data) ?? toText(data.text);
    switch (block.kind) {
      case "text":
        if (text) yield make.turn(isPrompt ? "user" : "assistant", text, base);
        return;
      case "thinking":
      case "reasoning":
        if (text) yield make.thinking(text, base);
        return;
      case "toolUse": {
        const [name, call_id] = [toText(data.name) ?? "tool", toText(data.toolUseId)];
        return yield this.tools.call({ name, input: data.input, call_id }, base);
      }
      case "toolResult": {
        const call_id = toText(data.toolUseId);
        const { output, exit } = toolText(
          toObjects(data.content).map(({ data }) => data),
        );
        return yield this.tools.output({
          output,
          error: (exit ?? 0) !== 0 || data.status === "error",
          exit,
          call_id,
        }, base);
      }
      case "image":
        return this.sink.tally.skip("attachment");
      default:
        this.sink.tally.skip(`type:content.${String(block.kind).slice(0, 40)}`);
    }
  }

  #base(message: string): make.Base {
    const { cwd, key: model } = this.session;
    return { message, ts: this.ts, cwd, model };
  }
}

const kinds = new Set(["Prompt", "AssistantMessage", "ToolResults"]);
