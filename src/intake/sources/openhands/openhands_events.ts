// Turns the events of an OpenHands conversation into entries: messages, actions with what was thought
// before them, what came of them, condensations. A finished task ends with what the agent says of it.

import { DatedConversation } from "../dated_conversation.ts";
import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import {
  type Json,
  parseArguments,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry } from "../source.ts";
import { ToolNames } from "../tool_names.ts";
import { withoutBlocks } from "../without_blocks.ts";
import { withoutViews } from "./without_views.ts";

/** One conversation being read. */
export class OpenhandsConversation extends DatedConversation {
  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.sink;
    this.ts = toTime(value.timestamp) ?? this.ts;
    const maker = makers.get(String(value.kind));
    if (maker === undefined) return tally.skip(`type:${String(value.kind).slice(0, 40)}`);
    tally.messages++;
    const base: make.Base = {
      message: toText(value.id) ?? key,
      ts: this.ts,
      cwd: this.session.cwd,
      ...(value.source === "agent" ? { model: this.session.key } : {}),
    };
    const rows = maker(value, base, { tools: this.tools, sink: this.sink });
    if (typeof rows === "string") return tally.skip(rows);
    if (rows.length === 0) tally.skip("empty_message");
    yield* rows;
  }
}

interface Parts {
  tools: ToolNames;
  sink: Sink;
}

/** The rows of an event, or why there are none. */
type Maker = (event: Json, base: make.Base, parts: Parts) => SourceEntry[] | string;

const makers = new Map<string, Maker>(Object.entries<Maker>({
  MessageEvent: fromMessage,
  ActionEvent: fromAction,
  ObservationEvent: fromObservation,
  UserRejectObservation: (event, base, { tools }) => [
    tools.output(
      { ...calledBy(event), output: toText(event.rejection_reason) ?? "", error: true },
      base,
    ),
  ],
  AgentErrorEvent: (event, base, { tools }) => [
    tools.output({ ...calledBy(event), output: toText(event.error) ?? "", error: true }, {
      ...base,
      model: undefined,
    }),
  ],
  ACPToolCallEvent: fromForeignCall,
  Condensation: (event, base) => [
    make.notice("compaction", "Conversation condensed", base),
    ...optional(
      toText(event.summary),
      (text) => make.notice("summary", text, { ...base, message: `${base.message}:summary` }),
    ),
  ],
}));

function fromMessage(event: Json, base: make.Base, { sink }: Parts): SourceEntry[] | string {
  const message = toObject(event.llm_message) ?? {};
  const text = textOf(message.content, sink);
  if (event.source === "agent") {
    return [
      ...thinkingOf(message, base),
      ...optional(spoken(text), (said) => make.turn("assistant", said, base)),
    ];
  }
  // Hooks, judges and the harness speak as a user to the model.
  if (event.source !== "user") return "harness_text";
  return optional(
    text,
    (said) =>
      toText(event.sender) ? make.notice("message", said, base) : make.turn("user", said, base),
  );
}

function fromAction(event: Json, base: make.Base, { tools, sink }: Parts): SourceEntry[] {
  const name = toText(event.tool_name) ?? "tool";
  const action = toObject(event.action);
  const rows = thinkingOf(event, base);
  rows.push(
    ...optional(spoken(textOf(event.thought, sink)), (said) => make.turn("assistant", said, base)),
  );
  const at = { ...base, message: `${base.message}:call` };
  const thought = toText(action?.thought);
  if (name === "think" && thought) return [...rows, make.thinking(thought, at)];
  const last = toText(action?.message);
  if (name === "finish" && last) return [...rows, make.turn("assistant", last, at)];
  const { kind: _kind, ...input } = action ?? {};
  const called = toObject(event.tool_call);
  const call = {
    name,
    input: action ? withoutNulls(input) : parseArguments(called?.arguments),
    call_id: toText(event.tool_call_id),
  };
  return [...rows, withoutViews(tools.call(call, at))];
}

function fromObservation(
  event: Json,
  base: make.Base,
  { tools, sink }: Parts,
): SourceEntry[] | string {
  // They repeat what the action said.
  if (event.tool_name === "finish" || event.tool_name === "think") return "bookkeeping";
  const seen = toObject(event.observation) ?? {};
  const exit = toNumber(seen.exit_code) ?? toNumber(toObject(seen.metadata)?.exit_code);
  return [
    tools.output({
      ...calledBy(event),
      output: textOf(seen.content, sink) ?? textOf(seen.output, sink) ?? "",
      error: seen.is_error === true || (exit ?? 0) > 0,
      // A command that still runs has -1.
      ...(exit !== undefined && exit >= 0 ? { exit } : {}),
    }, base),
  ];
}

/** Calls of another agent that OpenHands drives: told again and again until they end. */
function fromForeignCall(event: Json, base: make.Base, { tools }: Parts): SourceEntry[] | string {
  if (event.status !== "completed" && event.status !== "failed") return "partial_message";
  const call_id = toText(event.tool_call_id) ?? base.message;
  const title = toText(event.title) ?? "";
  const name = /^\w{1,60}$/.test(title) ? title : toText(event.tool_kind) ?? "tool";
  const input = event.raw_input ?? { description: title };
  const raw = event.raw_output;
  const said = blocksText(event.content) ||
    (toText(raw) ?? (raw === undefined || raw === null ? "" : JSON.stringify(raw)));
  const error = event.is_error === true || event.status === "failed";
  return [
    tools.call({ name, input, call_id }, { ...base, message: `${call_id}:call` }),
    tools.output({ call_id, output: said, error }, {
      ...base,
      model: undefined,
      message: `${call_id}:output`,
    }),
  ];
}

function thinkingOf(holder: Json, base: make.Base): SourceEntry[] {
  const blocks = toObjects(holder.thinking_blocks).map((block) => toText(block.thinking));
  const text = toText(holder.reasoning_content) ??
    blocks.filter((block) => block !== undefined).join("\n");
  if (!text.trim()) return [];
  return [make.thinking(text, { ...base, message: `${base.message}:thinking` })];
}

/** The text of a list of parts; images are counted. */
function textOf(content: unknown, { tally }: Sink): string | undefined {
  if (typeof content === "string") return content.trim() ? content : undefined;
  const parts = toObjects(content);
  const images = parts.filter((part) => part.type === "image").length;
  if (images > 0) tally.skip("attachment", images);
  const text = parts.map((part) => toText(part.text)).filter((part) => part !== undefined)
    .join("\n");
  return text.trim() ? text : undefined;
}

/** Some models think aloud between tags, which OpenHands also keeps as their reasoning. */
function spoken(text: string | undefined): string | undefined {
  return text && (withoutBlocks(text, ["think"]).trim() || undefined);
}

function calledBy(event: Json): { name: string; call_id?: string } {
  return { name: toText(event.tool_name) ?? "tool", call_id: toText(event.tool_call_id) };
}

function withoutNulls(input: Json): Json {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

function optional(
  text: string | undefined,
  maker: (text: string) => SourceEntry,
): SourceEntry[] {
  return text === undefined ? [] : [maker(text)];
}
