// Turns the messages of a Goose session into entries. A compaction writes all messages anew under
// their ids and hides the earlier ones from the model, so every row carries a revision.

import type { DatabaseRow } from "../database/databases.ts";
import * as make from "../entries.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { sendMessage } from "../send_message.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { ToolNames } from "../tool_names.ts";

/** Sends the rows of a session into the sink. */
export async function emitGoose(
  session: SourceSession,
  messages: readonly DatabaseRow[],
  sink: Sink,
): Promise<void> {
  if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  const conversation = new GooseConversation(session, sink);
  for (const message of messages) await sendMessage(sink, conversation.take(message));
}

/** One session being read: results name their calls by id. */
class GooseConversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #tools = new ToolNames({});

  constructor(session: SourceSession, sink: Sink) {
    this.#session = session;
    this.#sink = sink;
  }

  take(message: DatabaseRow): SourceEntry[] {
    const { tally } = this.#sink;
    const content = findJson(String(message.content_json));
    if (!Array.isArray(content)) tally.bad_lines++;
    const metadata = toObject(findJson(toText(message.metadata_json) ?? "")) ?? {};
    const id = toText(message.message_id) ?? String(message.id);
    const base = {
      ts: toTime(message.created_timestamp) ?? this.#session.started ?? "",
      cwd: this.#session.cwd,
      model: message.role === "assistant" ? this.#modelOf(metadata) : undefined,
    };
    // What only the model sees is Goose's own: the summary that takes the place of earlier turns.
    const role = metadata.userVisible === false ? "goose" : String(message.role);
    return toObjects(content).flatMap((part, i) => [
      ...this.#fromPart(part, role, { ...base, message: `${id}:${i}` }),
    ]);
  }

  #modelOf(metadata: Json): string | undefined {
    const inference = toObject(metadata.inference);
    const name = toText(inference?.resolvedModel) ?? toText(inference?.requestedModel);
    const provider = toText(inference?.provider);
    return make.modelName(name, provider) ?? this.#session.key;
  }

  *#fromPart(part: Json, role: string, base: make.Base): Generator<SourceEntry> {
    const { tally } = this.#sink;
    const text = toText(part.text);
    switch (part.type) {
      case "text":
        if (text === undefined) return;
        if (role === "goose") return yield make.notice("summary", text, base);
        return yield make.turn(role === "user" ? "user" : "assistant", text, base);
      case "thinking":
      case "reasoning": {
        const thinking = toText(part.thinking) ?? text;
        if (thinking) yield make.thinking(thinking, base);
        return;
      }
      case "toolRequest":
      case "frontendToolRequest":
        return yield this.#call(part, base);
      case "toolResponse":
        return yield this.#finish(part, base);
      case "conversationCompacted":
        return yield make.notice("compaction", toText(part.msg) ?? "Conversation compacted", base);
      case "image":
      case "document":
        return tally.skip("attachment");
      default:
        tally.skip(`type:content.${String(part.type).slice(0, 40)}`);
    }
  }

  #call(part: Json, base: make.Base): SourceEntry {
    const call = toObject(part.toolCall);
    const value = toObject(call?.value) ?? {};
    const call_id = toText(part.id);
    // Goose's own tools are `developer__shell` and the like; what other servers give keeps its name.
    const name = (toText(value.name) ?? "tool").replace(/^developer__/, "");
    const input = value.arguments ?? toText(call?.error);
    return this.#tools.call({ name, input, call_id }, base);
  }

  #finish(part: Json, base: make.Base): SourceEntry {
    const result = toObject(part.toolResult);
    const value = toObject(result?.value);
    const call_id = toText(part.id);
    const error = toText(result?.error);
    // Before 2026 the value was the list of blocks itself.
    const blocks = toObjects(value?.content ?? toList(result?.value));
    return this.#tools.output({
      output: [...audible(blocks).map(blockText), error].filter((said) => said).join("\n"),
      error: result?.status === "error" || value?.isError === true,
      call_id,
    }, base);
  }
}

/** Some tools answer twice, once for the model and once for people: what the model got counts. */
function audible(blocks: Json[]): Json[] {
  const heard = blocks.filter((block) => {
    const audience = toList(toObject(block.annotations)?.audience);
    return audience.length === 0 || audience.includes("assistant");
  });
  return heard.length > 0 ? heard : blocks;
}

function blockText(block: Json): string {
  const resource = toObject(block.resource);
  return toText(block.text) ?? toText(resource?.text) ??
    `[${
      toText(block.mimeType) ?? toText(block.uri) ?? toText(resource?.uri) ?? String(block.type)
    }]`;
}
