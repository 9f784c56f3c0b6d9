// Turns a conversation in Kiro's database, one JSON document, into entries: a list of pairs, what the
// user or a tool gave and what the assistant made of it.

import * as make from "../entries.ts";
import { type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { ToolNames } from "../tool_names.ts";
import { sendMessage } from "../reading.ts";

/** Sends the rows of a conversation into the sink. */
export async function emitKiroDocument(
  session: SourceSession,
  document: Json | undefined,
  sink: Sink,
): Promise<void> {
  if (document === undefined) {
    sink.tally.bad_lines++;
    return sink.tally.problem(session.path, `conversation ${session.id} in it is not valid JSON`);
  }
  const tools = new ToolNames({});
  let ts = session.started ?? "";
  const summary = toText(toList(document.latest_summary)[0]) ?? toText(document.latest_summary);
  for (const pair of toObjects(document.history)) {
    const user = toObject(pair.user) ?? {};
    const metadata = toObject(pair.request_metadata);
    ts = toTime(user.timestamp) ?? toTime(metadata?.request_start_timestamp_ms) ?? ts;
    const model = toText(metadata?.model_id) ?? toText(toObject(document.model_info)?.model_id);
    // Kiro drops the oldest pairs of a long conversation: only ids of its own stay what they are.
    const answer = toObject(toObject(pair.assistant)?.ToolUse) ??
      toObject(toObject(pair.assistant)?.Response) ?? {};
    const id = toText(answer.message_id) ?? toText(metadata?.request_id) ?? ts;
    const base = { ts, cwd: session.cwd, message: id };
    await sendMessage(sink, [...fromUser(toObject(user.content) ?? {}, tools, base)]);
    await sendMessage(sink, [...fromAssistant(answer, tools, { ...base, model })]);
  }
  if (summary === undefined) return;
  const base = { ts: session.started ?? ts, cwd: session.cwd, message: "summary" };
  await sendMessage(sink, [make.notice("summary", summary, base)]);
}

function* fromUser(content: Json, tools: ToolNames, base: make.Base): Generator<SourceEntry> {
  const given = toObject(content.Prompt) ?? toObject(content.CancelledToolUses) ??
    toObject(content.ToolUseResults) ?? {};
  for (const [i, result] of toObjects(given.tool_use_results).entries()) {
    const call_id = result.tool_use_id;
    const { output, exit } = toolText(
      toObjects(result.content).map((block) => block.Text ?? block.Json),
    );
    const error = (exit ?? 0) !== 0 || result.status === "Error";
    yield tools.output({ output, error, exit, call_id }, make.under(base, `result:${i}`));
  }
  const prompt = toText(given.prompt);
  if (prompt) yield make.turn("user", prompt, make.under(base, "prompt"));
}

function* fromAssistant(answer: Json, tools: ToolNames, base: make.Base): Generator<SourceEntry> {
  const said = toText(answer.content);
  if (said) yield make.turn("assistant", said, base);
  for (const [i, use] of toObjects(answer.tool_uses).entries()) {
    const input = Object.keys(toObject(use.args) ?? {}).length > 0 ? use.args : use.orig_args;
    yield tools.call({ name: use.name, input, call_id: use.id }, make.under(base, `call:${i}`));
  }
}

/** What a tool gave: text, or what a shell printed and the code that it ended with. */
export function toolText(blocks: readonly unknown[]): { output: string; exit?: number } {
  let exit: number | undefined;
  const said = blocks.map((block) => {
    const shell = toObject(block);
    if (shell === undefined) return toText(block) ?? "";
    const status = toText(shell.exit_status);
    if (status === undefined) return JSON.stringify(block);
    exit = Number(/\d+$/.exec(status)?.[0] ?? -1);
    return [toText(shell.stdout), toText(shell.stderr)].filter((part) => part).join("\n");
  });
  return { output: said.join("\n"), exit };
}
