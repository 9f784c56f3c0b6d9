// Turns Cursor's bubbles into entries: one agent turn is many bubbles of text, thinking and tools.
// They change in place, so rows carry revisions.

import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import { sendMessage } from "../send_message.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { patchOfHunks } from "../patches.ts";
import { findPath, findTouched, toProjectPath } from "../touched.ts";

/** Sends the rows of ordered bubbles into the sink. */
export async function emitBubbles(
  session: SourceSession,
  bubbles: { id: string; bubble: Json }[],
  { sink, ...chosen }: { sink: Sink; model?: string },
): Promise<void> {
  if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  let ts = session.started ?? session.updated ?? new Date(0).toISOString();
  let { model } = chosen;
  for (const { id, bubble } of bubbles) {
    ts = toTime(bubble.createdAt) ?? ts;
    model = modelOf(toObject(bubble.modelInfo)?.modelName) ?? model;
    const base = { message: id, ts, cwd: session.cwd, branch: session.branch, model };
    await sendMessage(sink, [...bubbleRows(bubble, base)]);
  }
}

/** The name of a model; "default" leaves the choice to Cursor and names none. */
export function modelOf(name: unknown): string | undefined {
  return name === "default" ? undefined : toText(name);
}

function* bubbleRows(bubble: Json, base: make.Base): Generator<SourceEntry> {
  const rows: SourceEntry[] = [];
  const thinking = toText(toObject(bubble.thinking)?.text);
  if (thinking) {
    rows.push(make.thinking(thinking, { ...base, message: `${base.message}:thinking` }));
  }
  const text = toText(bubble.text) ?? lexicalText(bubble.richText);
  if (text) {
    const turn = make.turn(bubble.type === 1 ? "user" : "assistant", text, base);
    rows.push(make.withFiles(turn, attachedFiles(bubble, base.cwd)));
  }
  rows.push(...toolRows(toObject(bubble.toolFormerData), base));
  const tokens = toObject(bubble.tokenCount);
  const last = rows[rows.length - 1];
  if (last && tokens && (toNumber(tokens.outputTokens) ?? 0) > 0) {
    last.usage = {
      id: base.message,
      input_tokens: toNumber(tokens.inputTokens),
      output_tokens: toNumber(tokens.outputTokens),
    };
  }
  yield* rows;
}

function* toolRows(tool: Json | undefined, base: make.Base): Generator<SourceEntry> {
  const name = toText(tool?.name);
  if (tool === undefined || name === undefined) return;
  const call_id = toText(tool.toolCallId)?.split("\n")[0];
  const parsed = [tool.rawArgs, tool.params].map((value) =>
    typeof value === "string" ? findJson(value) ?? toText(value) : value
  );
  const input = parsed[0] ?? parsed[1];
  yield make.toolCall({ name, input, call_id }, { ...base, message: `${base.message}:call` });
  const output = toText(tool.result) ?? toText(tool.error);
  if (output === undefined) return;
  const error = tool.status === "error" || toText(tool.error) !== undefined;
  const message = `${base.message}:output`;
  const [file = ""] = findTouched(name, input, base.cwd);
  const hunks = output.startsWith("{") ? diffOf(output)?.chunks : undefined;
  const patch = patchOfHunks(file, hunks);
  yield make.toolOutput({ name, call_id, output, error, patch }, { ...base, message });
}

/** The diff that the result of an edit tells. */
function diffOf(result: string): Json | undefined {
  return toObject(toObject(findJson(result))?.diff);
}

function attachedFiles(bubble: Json, cwd: string | undefined): string[] {
  const uris = [
    ...toObjects(bubble.codeBlocks).map((block) => block.uri),
    ...toObjects(bubble.attachedFileCodeChunksMetadataOnly).map((chunk) =>
      chunk.relativeWorkspacePath
    ),
  ];
  return uris.map(findPath).filter((path) => path !== undefined)
    .map((path) => toProjectPath(path, cwd));
}

/** The plain text of a Lexical document, for bubbles that have nothing else. */
function lexicalText(value: unknown): string | undefined {
  const root = typeof value === "string" ? toObject(toObject(findJson(value))?.root) : undefined;
  if (root === undefined) return undefined;
  const walk = (node: Json): string =>
    toText(node.text) ?? toObjects(node.children).map(walk).join(node.type === "root" ? "\n" : "");
  return walk(root).trim() || undefined;
}
