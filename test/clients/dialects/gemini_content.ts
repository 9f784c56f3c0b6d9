// Gemini's generateContent, as Gemini CLI speaks it.

import type { Dialect, JsonObject } from "../scripted_model.ts";

/** `POST …:generateContent` and `…:streamGenerateContent`. */
export const geminiContent: Dialect = {
  matches: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  read: ({ tools = [], contents = [] }) => ({
    tools: tools.flatMap(({ functionDeclarations = [] }: JsonObject) =>
      functionDeclarations.map(({ name }: JsonObject) => name)
    ),
    results: contents.flatMap(({ parts = [] }: JsonObject) =>
      parts.filter(({ functionResponse }: JsonObject) => functionResponse !== undefined)
        .map(({ functionResponse }: JsonObject) => JSON.stringify(functionResponse.response))
    ),
  }),
  write(turn, _body, { path, promptTokens }) {
    const part = "text" in turn
      ? { text: turn.text }
      : { functionCall: { name: turn.name, args: turn.input } };
    const data = {
      candidates: [{
        index: 0,
        finishReason: "STOP",
        content: { role: "model", parts: [part] },
      }],
      usageMetadata: {
        promptTokenCount: promptTokens,
        candidatesTokenCount: 5,
        totalTokenCount: promptTokens + 5,
      },
      modelVersion: "scripted",
    };
    return path.endsWith(":streamGenerateContent") ? { events: [{ data }] } : data;
  },
};
