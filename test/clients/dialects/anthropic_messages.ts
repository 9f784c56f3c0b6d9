// Anthropic Messages, as Claude Code speaks them.

import type { Dialect, JsonObject, StreamedAnswer } from "../scripted_model.ts";

/** `POST /v1/messages`. */
export const anthropicMessages: Dialect = {
  matches: (path) => path.endsWith("/messages"),
  read({ tools = [], messages = [] }) {
    const blocks = messages.flatMap(({ content }: JsonObject) =>
      Array.isArray(content) ? content : []
    );
    return {
      tools: tools.map(({ name }: JsonObject) => name),
      results: blocks.filter(({ type }: JsonObject) => type === "tool_result")
        .map(({ content }: JsonObject) => JSON.stringify(content)),
    };
  },
  write(turn, { model, stream }) {
    const id = crypto.randomUUID();
    const block = "text" in turn
      ? { type: "text", text: turn.text }
      : { type: "tool_use", id: `toolu_${id}`, name: turn.name, input: turn.input };
    const stop_reason = "text" in turn ? "end_turn" : "tool_use";
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    if (stream !== true) return { ...message, content: [block], stop_reason };
    const empty = "text" in turn ? { ...block, text: "" } : { ...block, input: {} };
    const delta = "text" in turn
      ? { type: "text_delta", text: turn.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(turn.input) };
    const events: [type: string, rest: JsonObject][] = [
      ["message_start", { message: { ...message, content: [], stop_reason: null } }],
      ["content_block_start", { index: 0, content_block: empty }],
      ["content_block_delta", { index: 0, delta }],
      ["content_block_stop", { index: 0 }],
      ["message_delta", {
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 5 },
      }],
      ["message_stop", {}],
    ];
    return toAnswer(events);
  },
};

function toAnswer(events: [type: string, rest: JsonObject][]): StreamedAnswer {
  return { events: events.map(([type, rest]) => ({ event: type, data: { type, ...rest } })) };
}
