// Continue, its extension and its command line `cn`: `~/.continue/sessions/<session>.json`, rewritten
// whole, with a list of all in `sessions.json`. Messages are not dated: all have the session's time. Calls
// are completed in place, so rows carry revisions.

import { type BlockRows, blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import {
  findJson,
  type Json,
  parseArguments,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import { readDocument } from "../read_document.ts";
import type { SourceEntry } from "../source.ts";
import { fileSource } from "../source_kinds.ts";
import { toProjectPath } from "../touched.ts";
import { findSmallText } from "../walk.ts";
import { readValues, type RecordFormat } from "../reading.ts";

const maxDocumentBytes = 64 << 20;

export const continueDev = fileSource({
  name: "continue",
  title: "Continue",
  roots: ({ env, home }) => [`${env("CONTINUE_GLOBAL_DIR") || `${home}/.continue`}/sessions`],
  files: (name) => name.endsWith(".json") && name !== "sessions.json",
  maxDepth: 1,
  describe(root) {
    const listed = new Map(
      toObjects(findJson(findSmallText(`${root}/sessions.json`, maxDocumentBytes) ?? ""))
        .map((row) => [toText(row.sessionId), row]),
    );
    return ({ stem, head }) => {
      if (!head.text.includes('"history"')) return undefined;
      const item = listed.get(stem);
      const place = toText(item?.workspaceDirectory) ?? head.find("workspaceDirectory");
      return {
        cwd: place && toProjectPath(place),
        title: head.find("title"),
        started: toTime(item?.dateCreated),
      };
    };
  },
  async read(session, sink) {
    const { tally } = sink;
    const document = toObject(readDocument(session.path, { tally, maxBytes: maxDocumentBytes }));
    const title = toText(document?.title);
    if (title && title !== "New Session" && title !== "Untitled Session") {
      sink.describe({ title, title_from: "ai" });
    }
    const ended = new Set<string>();
    const format: RecordFormat = {
      isRevised: true,
      timeOf: () => undefined,
      idOf: () => undefined,
      rows: (item, base, { blocks }) => rowsOf(item, blocks, { base, ended }),
    };
    const untitled = { ...session, title: undefined };
    await readValues(format, untitled, sink, toObjects(document?.history));
  },
});

function rowsOf(
  item: Json,
  blocks: BlockRows,
  { base, ended }: { base: make.Base; ended: Set<string> },
): SourceEntry[] {
  const message = toObject(item.message) ?? {};
  const summary = toText(item.conversationSummary);
  const rows = summary ? [make.notice("summary", summary, make.under(base, "summary"))] : [];
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
  if (thought) rows.push(make.thinking(thought, make.under(base, "thinking")));
  if (message.role !== "assistant") return rows;
  const model = toText(toObject(toObjects(item.promptLogs)[0])?.modelTitle);
  const ofModel = { ...base, model };
  rows.push(...blocks.rows("assistant", parts(message), ofModel));
  // One call in older versions, a list since.
  const states = toObjects(item.toolCallStates ?? [item.toolCallState]);
  const calls = states.length > 0
    ? states.map(({ toolCall }) => toObject(toolCall) ?? {})
    : toObjects(message.toolCalls);
  for (const [i, call] of calls.entries()) {
    const made = toObject(call.function);
    const [name, call_id] = [toText(made?.name) ?? "tool", toText(call.id)];
    const at = make.under(ofModel, `call-${i}`);
    rows.push(blocks.tools.call({ name, input: parseArguments(made?.arguments), call_id }, at));
    const { output: given, status } = states[i] ?? {};
    if (given === undefined && status !== "errored") continue;
    if (call_id !== undefined) ended.add(call_id);
    const output = toObjects(given).map((part) => toText(part.content) ?? "").join("\n");
    const result = { name, call_id, output, error: status === "errored" };
    rows.push(blocks.tools.output(result, { ...make.under(at, "output"), model: undefined }));
  }
  return rows;
}

/** Pictures are parts of type `imageUrl`. */
function parts({ content }: Json): unknown {
  if (!Array.isArray(content)) return content === "" ? [] : content;
  return content.map((part) => toObject(part)?.type === "imageUrl" ? { type: "image" } : part);
}
