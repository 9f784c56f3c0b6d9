// Reads a row of OpenCode 2's `session_message` as a message with parts, the shape that 1.x stored:
// one way leads from there to entries. Pure.

import { type Json, parseArguments, toList, toObject, toObjects, toText } from "../loose_json.ts";
import type { OpencodeMessage } from "./opencode_messages.ts";

/** The message that a row is; undefined for a row that is none: a switch, a system prompt. */
export function parseSessionMessage(
  { id, type, data }: { id: string; type: string; data: Json },
): OpencodeMessage | undefined {
  const make = (info: Json, parts: (Json | undefined)[]): OpencodeMessage => ({
    id,
    info: { time: data.time, ...info },
    parts: parts.flatMap((part, i) => part ? [{ id: `${id}:${i}`, part }] : []),
  });
  switch (type) {
    case "user":
      return make({ role: "user" }, [textPart(data), ...toObjects(data.files).map(filePart)]);
    case "synthetic":
      return make({ role: "user" }, [{ ...textPart(data), synthetic: true }]);
    case "shell":
      return make({ role: "assistant" }, [shellPart(data)]);
    case "compaction":
      return make({ role: "assistant", summary: true }, [
        { type: "compaction" },
        { type: "text", text: data.summary },
      ]);
    case "assistant": {
      const model = toObject(data.model);
      const files = toList(toObject(data.snapshot)?.files);
      return make(
        {
          role: "assistant",
          modelID: model?.id,
          providerID: model?.providerID,
          tokens: data.tokens,
        },
        // The list of files comes first: it is there or not while the content still grows.
        [
          files.length === 0 ? undefined : { type: "patch", files },
          ...toList(data.content).map(contentPart),
        ],
      );
    }
    default:
      return undefined;
  }
}

function textPart(data: Json): Json {
  return { type: "text", text: data.text };
}

function filePart(file: Json): Json {
  const uri = toText(file.uri);
  const path = uri === undefined || uri.startsWith("data:") ? undefined : uri;
  return { type: "file", filename: file.name, source: { path } };
}

function shellPart(data: Json): Json {
  const isDone = toObject(data.time)?.completed !== undefined;
  return {
    type: "tool",
    tool: "shell",
    callID: data.callID,
    state: {
      status: isDone ? "completed" : "running",
      input: { command: data.command },
      output: isDone ? data.output : undefined,
      time: { end: toObject(data.time)?.completed },
    },
  };
}

function contentPart(value: unknown): Json | undefined {
  const content = toObject(value);
  if (content?.type !== "tool") return content;
  const state = toObject(content.state) ?? {};
  const error = toText(state.error) ?? toText(toObject(state.error)?.message);
  const output = [outputOf(state), error].filter((part) => part !== undefined).join("\n");
  return {
    type: "tool",
    tool: content.name,
    callID: content.id,
    state: {
      status: state.status,
      input: parseArguments(state.input),
      output: state.status === "completed" || state.status === "error" ? output : undefined,
      error,
      metadata: state.structured,
      time: { end: toObject(content.time)?.completed },
    },
  };
}

/** What a tool gave: blocks of text, or what earlier builds had in their place. */
function outputOf(state: Json): string | undefined {
  const blocks = toObjects(state.content).map((block) =>
    toText(block.text) ?? `[${toText(block.name) ?? toText(block.mime) ?? String(block.type)}]`
  );
  if (blocks.length > 0) return blocks.join("\n");
  if (state.result === undefined) return toText(state.output);
  return toText(state.output) ?? toText(state.result) ?? JSON.stringify(state.result);
}
