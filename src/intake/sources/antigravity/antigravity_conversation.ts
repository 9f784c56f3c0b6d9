// Turns the steps of an Antigravity conversation into entries. Results name no call: they come in the
// order of the calls. A step may be written again when it is done, so rows carry revisions.

import * as make from "../entries.ts";
import { findJson, type Json, toList, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import { withHead } from "../patches.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { toProjectPath } from "../touched.ts";
import { findInBlock, withoutBlocks } from "../without_blocks.ts";

const maxWaiting = 60;

/** One conversation being read. */
export class AntigravityConversation implements Conversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  /** The calls whose results are still to come. */
  readonly #waiting: string[];
  #model: string | undefined;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    this.#session = session;
    this.#sink = sink;
    this.#waiting = toList(state.waiting).map(String);
    this.#model = toText(state.model);
  }

  state(): Json {
    return { waiting: this.#waiting.slice(-maxWaiting), model: this.#model };
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { tally } = this.#sink;
    const kind = String(value.type);
    const isMessage = value.source === "MODEL" || kind === "USER_INPUT" || kind === "CHECKPOINT";
    if (!isMessage) return tally.skip(`type:${kind.slice(0, 40)}`);
    tally.messages++;
    const rows = [...this.#rows(value, kind, this.#base(value, key))];
    if (rows.length === 0) tally.skip("empty_message");
    for (const row of rows) yield make.revised(row);
  }

  *end(): Generator<SourceEntry> {}

  #base(value: Json, key: string): make.Base {
    const ts = toTime(value.created_at);
    return {
      message: value.step_index === undefined ? key : `${value.step_index}@${ts ?? ""}`,
      ts: ts ?? this.#session.started ?? "",
      cwd: this.#session.cwd,
      model: value.source === "MODEL" ? this.#model : undefined,
    };
  }

  *#rows(value: Json, kind: string, base: make.Base): Generator<SourceEntry> {
    const text = toText(value.content) ?? "";
    if (kind === "USER_INPUT") {
      this.#model = chosenModel(text) ?? this.#model;
      const typed = typedText(text);
      if (typed) yield make.turn("user", typed, base);
      return;
    }
    if (kind === "CHECKPOINT") {
      const title = /^# USER Objective:\n(.{1,200})$/m.exec(text)?.[1].trim();
      if (title) this.#sink.describe({ title, title_from: "ai" });
      if (text) yield make.notice("summary", text, base);
      return;
    }
    if (kind === "PLANNER_RESPONSE") return yield* this.#answer(value, text, base);
    if (text || value.error) yield this.#output(value, text, base);
  }

  *#answer(value: Json, text: string, base: make.Base): Generator<SourceEntry> {
    const thinking = toText(value.thinking);
    if (thinking) yield make.thinking(thinking, { ...base, message: `${base.message}:thinking` });
    if (text.trim()) yield make.turn("assistant", text, base);
    // Calls that never gave a result would shift the names of all later ones.
    const calls = toObjects(value.tool_calls);
    if (calls.length > 0) this.#waiting.length = 0;
    for (const [i, call] of calls.entries()) {
      const name = (toText(call.name) ?? "tool").replace(/^default_api:/, "");
      const input = plainInput(call.args ?? call.arguments);
      this.#waiting.push(make.toolNameOf(name, input));
      yield make.toolCall({ name, input }, { ...base, message: `${base.message}:${i}` });
    }
  }

  #output(value: Json, text: string, base: make.Base): SourceEntry {
    const output = text.replace(/^Created At: .*\n(?:Completed At: .*\n)?/, "");
    const exit = /\bexit(?:ed with)? code:? (\d{1,3})\b/.exec(output.slice(0, 400))?.[1];
    const edit = /changes were made by the \S+ tool to: (.+?)\. If relevant/.exec(output)?.[1];
    const path = edit && toProjectPath(edit, base.cwd);
    const diff = /\[diff_block_start\]\n([\s\S]*?)\[diff_block_end\]/.exec(output)?.[1];
    return make.toolOutput({
      name: this.#waiting.shift() ?? String(value.type).slice(0, 60).toLowerCase(),
      output: output || String(value.error),
      error: value.status === "ERROR" || value.error !== undefined || Number(exit ?? 0) !== 0,
      exit: exit === undefined ? undefined : Number(exit),
      files: path ? [path] : undefined,
      patch: path ? withHead(path, diff) : undefined,
    }, base);
  }
}

/** What was typed: the IDE says before and after it what is open, the time, and what was set. */
function typedText(text: string): string {
  return (findInBlock(text, "USER_REQUEST") ?? withoutBlocks(text, told)).trim();
}

const told = ["ADDITIONAL_METADATA", "USER_SETTINGS_CHANGE", "EPHEMERAL_MESSAGE"];

function chosenModel(text: string): string | undefined {
  return /`Model Selection` from .{0,80}? to (.{1,80}?)\.(?:\s|<|$)/.exec(text)?.[1];
}

/** In the short transcript every value of the arguments is JSON in a string. */
function plainInput(args: unknown): unknown {
  const object = toObject(args);
  if (object === undefined) return args;
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === "string" && value.startsWith('"') ? findJson(value) ?? value : value,
    ]),
  );
}
