// Turns the history of a Continue session into entries. It is rewritten whole, and calls are completed
// in place, so rows carry revisions.

import { BlockRows, blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, parseArguments, toObject, toObjects, toText } from "../loose_json.ts";
import { sendMessage } from "../send_message.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** Sends the rows of a session into the sink. */
export async function emitContinue(
  session: SourceSession,
  document: Json,
  sink: Sink,
): Promise<void> {
  const title = toText(document.title);
  if (title && title !== "New Session" && title !== "Untitled Session") {
    sink.describe({ title, title_from: "ai" });
  }
  const blocks = new BlockRows(sink.tally);
  const ended = new Set<string>();
  for (const [i, item] of toObjects(document.history).entries()) {
    const base = { message: String(i), ts: session.started ?? "", cwd: session.cwd };
    await sendMessage(sink, rowsOf(item, blocks, { base, ended }));
  }
}

function rowsOf(
  item: Json,
  blocks: BlockRows,
  { base, ended }: { base: make.Base; ended: Set<string> },
): SourceEntry[] {
  const message = toObject(item.message) ?? {};
  const summary = toText(item.conversationSummary);
  const rows = summary
    ? [make.notice("summary", summary, { ...base, message: `${base.message}:summary` })]
    : [];
  if (message.role === "user") return [...rows, ...blocks.rows("user", parts(message), base)];
  if (message.role === "tool") {
    // Results stand with their calls; older versions had them as messages of their own.
    const call_id = toText(message.toolCallId);
    if (ended.has(call_id ?? "")) return rows;
    return [...rows, blocks.tools.output({ call_id, output: blocksText(message.content) }, base)];
  }
  // Thinking is beside its answer, or a message of its own.
  const thought = toText(toObject(item.reasoning)?.text) ??
    (message.role === "thinking" ? blocksText(message.content) : undefined);
  if (thought) rows.push(make.thinking(thought, { ...base, message: `${base.message}:thinking` }));
  if (message.role !== "assistant") return rows;
  const model = toText(toObject(toObjects(item.promptLogs)[0])?.modelTitle);
  const ofModel = { ...base, model };
  rows.push(...blocks.rows("assistant", parts(message), ofModel));
  // One call in older versions, a list since.
  const states = toObjects(item.toolCallStates ?? [item.toolCallState]);
  const calls = states.length > 0
    ? states.map(({ toolCall }) => toObject(toolCall) ?? {})
    : toObjects(
      message.toolCalls,
    );
  for (const [i, call] of calls.entries()) {
    const made = toObject(call.function);
    const call_id = toText(call.id);
    const at = { ...ofModel, message: `${base.message}:call-${i}` };
    const name = toText(made?.name) ?? "tool";
    rows.push(blocks.tools.call({ name, input: parseArguments(made?.arguments), call_id }, at));
    const { output, status } = states[i] ?? {};
    if (output === undefined && status !== "errored") continue;
    if (call_id !== undefined) ended.add(call_id);
    const said = toObjects(output).map((part) => toText(part.content) ?? "").join("\n");
    rows.push(
      blocks.tools.output({ name, call_id, output: said, error: status === "errored" }, {
        ...at,
        model: undefined,
        message: `${at.message}:output`,
      }),
    );
  }
  return rows;
}

/** Pictures are parts of type `imageUrl`. */
function parts({ content }: Json): unknown {
  if (!Array.isArray(content)) return content === "" ? [] : content;
  return content.map((part) => toObject(part)?.type === "imageUrl" ? { type: "image" } : part);
}
