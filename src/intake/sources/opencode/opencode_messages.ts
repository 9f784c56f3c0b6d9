// Turns OpenCode messages and their parts into entries. Parts change in place while they stream, so
// every row carries a revision.

import { isRestoredId } from "../../../core/restored_uuid.ts";
import * as make from "../entries.ts";
import {
  type Json,
  parseArguments,
  toList,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import { withHead } from "../patches.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { otherType, sendMessage } from "../reading.ts";
import { pathsOf, toProjectPath } from "../touched.ts";

/** One message with its parts, in order. */
export interface OpencodeMessage {
  id: string;
  info: Json;
  parts: { id: string; part: Json }[];
}

/** A session's messages and what its own record says. */
export interface OpencodeSession {
  messages: Iterable<OpencodeMessage>;
  /** The message from which on everything was undone. */
  revert?: string;
}

/** Sends the rows of a session into the sink. */
export async function emitOpencode(
  session: SourceSession,
  { messages, revert }: OpencodeSession,
  sink: Sink,
): Promise<void> {
  const placeholder = session.title === undefined || /^New session - /.test(session.title);
  if (!placeholder) sink.describe({ title: session.title, title_from: "ai" });
  let undone = false;
  for (const message of messages) {
    if (message.id === revert) undone = true;
    if (isRestoredId(message.id)) {
      sink.tally.skip("restored_by_ctx");
      continue;
    }
    const rows = toRows(session, message, sink);
    await sendMessage(sink, undone ? rows.map((row) => ({ ...row, undone: true })) : rows);
  }
}

function toRows(session: SourceSession, message: OpencodeMessage, sink: Sink): SourceEntry[] {
  const { info, parts } = message;
  const cwd = toText(toObject(info.path)?.cwd) ?? toText(info.path) ?? session.cwd;
  const ts = toTime(toObject(info.time)?.created) ?? session.started ?? session.updated ?? "";
  const base = { ts, cwd, model: modelOf(info) };
  const rows = parts.flatMap(({ id, part }) => [
    ...fromPart(part, info, { ...base, message: id }, sink),
  ]);
  const files = parts.filter(({ part }) => part.type === "file")
    .map(({ part }) => toText(toObject(part.source)?.path) ?? toText(part.filename));
  make.attach(rows, pathsOf(files, cwd));
  const tokens = toObject(info.tokens);
  const cache = toObject(tokens?.cache);
  make.addUsage(rows, message.id, tokens && { ...tokens, ...cache }, usageNames);
  return rows;
}

function modelOf(info: Json): string | undefined {
  const model = toObject(info.model);
  const name = toText(info.modelID) ?? toText(model?.modelID);
  const provider = toText(info.providerID) ?? toText(model?.providerID);
  return make.modelName(name, provider);
}

function* fromPart(part: Json, info: Json, base: make.Base, sink: Sink): Generator<SourceEntry> {
  const text = toText(part.text);
  switch (part.type) {
    case "text":
      if (!text) return;
      if (part.synthetic === true || part.ignored === true) {
        return sink.tally.skip("synthetic_text");
      }
      if (info.role === "assistant" && info.summary === true) {
        return yield make.notice("summary", text, base);
      }
      return yield make.turn(info.role === "user" ? "user" : "assistant", text, base);
    case "reasoning":
      if (text) yield make.thinking(text, base);
      return;
    case "tool":
      return yield* fromTool(part, base);
    case "patch": {
      const files = toList(part.files).filter((file) => typeof file === "string")
        .map((file) => toProjectPath(file, base.cwd));
      if (files.length > 0) yield make.patch(files, base);
      return;
    }
    case "subtask":
      return yield make.toolCall({
        name: "subtask",
        input: { agent: part.agent, description: part.description, prompt: part.prompt },
      }, base);
    case "compaction":
      return yield make.notice("compaction", "Session compacted", base);
    case "file":
      return;
    default:
      sink.tally.skip(otherType(part.type, "part."));
  }
}

/** One part holds the call and, later, its result. */
function* fromTool(part: Json, base: make.Base): Generator<SourceEntry> {
  const state = toObject(part.state) ?? {};
  const name = toText(part.tool) ?? "tool";
  const call_id = toText(part.callID);
  yield make.toolCall({ name, input: state.input, call_id }, base);
  const metadata = toObject(state.metadata);
  const error = toText(state.error);
  const output = toText(state.output) ?? error;
  if (output === undefined && state.status !== "completed") return;
  const exit = toNumber(metadata?.exit);
  const ts = toTime(toObject(state.time)?.end) ?? base.ts;
  const path = toText(toObject(state.input)?.filePath) ??
    toText(toObject(metadata?.filediff)?.file) ?? "";
  yield make.toolOutput({
    name,
    call_id,
    output: output ?? "",
    error: error !== undefined || (exit !== undefined && exit !== 0),
    agent: /^(?:task|subagent)$/.test(name)
      ? toText(metadata?.sessionId) ?? toText(metadata?.sessionID)
      : undefined,
    exit,
    patch: withHead(toProjectPath(path, base.cwd), metadata?.diff),
  }, { ...make.under(base, "output"), ts });
}

const usageNames: make.UsageNames = {
  input_tokens: "input",
  output_tokens: "output",
  reasoning_tokens: "reasoning",
  cache_read_tokens: "read",
  cache_write_tokens: "write",
};

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
