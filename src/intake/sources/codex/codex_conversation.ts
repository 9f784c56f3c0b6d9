// Turns the records of one Codex rollout into entries. The same text is often written twice, as a
// response item and as an event: the echo is noticed and dropped.

import { hashHex } from "../../../core/hash.ts";
import { isRestoredId } from "../../../core/restored_uuid.ts";
import { type Channel, Echoes, parseCodexPrompt, parseCodexSummary } from "./codex_text.ts";
import * as make from "../entries.ts";
import { dig, type Json, toList, toNumber, toText, toTime } from "../loose_json.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { withHead } from "../patches.ts";
import { otherType } from "../reading.ts";
import { ToolNames } from "../tool_names.ts";
import { toProjectPath } from "../touched.ts";

const maxRemembered = 60;
const usageNames: make.UsageNames = {
  input_tokens: "input_tokens",
  output_tokens: "output_tokens",
  cache_read_tokens: "cached_input_tokens",
  reasoning_tokens: "reasoning_output_tokens",
};

/** The row that a record gives by itself. */
type RowOf = (line: Json, to: CodexConversation) => SourceEntry | undefined;

interface Memory {
  /** Calls whose result is known. */
  done: string[];
  turn?: string;
  /** How many rows of the turn have keys by now. */
  count: number;
  ts: string;
  cwd?: string;
  branch?: string;
  model?: string;
  /** The last token totals, to notice that they are written twice. */
  totals: string;
  has_meta: boolean;
  /** Where the last compaction was told, until the next words: its other telling is an echo. */
  compacted?: string;
}

/** One rollout being read; `rowOf` says what each of its records is. */
export class CodexConversation implements Conversation {
  readonly #rowOf: RowOf;
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #echoes: Echoes;
  readonly #tools: ToolNames;
  /** What else a later read must know. */
  readonly #memory: Memory;
  /** The place of the record that is taken, and rows that must not wait. */
  #key = "";
  readonly #ready: SourceEntry[] = [];
  /** The newest row, held back so that the usage written after it can join it. */
  #held: SourceEntry | undefined;

  constructor(rowOf: RowOf, session: SourceSession, sink: Sink, state: Json = {}) {
    this.#rowOf = rowOf;
    this.#session = session;
    this.#sink = sink;
    this.#echoes = new Echoes(state.echoes);
    this.#tools = new ToolNames(state.calls);
    const ts = session.started ?? session.updated ?? new Date(0).toISOString();
    this.#memory = {
      done: toList(state.done).map(String),
      turn: toText(state.turn),
      count: toNumber(state.count) ?? 0,
      ts: toText(state.ts) ?? ts,
      cwd: toText(state.cwd) ?? session.cwd,
      branch: toText(state.branch) ?? session.branch,
      model: toText(state.model),
      totals: toText(state.totals) ?? "",
      has_meta: state.has_meta === true,
      compacted: toText(state.compacted),
    };
    if (session.title !== undefined) sink.describe({ title: session.title, title_from: "ai" });
  }

  state(): Json {
    return { echoes: this.#echoes.state(), calls: this.#tools.state(), ...this.#memory };
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.#memory.ts = toTime(value.timestamp) ?? this.#memory.ts;
    this.#key = key;
    const row = this.#rowOf(value, this);
    yield* this.#ready.splice(0);
    if (row === undefined) return;
    yield* this.end();
    if (isRestoredId(this.#memory.turn ?? "")) this.#sink.tally.skip("restored_by_ctx");
    else this.#held = row;
  }

  *end(): Generator<SourceEntry> {
    const held = this.#held;
    this.#held = undefined;
    if (held) yield held;
  }

  /**
   * A compaction, told twice: with the text that replaced the earlier turns, and as an event. Gives the
   * boundary, once, and the summary: the model wrote that as an answer, which it is not.
   */
  compact(channel: Channel, summary = ""): SourceEntry | undefined {
    const { compacted, turn } = this.#memory;
    const isEcho = compacted !== undefined && compacted !== channel;
    const held = this.#held;
    const text = parseCodexSummary(summary);
    const isSummary = held?.type === "turn" && held.role === "assistant" && text !== "" &&
      text.endsWith(held.text.trim());
    if (held && !isSummary) this.#ready.push(held);
    this.#held = undefined;
    if (!isEcho) this.#ready.push(make.notice("compaction", "Context compacted", this.#base()));
    this.#memory.compacted = isEcho ? undefined : channel;
    if (text === "") return undefined;
    const id = turn === undefined
      ? `${this.#key}:summary`
      : `turn:${turn}:summary:${hashHex(text).slice(0, 8)}`;
    const row = make.notice("summary", text, this.#base(id));
    return isSummary && held.usage !== undefined ? { ...row, usage: held.usage } : row;
  }

  /** Takes what a rollout says of its session. */
  describe(payload: Json): undefined {
    const memory = this.#memory;
    // Later session_meta lines are copied from the history this thread was forked from.
    if (memory.has_meta) return;
    memory.has_meta = true;
    memory.cwd = toText(payload.cwd) ?? memory.cwd;
    memory.branch = toText(dig(payload, "git", "branch")) ?? memory.branch;
    const spawn = dig(payload, "source", "subagent", "thread_spawn", "parent_thread_id");
    const parent = toText(payload.parent_thread_id) ?? toText(spawn) ??
      toText(payload.forked_from_id);
    this.#sink.describe({ cwd: memory.cwd, branch: memory.branch, parent });
  }

  entitle(title: string): undefined {
    this.#sink.describe({ title, title_from: "ai" });
  }

  setContext({ cwd, model, turn_id }: Json): undefined {
    const memory = this.#memory;
    memory.cwd = toText(cwd) ?? memory.cwd;
    memory.model = toText(model) ?? memory.model;
    const turn = toText(turn_id);
    if (turn === undefined || turn === memory.turn) return;
    memory.turn = turn;
    memory.count = 0;
  }

  skip(type: unknown): undefined {
    this.#sink.tally.skip(otherType(type));
  }

  notice(type: string, text: string): SourceEntry {
    return make.notice(type, text, this.#base());
  }

  say(role: "user" | "assistant", given = "", channel: Channel): SourceEntry | undefined {
    const { tally } = this.#sink;
    const text = role === "user" ? parseCodexPrompt(given) : given;
    if (!text) {
      if (channel !== "item") return;
      tally.messages++;
      tally.skip(given ? "harness_text" : "empty_message");
      return;
    }
    if (this.#echoes.isEcho(role, channel, text)) return;
    this.#memory.compacted = undefined;
    tally.messages++;
    return make.turn(role, text, this.#base(this.#turnKey(role)));
  }

  think(text = "", channel: Channel): SourceEntry | undefined {
    if (text === "" || this.#echoes.isEcho("thinking", channel, text)) return;
    return make.thinking(text, this.#base(this.#turnKey("thinking")));
  }

  call(item: Json, name: unknown, input: unknown): SourceEntry {
    const call_id = toText(item.call_id) ?? toText(item.id);
    // A number comes again: the result of this call is another one.
    this.#memory.done = this.#memory.done.filter((id) => id !== call_id);
    const base = this.#base(callKey("call", call_id));
    return make.withEditRevision(this.#tools.call({ name, input, call_id }, base));
  }

  /** Takes a result, once; `diffs` are by the paths of their files. */
  finish(
    { diffs, ...result }: make.Result & { diffs?: [path: string, diff: unknown][] },
  ): SourceEntry | undefined {
    const memory = this.#memory;
    const call_id = toText(result.call_id);
    if (call_id !== undefined) {
      if (memory.done.includes(call_id)) return;
      memory.done = [...memory.done.slice(-maxRemembered), call_id];
    }
    const edits = diffs?.map(([path, diff]) => ({ path: toProjectPath(path, memory.cwd), diff }));
    const patch = edits?.map(({ path, diff }) => withHead(path, diff) ?? "").join("");
    return make.withEditRevision(make.toolOutput({
      ...result,
      name: result.name ?? this.#tools.nameOf(call_id),
      files: edits?.map(({ path }) => path),
      patch: patch || undefined,
    }, this.#base(callKey("output", call_id))));
  }

  /** Usage is written after what it paid for; the same totals often come twice. */
  noteUsage(totals: unknown, last: Json): undefined {
    const hash = hashHex(JSON.stringify(totals));
    if (hash === this.#memory.totals) return;
    this.#memory.totals = hash;
    if (this.#held === undefined) return;
    const id = hashHex(`${this.#session.id}\0${this.#memory.ts}\0${hash}`);
    this.#held.usage = make.usageOf(id, last, usageNames);
  }

  /** A key that copies of this turn in forked threads share. */
  #turnKey(kind: string): string | undefined {
    const { turn } = this.#memory;
    return turn === undefined ? undefined : `turn:${turn}:${kind}:${this.#memory.count++}`;
  }

  /** Most calls and turns have ids of their own everywhere; other rows are named by their place. */
  #base(message = this.#key): make.Base {
    const isGlobal = /^(?:call|output|turn):/.test(message);
    const { ts, cwd, branch, model } = this.#memory;
    return {
      message: isGlobal ? message : `${this.#session.id}:${message}`,
      ts,
      cwd,
      branch,
      model,
    };
  }
}

/**
 * A key that copies of a call in forked threads share, where its id is its own. Some providers number
 * calls (`call_0`, `functions.shell:3`): every session and every turn may have those.
 */
function callKey(kind: "call" | "output", call_id: string | undefined): string | undefined {
  const isUnique = call_id?.replaceAll("-", "").split(/[^0-9A-Za-z]+/).some((word) =>
    word.length >= 16 && /[A-Za-z]/.test(word) &&
    (/\d/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word)))
  );
  return isUnique ? `${kind}:${call_id}` : undefined;
}
