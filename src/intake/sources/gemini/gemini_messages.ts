// Turns the messages of a Gemini chat into entries.

import { isRestoredId } from "../../../core/restored_uuid.ts";
import { referencedFiles } from "../../../core/voice/client_forms.ts";
import * as make from "../entries.ts";
import type { GeminiDocument } from "./gemini_journal.ts";
import { dig, type Json, partsText, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { withHead } from "../patches.ts";
import { otherType, readValues, type RecordFormat } from "../reading.ts";
import { toProjectPath } from "../touched.ts";
import { withoutBlocks } from "../without_blocks.ts";

/** What the interface told the user: no part of the conversation. */
const notices: ReadonlySet<unknown> = new Set(["info", "warning", "error"]);

/** Sends the rows of a chat into the sink. */
export async function emitGemini(
  session: SourceSession,
  { meta, messages }: GeminiDocument,
  sink: Sink,
): Promise<void> {
  const started = toTime(meta.startTime) ?? session.started;
  const chat = { ...session, started, title: toText(meta.summary) };
  await readValues(geminiMessages, chat, sink, messages);
}

const geminiMessages: RecordFormat = {
  isRevised: true,
  idOf: ({ id }, _session, key) => toText(id) ?? `message-${key}`,
  rows(message, base, { sink }) {
    if (notices.has(message.type)) {
      sink.tally.skip("notice");
      return undefined;
    }
    if (message.type !== "user" && message.type !== "gemini") return otherType(message.type);
    if (isRestoredId(toText(message.id) ?? "")) return "restored_by_ctx";
    const of = { ...base, model: toText(message.model) };
    const rows = message.type === "user" ? userRows(message, of) : geminiRows(message, of);
    return rows.length === 0 && partsText(message.content) ? "harness_text" : rows;
  },
};

function userRows(message: Json, base: make.Base): SourceEntry[] {
  const text = withoutHarness(partsText(message.displayContent) || partsText(message.content));
  const cut = text.indexOf(`\n${referencedFiles}`);
  const typed = cut < 0 ? text : text.slice(0, cut);
  if (typed.trim() === "") return [];
  // What takes the place of earlier messages when a chat is compressed.
  const isSummary = typed.trimStart().startsWith("<state_snapshot>");
  return [isSummary ? make.notice("summary", typed, base) : make.turn("user", typed, base)];
}

/** What the harness says before the first prompt, and what hooks put beside prompts and results. */
function withoutHarness(text: string): string {
  if (!text.includes("_context>")) return text;
  return withoutBlocks(text.replace(harness, ""), ["hook_context"]).trim();
}

const harness = /^\s*<session_context>[\s\S]*?<\/session_context>/;

function geminiRows(message: Json, base: make.Base): SourceEntry[] {
  const thoughts = toObjects(message.thoughts)
    .map((thought) => [toText(thought.subject), toText(thought.description)])
    .map((parts) => parts.filter((part) => part !== undefined).join(": "))
    .filter((text) => text !== "");
  const rows: SourceEntry[] = [];
  if (thoughts.length > 0) {
    rows.push(make.thinking(thoughts.join("\n"), make.under(base, "thoughts")));
  }
  const text = partsText(message.content);
  if (text.trim() !== "") rows.push(make.turn("assistant", text, base));
  for (const [i, call] of toObjects(message.toolCalls).entries()) {
    rows.push(...callRows(call, make.under(base, toText(call.id) ?? i)));
  }
  make.addUsage(rows, base.message, toObject(message.tokens), usageNames);
  return rows;
}

const usageNames: make.UsageNames = {
  input_tokens: "input",
  output_tokens: "output",
  cache_read_tokens: "cached",
  reasoning_tokens: "thoughts",
};

function callRows(call: Json, base: make.Base): SourceEntry[] {
  const { name, id: call_id, args: input } = call;
  const row = make.toolCall({ name, input, call_id }, base);
  const responses = toObjects(call.result)
    .map((part) => toObject(dig(part, "functionResponse", "response")))
    .filter((response) => response !== undefined);
  const shown = typeof call.resultDisplay === "string" ? call.resultDisplay : undefined;
  if (responses.length === 0 && shown === undefined) return [row];
  const output = responses.map((response) => asText(response.output ?? response.error)).join("\n");
  const display = toObject(call.resultDisplay);
  const file = toText(toObject(input)?.file_path) ?? toText(display?.filePath) ??
    toText(display?.fileName);
  const path = file && toProjectPath(file, base.cwd);
  const result = {
    name,
    call_id,
    output: withoutHarness(output || (shown ?? "")),
    error: call.status === "error" || responses.some(({ error }) => error !== undefined),
    files: display && path ? [path] : undefined,
    patch: path ? withHead(path, display?.fileDiff) : undefined,
    agent: toText(call.agentId),
  };
  const ts = toTime(call.timestamp) ?? base.ts;
  return [row, make.toolOutput(result, { ...make.under(base, "output"), ts })];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}
