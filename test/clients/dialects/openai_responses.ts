// OpenAI Responses, as Codex speaks them. Codex offers the tools of a server as a namespace; a call
// then carries the namespace and the tool's own name. To models that can search for tools it offers none
// of them, but a search; what it finds comes with its result.

import { toolSearch } from "../model_step.ts";
import type { Dialect, JsonObject } from "../scripted_model.ts";

/** `POST /v1/responses`. */
export const openaiResponses: Dialect = {
  matches: (path) => path.endsWith("/responses"),
  read: (body) => ({
    tools: offeredIn(body).flatMap(toNames),
    results: (body.input ?? []).filter(({ type }: JsonObject) => /_output$/.test(type))
      .map(({ output, tools }: JsonObject) => JSON.stringify(output ?? tools)),
  }),
  write(turn, body) {
    const { model } = body;
    const item = "name" in turn && turn.name === toolSearch
      ? {
        type: "tool_search_call",
        id: `ts_${crypto.randomUUID()}`,
        call_id: `call_${crypto.randomUUID()}`,
        execution: "client",
        arguments: turn.input,
      }
      : "text" in turn
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
        ...findPlace(turn.name, offeredIn(body)),
        arguments: JSON.stringify(turn.input),
      };
    const done = { ...item, status: "completed" };
    const begun = {
      ...item,
      ...("call_id" in item && "name" in item ? { arguments: "" } : {}),
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

/** What is offered, and what was found by search. */
function offeredIn({ tools = [], input = [] }: JsonObject): JsonObject[] {
  return [
    ...tools,
    ...input.flatMap(({ type, tools: found = [] }: JsonObject) =>
      type === "tool_search_output" ? found : []
    ),
  ];
}

function toNames(tool: JsonObject): string[] {
  if (tool.type === toolSearch) return [toolSearch];
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
