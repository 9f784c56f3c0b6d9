// Turns the lines of a Kiro session into entries: prompts, answers with calls, results. Only prompts
// are dated; what follows one has its time.

import {
  type Base,
  makeThinking,
  makeToolCall,
  makeToolOutput,
  makeTurn,
  toolNameOf,
} from "../entries.ts";
import { type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { toolText } from "./kiro_document.ts";

const maxRemembered = 60;

/** One session being read. */
export class KiroConversation implements Conversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #names: Map<string, string>;
  #ts: string;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    this.#session = session;
    this.#sink = sink;
    const names = Object.entries(toObject(state.names) ?? {});
    this.#names = new Map(names.map(([id, name]) => [id, String(name)]));
    this.#ts = toText(state.ts) ?? session.started ?? "";
    if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  }

  state(): Json {
    return { ts: this.#ts, names: Object.fromEntries([...this.#names].slice(-maxRemembered)) };
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.#sink;
    const data = toObject(value.data) ?? {};
    if (!kinds.has(String(value.kind))) {
      return tally.skip(`type:${String(value.kind).slice(0, 40)}`);
    }
    this.#ts = toTime(toObject(data.meta)?.timestamp) ?? this.#ts;
    tally.messages++;
    const id = toText(data.message_id) ?? key;
    const rows = toObjects(data.content).flatMap((block, i) => [
      ...this.#fromBlock(block, value.kind === "Prompt", this.#base(`${id}:${i}`)),
    ]);
    if (rows.length === 0) tally.skip("empty_message");
    yield* rows;
  }

  *end(): Generator<SourceEntry> {}

  *#fromBlock(block: Json, isPrompt: boolean, base: Base): Generator<SourceEntry> {
    const data = toObject(block.data) ?? {};
    const text = toText(block.data) ?? toText(data.text);
    switch (block.kind) {
      case "text":
        if (text) yield makeTurn(isPrompt ? "user" : "assistant", text, base);
        return;
      case "thinking":
      case "reasoning":
        if (text) yield makeThinking(text, base);
        return;
      case "toolUse": {
        const [name, call_id] = [toText(data.name) ?? "tool", toText(data.toolUseId)];
        if (call_id) this.#names.set(call_id, toolNameOf(name, data.input));
        return yield makeToolCall({ name, input: data.input, call_id }, base);
      }
      case "toolResult": {
        const call_id = toText(data.toolUseId);
        const { output, exit } = toolText(
          toObjects(data.content).map(({ data }) => data),
        );
        return yield makeToolOutput({
          name: (call_id && this.#names.get(call_id)) ?? "tool",
          output,
          error: (exit ?? 0) !== 0 || data.status === "error",
          exit,
          call_id,
        }, base);
      }
      case "image":
        return this.#sink.tally.skip("attachment");
      default:
        this.#sink.tally.skip(`type:content.${String(block.kind).slice(0, 40)}`);
    }
  }

  #base(message: string): Base {
    const { cwd, key: model } = this.#session;
    return { message, ts: this.#ts, cwd, model };
  }
}

const kinds = new Set(["Prompt", "AssistantMessage", "ToolResults"]);
