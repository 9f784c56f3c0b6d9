// OpenAI chat completions, as OpenCode and Qwen Code speak them.

import type { Dialect, JsonObject } from "../scripted_model.ts";

/** `POST /v1/chat/completions`. */
export const openaiChat: Dialect = {
  matches: (path) => path.endsWith("/chat/completions"),
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map(({ function: { name } }: JsonObject) => name),
    results: messages.filter(({ role }: JsonObject) => role === "tool")
      .map(({ content }: JsonObject) => JSON.stringify(content)),
  }),
  write(turn, { model, stream }, { promptTokens }) {
    const call = "text" in turn ? undefined : {
      index: 0,
      id: `call_${crypto.randomUUID()}`,
      type: "function",
      function: { name: turn.name, arguments: JSON.stringify(turn.input) },
    };
    const said = "text" in turn ? { content: turn.text } : { tool_calls: [call] };
    const finish_reason = call === undefined ? "stop" : "tool_calls";
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: 5,
      total_tokens: promptTokens + 5,
    };
    const base = { id: "chat_1", created: 1, model };
    const message = { role: "assistant", ...said };
    if (stream !== true) {
      const choices = [{ index: 0, finish_reason, message }];
      return { ...base, object: "chat.completion", choices, usage };
    }
    const chunk = { ...base, object: "chat.completion.chunk" };
    return {
      events: [
        { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
        { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage } },
        { data: "[DONE]" },
      ],
    };
  },
};
