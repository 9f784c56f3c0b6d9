// Turns the events of an OpenHands conversation into entries: messages, actions with what was thought
// before them, what came of them, condensations. A finished task ends with what the agent says of it.

import { blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, parseArguments, toNumber, toObject, toObjects, toText } from "../loose_json.ts";
import type { Sink, SourceEntry } from "../source.ts";
import {
  compactionRows,
  otherType,
  type Reading,
  type RecordFormat,
  type Rows,
} from "../reading.ts";
import { withoutBlocks } from "../without_blocks.ts";

/** The events since 2025. */
export const openhandsEvents: RecordFormat = {
  rows(event, base, reading) {
    const model = event.source === "agent" ? reading.session.key : undefined;
    const maker = makers.get(String(event.kind));
    return maker === undefined ? otherType(event.kind) : maker(event, { ...base, model }, reading);
  },
};

type Maker = (event: Json, base: make.Base, reading: Reading) => Rows;

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
  Condensation: (event, base) => compactionRows(base, event.summary, "Conversation condensed"),
}));

function fromMessage(event: Json, base: make.Base, { sink }: Reading): Rows {
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

function fromAction(event: Json, base: make.Base, { tools, sink }: Reading): SourceEntry[] {
  const name = event.tool_name;
  const action = toObject(event.action);
  const rows = thinkingOf(event, base);
  rows.push(
    ...optional(spoken(textOf(event.thought, sink)), (said) => make.turn("assistant", said, base)),
  );
  const at = make.under(base, "call");
  const thought = toText(action?.thought);
  if (name === "think" && thought) return [...rows, make.thinking(thought, at)];
  const last = toText(action?.message);
  if (name === "finish" && last) return [...rows, make.turn("assistant", last, at)];
  const given = Object.entries(action ?? {}).filter(([name, value]) =>
    name !== "kind" && value !== null
  );
  const input = action
    ? Object.fromEntries(given)
    : parseArguments(toObject(event.tool_call)?.arguments);
  const call = tools.call({ name, input, call_id: event.tool_call_id }, at);
  return [...rows, withoutViews(call)];
}

function fromObservation(event: Json, base: make.Base, { tools, sink }: Reading): Rows {
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
function fromForeignCall(event: Json, base: make.Base, { tools }: Reading): Rows {
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
  return [make.thinking(text, make.under(base, "thinking"))];
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

function calledBy({ tool_name, tool_call_id }: Json): Pick<make.Result, "name" | "call_id"> {
  return { name: tool_name, call_id: tool_call_id };
}

/** The same call; OpenHands' editor also shows files: such a call reads one and edits none. */
export function withoutViews(call: SourceEntry): SourceEntry {
  if (call.tool?.effect !== "edit" || toObject(call.tool.input)?.command !== "view") return call;
  return { ...call, tool: { ...call.tool, effect: "read" } };
}

function optional(
  text: string | undefined,
  maker: (text: string) => SourceEntry,
): SourceEntry[] {
  return text === undefined ? [] : [maker(text)];
}
