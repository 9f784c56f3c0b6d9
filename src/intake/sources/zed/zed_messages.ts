// Turns a thread of Zed into entries. Messages have no time of their own, and all of a thread is
// written anew with each change: rows have the thread's first time and a revision without it.

import { revisionOf } from "../content.ts";
import * as make from "../entries.ts";
import { type Json, toList, toObject, toObjects, toText } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { toProjectPath } from "../touched.ts";

/** Sends the rows of a thread into the sink. */
export async function emitZed(session: SourceSession, thread: Json, sink: Sink): Promise<void> {
  const isNamed = session.title !== undefined && session.title !== "New Thread";
  if (isNamed) sink.describe({ title: session.title, title_from: "ai" });
  const model = toObject(thread.model);
  const base = {
    ts: session.started ?? "",
    cwd: session.cwd,
    branch: branchOf(thread),
    model: make.modelName(toText(model?.model), toText(model?.provider)),
  };
  sink.describe({ branch: base.branch });
  for (const [i, value] of toList(thread.messages).entries()) {
    const message = toObject(value);
    // A mark that the user let the agent go on.
    if (value === "Resume") continue;
    sink.tally.messages++;
    if (message?.is_hidden === true) {
      sink.tally.skip("harness_text");
      continue;
    }
    const rows = message
      ? [...fromMessage(message, { ...base, message: String(i) }, sink.tally)]
      : [];
    if (rows.length === 0) sink.tally.skip("empty_message");
    for (const row of rows) {
      const { ts: _time, ...timeless } = row;
      await sink.entry({ ...row, revision: revisionOf(timeless) });
    }
  }
}

function branchOf(thread: Json): string | undefined {
  const [tree] = toObjects(toObject(thread.initial_project_snapshot)?.worktree_snapshots);
  return toText(toObject(tree?.git_state)?.current_branch);
}

function* fromMessage(message: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const [user, agent] = [toObject(message.User), toObject(message.Agent)];
  if (user) return yield* fromUser(user, base, tally);
  if (agent) return yield* fromAgent(agent, base, tally);
  if (message.Compaction !== undefined) {
    const summary = toText(toObject(message.Compaction)?.Summary);
    return yield summary === undefined
      ? make.notice("compaction", "Context compacted", base)
      : make.notice("summary", summary, base);
  }
  if (message.role === undefined) {
    return tally.skip(`type:message.${Object.keys(message).join().slice(0, 40)}`);
  }
  yield* fromLegacy(message, base, tally);
}

/** A prompt: its text, and the names of what it mentions; the content that Zed put in goes. */
function* fromUser(user: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const files: string[] = [];
  const said = toObjects(user.content).map((part) => {
    const mention = toObject(part.Mention);
    const found = mention && findPath(mention.uri);
    const path = found && toProjectPath(found, base.cwd);
    if (part.Image !== undefined) tally.skip("attachment");
    if (path) files.push(path);
    return toText(part.Text) ?? path ?? "";
  }).join("");
  const message = toText(user.id) ?? base.message;
  if (said !== "") yield make.withFiles(make.turn("user", said, { ...base, message }), files);
}

/** The path in a mention, whatever kind of thing is mentioned. */
function findPath(uri: unknown): string | undefined {
  const object = toObject(uri);
  if (object === undefined) {
    const text = toText(uri);
    return text?.startsWith("file://") ? text.slice("file://".length) : undefined;
  }
  const inner = toObject(Object.values(object)[0]);
  return toText(object.abs_path) ?? toText(inner?.abs_path) ?? toText(inner?.path);
}

function* fromAgent(agent: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const results = toObject(agent.tool_results) ?? {};
  for (const [i, part] of toObjects(agent.content).entries()) {
    const at = { ...base, message: `${base.message}:${i}` };
    const [text, thought] = [toText(part.Text), toText(toObject(part.Thinking)?.text)];
    const use = toObject(part.ToolUse);
    if (text) yield make.turn("assistant", text, at);
    else if (thought) yield make.thinking(thought, at);
    else if (use) {
      const id = String(use.id);
      yield* fromTool(use, Object.hasOwn(results, id) ? toObject(results[id]) : undefined, at);
    }
    if (part.RedactedThinking !== undefined) tally.skip("redacted_thinking");
  }
}

function* fromTool(use: Json, result: Json | undefined, base: make.Base): Generator<SourceEntry> {
  const name = toText(use.name) ?? "tool";
  const call_id = toText(use.id);
  // Since 2026 the input says what it is: `{"type": "json", "value": …}`.
  const typed = toObject(use.input);
  const input = typed?.type === "json" && "value" in typed ? typed.value : use.input;
  yield make.toolCall({ name, input, call_id }, base);
  if (result === undefined) return;
  yield make.toolOutput({
    name,
    output: resultText(result.content),
    error: result.is_error === true,
    call_id,
  }, { ...base, message: `${base.message}:output` });
}

/** Text as it is, in an object under one of several names, or a list of such. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(resultText).join("");
  const object = toObject(content);
  return toText(object?.Text) ?? toText(object?.text) ?? (object === undefined ? "" : "[image]");
}

/** Messages before version 0.3.0: segments, and calls and results in lists beside them. */
function* fromLegacy(message: Json, base: make.Base, tally: Tally): Generator<SourceEntry> {
  const segments = Array.isArray(message.segments)
    ? toObjects(message.segments)
    : [{ type: "text", text: message.text }];
  if (message.role === "user") {
    const content = segments.map(({ text }) => ({ Text: text }));
    return yield* fromUser({ content }, base, tally);
  }
  if (message.role !== "assistant") return tally.skip(`type:message.${String(message.role)}`);
  const content = [
    ...segments.map((segment) =>
      segment.type === "thinking" ? { Thinking: segment } : { Text: segment.text }
    ),
    ...toObjects(message.tool_uses).map((use) => ({ ToolUse: use })),
  ];
  const results = toObjects(message.tool_results).map((result) => [result.tool_use_id, result]);
  yield* fromAgent({ content, tool_results: Object.fromEntries(results) }, base, tally);
}
