// Turns the steps of one Codex rollout into entries. The same text is often written twice, as a
// response item and as an event: the echo is noticed and dropped.

import { hashHex } from "../../../core/hash.ts";
import { type CodexStep, parseCodexRecord } from "./codex_records.ts";
import { type Channel, Echoes, parseCodexPrompt, parseCodexSummary } from "./codex_text.ts";
import { isUniqueCall } from "./is_unique_call.ts";
import * as make from "../entries.ts";
import { type Json, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { withHead } from "../patches.ts";
import { toProjectPath } from "../touched.ts";

const maxRemembered = 60;

/** One rollout being read. */
export class CodexConversation implements Conversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #echoes: Echoes;
  /** Tool names by call id, and calls whose result is known. */
  readonly #calls: Map<string, string>;
  #done: string[];
  #turn: string | undefined;
  #count: number;
  #ts: string;
  #cwd: string | undefined;
  #branch: string | undefined;
  #model: string | undefined;
  /** The last token totals, to notice that they are written twice. */
  #totals: string;
  #hasMeta: boolean;
  /** Where the last compaction was told, until the next words: its other telling is an echo. */
  #compacted: string | undefined;
  /** The newest row, held back so that the usage written after it can join it. */
  #held: SourceEntry | undefined;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    this.#session = session;
    this.#sink = sink;
    this.#echoes = new Echoes(state.echoes);
    const calls = Object.entries(toObject(state.calls) ?? {});
    this.#calls = new Map(calls.map(([id, name]) => [id, String(name)]));
    this.#done = Array.isArray(state.done) ? state.done.map(String) : [];
    this.#turn = toText(state.turn);
    this.#count = toNumber(state.count) ?? 0;
    this.#ts = toText(state.ts) ?? session.started ?? session.updated ?? new Date(0).toISOString();
    this.#cwd = toText(state.cwd) ?? session.cwd;
    this.#branch = toText(state.branch) ?? session.branch;
    this.#model = toText(state.model);
    this.#totals = toText(state.totals) ?? "";
    this.#hasMeta = state.has_meta === true;
    this.#compacted = toText(state.compacted);
    if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  }

  state(): Json {
    return {
      echoes: this.#echoes.state(),
      calls: Object.fromEntries([...this.#calls].slice(-maxRemembered)),
      done: this.#done,
      turn: this.#turn,
      count: this.#count,
      ts: this.#ts,
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
      totals: this.#totals,
      has_meta: this.#hasMeta,
      compacted: this.#compacted,
    };
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.#ts = toTime(value.timestamp) ?? this.#ts;
    const step = parseCodexRecord(value);
    if (step.kind === "compacted") return yield* this.#compact(step, key);
    const entry = this.#apply(step, key);
    if (entry === undefined) return;
    yield* this.end();
    this.#held = entry;
  }

  *end(): Generator<SourceEntry> {
    const held = this.#held;
    this.#held = undefined;
    if (held) yield held;
  }

  /** The boundary, once, and the summary: the model wrote that as an answer, which it is not. */
  *#compact(
    { channel, summary = "" }: { channel: Channel; summary?: string },
    key: string,
  ): Generator<SourceEntry> {
    const isEcho = this.#compacted !== undefined && this.#compacted !== channel;
    const held = this.#held;
    const text = parseCodexSummary(summary);
    const isSummary = held?.type === "turn" && held.role === "assistant" && text !== "" &&
      text.endsWith(held.text.trim());
    if (isSummary) this.#held = undefined;
    yield* this.end();
    if (!isEcho) yield make.notice("compaction", "Context compacted", this.#base(key));
    this.#compacted = isEcho ? undefined : channel;
    if (text === "") return;
    const id = this.#turn === undefined
      ? `${key}:summary`
      : `turn:${this.#turn}:summary:${hashHex(text).slice(0, 8)}`;
    const usage = isSummary ? held.usage : undefined;
    const row = make.notice("summary", text, this.#base(id));
    this.#held = usage === undefined ? row : { ...row, usage };
  }

  #apply(step: Exclude<CodexStep, { kind: "compacted" }>, key: string): SourceEntry | undefined {
    switch (step.kind) {
      case "meta":
        return this.#takeMeta(step.payload);
      case "context":
        return this.#takeContext(step);
      case "say":
        return this.#say(step, key);
      case "think":
        if (step.text === "" || this.#echoes.isEcho("thinking", step.channel, step.text)) return;
        return make.thinking(step.text, this.#base(this.#turnKey("thinking") ?? key));
      case "call":
        return this.#call(step, key);
      case "result":
        return this.#finish(step, key);
      case "notice":
        return make.notice(step.type, step.text, this.#base(key));
      case "usage":
        return this.#noteUsage(step.totals, step.last);
      case "title":
        this.#sink.describe({ title: step.title, title_from: "ai" });
        return;
      case "skip":
        this.#sink.tally.skip(step.reason);
        return;
    }
  }

  #takeMeta(payload: Json): undefined {
    // Later session_meta lines are copied from the history this thread was forked from.
    if (this.#hasMeta) return;
    this.#hasMeta = true;
    this.#cwd = toText(payload.cwd) ?? this.#cwd;
    this.#branch = toText(toObject(payload.git)?.branch) ?? this.#branch;
    const spawn = toObject(toObject(toObject(payload.source)?.subagent)?.thread_spawn);
    const parent = toText(payload.parent_thread_id) ?? toText(spawn?.parent_thread_id) ??
      toText(payload.forked_from_id);
    this.#sink.describe({ cwd: this.#cwd, branch: this.#branch, parent });
  }

  #takeContext(step: { cwd?: string; model?: string; turn?: string }): undefined {
    this.#cwd = step.cwd ?? this.#cwd;
    this.#model = step.model ?? this.#model;
    if (step.turn === undefined || step.turn === this.#turn) return;
    this.#turn = step.turn;
    this.#count = 0;
  }

  #say(step: CodexStep & { kind: "say" }, key: string): SourceEntry | undefined {
    const { role, channel } = step;
    const text = role === "user" ? parseCodexPrompt(step.text) : step.text;
    if (!text) {
      if (channel !== "item") return;
      this.#sink.tally.messages++;
      this.#sink.tally.skip(step.text ? "harness_text" : "empty_message");
      return;
    }
    if (this.#echoes.isEcho(role, channel, text)) return;
    this.#compacted = undefined;
    this.#sink.tally.messages++;
    return make.turn(role, text, this.#base(this.#turnKey(role) ?? key));
  }

  #call(step: CodexStep & { kind: "call" }, key: string): SourceEntry {
    const { name, input, call_id } = step;
    if (call_id) {
      this.#calls.set(call_id, make.toolNameOf(name, input));
      // A number comes again: the result of this call is another one.
      this.#done = this.#done.filter((id) => id !== call_id);
    }
    if (this.#calls.size > maxRemembered * 2) {
      this.#calls.delete(this.#calls.keys().next().value ?? "");
    }
    const base = this.#base(callKey("call", call_id) ?? key);
    return make.withEditRevision(make.toolCall({ name, input, call_id }, base));
  }

  #finish(step: CodexStep & { kind: "result" }, key: string): SourceEntry | undefined {
    const { call_id, output, error, files, exit } = step;
    if (call_id !== undefined) {
      if (this.#done.includes(call_id)) return;
      this.#done = [...this.#done.slice(-maxRemembered), call_id];
    }
    const toPath = (path: string): string => toProjectPath(path, this.#cwd);
    const patch = (step.patches ?? []).map(([path, diff]) => withHead(toPath(path), diff) ?? "")
      .join("");
    return make.withEditRevision(make.toolOutput({
      name: step.name ?? (call_id && this.#calls.get(call_id)) ?? "tool",
      call_id,
      output,
      error,
      exit,
      files: files?.map(toPath),
      patch: patch === "" ? undefined : patch,
    }, this.#base(callKey("output", call_id) ?? key)));
  }

  /** Usage is written after what it paid for; the same totals often come twice. */
  #noteUsage(totals: unknown, last: Json): undefined {
    const hash = hashHex(JSON.stringify(totals));
    if (hash === this.#totals) return;
    this.#totals = hash;
    if (this.#held === undefined) return;
    const id = hashHex(`${this.#session.id}\0${this.#ts}\0${hash}`);
    this.#held.usage = make.usageOf(id, last, {
      input_tokens: "input_tokens",
      output_tokens: "output_tokens",
      cache_read_tokens: "cached_input_tokens",
      reasoning_tokens: "reasoning_output_tokens",
    });
  }

  /** A key that copies of this turn in forked threads share. */
  #turnKey(kind: string): string | undefined {
    return this.#turn === undefined ? undefined : `turn:${this.#turn}:${kind}:${this.#count++}`;
  }

  /** Most calls and turns have ids of their own everywhere; other rows are named by their place. */
  #base(message: string): make.Base {
    const isGlobal = /^(?:call|output|turn):/.test(message);
    return {
      message: isGlobal ? message : `${this.#session.id}:${message}`,
      ts: this.#ts,
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
    };
  }
}

/** A key that copies of a call in forked threads share, where its id is its own. */
function callKey(kind: "call" | "output", call_id: string | undefined): string | undefined {
  return call_id !== undefined && isUniqueCall(call_id) ? `${kind}:${call_id}` : undefined;
}
