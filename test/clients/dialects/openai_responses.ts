// OpenAI Responses, as Codex speaks them. Codex offers the tools of a server as a namespace; a call
// then carries the namespace and the tool's own name.

import type { Dialect, JsonObject } from "../scripted_model.ts";

/** `POST /v1/responses`. */
export const openaiResponses: Dialect = {
  matches: (path) => path.endsWith("/responses"),
  read: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap(toNames),
    results: input.filter(({ type }: JsonObject) => /_output$/.test(type))
      .map(({ output }: JsonObject) => JSON.stringify(output)),
  }),
  write(turn, { model, tools = [] }) {
    const item = "text" in turn
      ? {
        type: "message",
        id: `msg_${crypto.randomUUID()}`,
        role: "assistant",
        content: [{ type: "output_text", text: turn.text, annotations: [] }],
      }
      : {
        type: "function_call",
        id: `fc_${crypto.randomUUID()}`,
        call_id: `call_${crypto.randomUUID()}`,
        ...findPlace(turn.name, tools),
        arguments: JSON.stringify(turn.input),
      };
    const done = { ...item, status: "completed" };
    const begun = {
      ...item,
      ...("text" in turn ? {} : { arguments: "" }),
      status: "in_progress",
    };
    const response = {
      id: `resp_${crypto.randomUUID()}`,
      object: "response",
      created_at: 1,
      model,
    };
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const at = { output_index: 0 };
    const events: [type: string, rest: JsonObject][] = [
      ["response.created", { response: { ...response, status: "in_progress", output: [] } }],
      ["response.output_item.added", { ...at, item: begun }],
      ...("text" in turn
        ? [
          ["response.output_text.delta", {
            ...at,
            item_id: item.id,
            content_index: 0,
            delta: turn.text,
          }] satisfies [string, JsonObject],
        ]
        : []),
      ["response.output_item.done", { ...at, item: done }],
      ["response.completed", {
        response: { ...response, status: "completed", output: [done], usage },
      }],
    ];
    return { events: events.map(([type, rest]) => ({ event: type, data: { type, ...rest } })) };
  },
};

function toNames(tool: JsonObject): string[] {
  if (tool.type !== "namespace") return tool.name === undefined ? [] : [tool.name];
  return tool.tools.map(({ name }: JsonObject) => `${tool.name}${joint(tool)}${name}`);
}

function findPlace(name: string, tools: JsonObject[]): { name: string; namespace?: string } {
  for (const tool of tools.filter(({ type }) => type === "namespace")) {
    const prefix = `${tool.name}${joint(tool)}`;
    if (name.startsWith(prefix)) return { namespace: tool.name, name: name.slice(prefix.length) };
  }
  return { name };
}

function joint({ name }: JsonObject): string {
  return name.endsWith("_") ? "" : "__";
}
