// Turns the events of OpenHands before its SDK into entries: actions with arguments, and observations
// that name the action which they came of.

import * as make from "../entries.ts";
import { dig, type Json, toNumber, toObject, toText } from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";
import {
  compactionRows,
  otherType,
  type Reading,
  type RecordFormat,
  type Rows,
} from "../reading.ts";
import { withoutViews } from "./openhands_events.ts";

/** The events before 2025. */
export const oldOpenhandsEvents: RecordFormat = {
  idOf: ({ id }, _session, key) => String(toNumber(id) ?? key),
  rows(event, base, reading) {
    const [action, seen] = [toText(event.action), toText(event.observation)];
    const name = action ?? seen ?? "none";
    if (beside.has(name) || (name === "think" && action === undefined)) return otherType(name);
    return action === undefined
      ? [fromObservation(name, event, base, reading)]
      : fromAction(name, event, base, reading);
  },
};

function fromAction(action: string, event: Json, base: make.Base, { tools, sink }: Reading): Rows {
  const args = toObject(event.args) ?? {};
  const asked = toObject(event.tool_call_metadata);
  const ofAgent = { ...base, model: toText(dig(asked, "model_response", "model")) };
  const thought = toText(args.thought);
  switch (action) {
    case "message":
      if (Array.isArray(args.image_urls) && args.image_urls.length > 0) {
        sink.tally.skip("attachment", args.image_urls.length);
      }
      if (event.source === "user") return said("user", args.content, base);
      return said("assistant", args.content, ofAgent);
    case "think":
      return thought?.trim() ? [make.thinking(thought, ofAgent)] : [];
    case "finish":
      return said("assistant", toText(args.final_thought) ?? thought, ofAgent);
    case "condensation":
      return compactionRows(base, args.summary, "Conversation condensed");
  }
  const name = toText(asked?.function_name) ?? toText(args.name) ?? action;
  const call = { name, input: inputOf(args), call_id: base.message };
  return [
    ...said("assistant", thought, ofAgent),
    withoutViews(tools.call(call, make.under(ofAgent, "call"))),
  ];
}

function said(role: "user" | "assistant", value: unknown, base: make.Base): SourceEntry[] {
  const text = toText(value);
  return text?.trim() ? [make.turn(role, text, base)] : [];
}

function fromObservation(
  observation: string,
  event: Json,
  base: make.Base,
  { tools }: Reading,
): SourceEntry {
  const extras = toObject(event.extras) ?? {};
  const exit = toNumber(dig(extras, "metadata", "exit_code")) ?? toNumber(extras.exit_code);
  return tools.output({
    name: observation,
    call_id: String(toNumber(event.cause) ?? ""),
    output: toText(event.content) ?? toText(event.message) ?? "",
    error: failures.has(observation) || (exit ?? 0) > 0,
    ...(exit !== undefined && exit >= 0 ? { exit } : {}),
  }, base);
}

/** What the arguments of an action have beside what the tool was given. */
const ofHarness = new Set(
  `thought name confirmation_state is_confirmed security_risk hidden blocking keep_prompt is_static
  impl_source translated_ipython_code include_extra kernel_init_code return_axtree cwd`.split(
    /\s+/,
  ),
);

function inputOf(args: Json): unknown {
  const given = Object.entries(args).filter(([name, value]) =>
    !ofHarness.has(name) && value !== null && value !== ""
  );
  const input = Object.fromEntries(given);
  // A tool of an MCP server has its own arguments.
  return Object.keys(input).join() === "arguments" ? input.arguments : input;
}

/** Events of the harness. */
const beside = new Set(
  `system recall microagent workspace_context null none start pause resume stop change_agent_state
  agent_state_changed condensation_request condense`.split(/\s+/),
);

const failures = new Set(["error", "user_rejected"]);
