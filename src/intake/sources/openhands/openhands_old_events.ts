// Turns the events of OpenHands before its SDK into entries: actions with arguments, and observations
// that name the action which they came of.

import { DatedConversation } from "../dated_conversation.ts";
import * as make from "../entries.ts";
import { type Json, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { withoutViews } from "./without_views.ts";

/** One conversation being read. */
export class OldOpenhandsConversation extends DatedConversation {
  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    super(session, sink, state);
    if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.sink;
    this.ts = toTime(value.timestamp) ?? this.ts;
    const [action, seen] = [toText(value.action), toText(value.observation)];
    const name = action ?? seen ?? "none";
    if (beside.has(name) || (name === "think" && action === undefined)) {
      return tally.skip(`type:${name.slice(0, 40)}`);
    }
    tally.messages++;
    const id = String(toNumber(value.id) ?? key);
    const base = { message: id, ts: this.ts, cwd: this.session.cwd };
    const rows = action === undefined
      ? [this.#fromObservation(name, value, base)]
      : [...this.#fromAction(name, value, base)];
    if (rows.length === 0) tally.skip("empty_message");
    yield* rows;
  }

  *#fromAction(action: string, value: Json, base: make.Base): Generator<SourceEntry> {
    const args = toObject(value.args) ?? {};
    const asked = toObject(value.tool_call_metadata);
    const ofAgent = { ...base, model: toText(toObject(asked?.model_response)?.model) };
    const at = { ...ofAgent, message: `${base.message}:call` };
    const text = toText(args.content);
    const thought = toText(args.thought);
    switch (action) {
      case "message":
        if (Array.isArray(args.image_urls) && args.image_urls.length > 0) {
          this.sink.tally.skip("attachment", args.image_urls.length);
        }
        if (text?.trim()) {
          yield value.source === "user"
            ? make.turn("user", text, base)
            : make.turn("assistant", text, ofAgent);
        }
        return;
      case "think":
        if (thought?.trim()) yield make.thinking(thought, ofAgent);
        return;
      case "finish": {
        const last = toText(args.final_thought) ?? thought;
        if (last?.trim()) yield make.turn("assistant", last, ofAgent);
        return;
      }
      case "condensation": {
        yield make.notice("compaction", "Conversation condensed", base);
        const summary = toText(args.summary);
        if (summary) {
          yield make.notice("summary", summary, { ...base, message: `${base.message}:summary` });
        }
        return;
      }
    }
    if (thought?.trim()) yield make.turn("assistant", thought, ofAgent);
    const name = toText(asked?.function_name) ?? toText(args.name) ?? action;
    yield withoutViews(this.tools.call({ name, input: inputOf(args), call_id: base.message }, at));
  }

  #fromObservation(observation: string, value: Json, base: make.Base): SourceEntry {
    const extras = toObject(value.extras) ?? {};
    const exit = toNumber(toObject(extras.metadata)?.exit_code) ?? toNumber(extras.exit_code);
    return this.tools.output({
      name: observation,
      call_id: String(toNumber(value.cause) ?? ""),
      output: toText(value.content) ?? toText(value.message) ?? "",
      error: failures.has(observation) || (exit ?? 0) > 0,
      ...(exit !== undefined && exit >= 0 ? { exit } : {}),
    }, base);
  }
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
