// Turns the lines of one Claude Code transcript into entries. Keeps between lines what they do not
// repeat: tool names by call and the usage of the message being written.

import { isRestoredId } from "../../../core/restored_uuid.ts";
import { ownToolOf } from "../../../core/rows/own_tool.ts";
import { contentText, findSpilled, placeholderOf } from "./claude_blocks.ts";
import { parseClaudePrompt, speakerOf } from "../claude_prompt.ts";
import * as make from "../entries.ts";
import {
  type Json,
  toBlocks,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession, TitleRank } from "../source.ts";
import { patchOfHunks } from "../patches.ts";
import { otherType } from "../reading.ts";
import { ToolNames } from "../tool_names.ts";
import { toProjectPath } from "../touched.ts";

const maxPending = 1000;

export class ClaudeConversation implements Conversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #tools: ToolNames;
  readonly #titles: { message: string; title: string }[] = [];
  #lastTs: string;
  /** Whether the sub-agent that speaks was only started to be ready. */
  #isWarmUp = false;
  /** The rows of the assistant message being written and the largest usage seen for it. */
  #held: SourceEntry[] = [];
  #usage?: make.Usage;
  #model?: string;
  /** Whether a row carries it already. */
  #isPlaced = false;
  /** Usage of requests that leave no row: empty messages, and what sub-agents tell while they run. */
  readonly #unplaced = new Map<string, make.Usage>();

  constructor(session: SourceSession, sink: Sink, state: Record<string, unknown> = {}) {
    this.#session = session;
    this.#sink = sink;
    this.#lastTs = toText(state.ts) ?? session.started ?? session.updated ??
      new Date(0).toISOString();
    this.#isWarmUp = state.warm_up === true;
    this.#tools = new ToolNames(state.calls);
    this.#entitle(session.title, "agent");
  }

  state(): Record<string, unknown> {
    return {
      ts: this.#lastTs,
      ...(this.#isWarmUp ? { warm_up: true } : {}),
      calls: this.#tools.state(maxPending),
    };
  }

  *take(record: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    for (const row of this.#rowsOf(record)) yield this.#withUnplaced(row);
  }

  *#rowsOf({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.#lastTs = toTime(value.timestamp) ?? this.#lastTs;
    const isRestored = isRestoredId(toText(value.uuid) ?? "");
    if (isRestored || this.#warmsUp(value)) {
      this.#sink.tally.messages++;
      this.#sink.tally.skip(isRestored ? "restored_by_ctx" : "warm_up");
      return;
    }
    switch (value.type) {
      case "assistant":
        return yield* this.#takeAssistant(value, key);
      case "user":
        yield* this.#release();
        return yield* this.#takeUser(value, key);
      case "system":
        return yield* this.#takeSystem(value, key);
      case "attachment":
        return yield* this.#takeAttachment(value, key);
      case "progress":
        return this.#noteProgress(value);
      case "custom-title":
        return this.#entitle(toText(value.customTitle), "custom");
      case "ai-title":
        return this.#entitle(toText(value.aiTitle), "ai");
      case "agent-name":
        return this.#entitle(toText(value.agentName), "agent");
      case "summary": {
        const [title, message] = [toText(value.summary), toText(value.leafUuid)];
        if (title && message) this.#titles.push({ message, title });
        return;
      }
      default:
        this.#sink.tally.skip(otherType(value.type));
    }
  }

  /** Older versions start sub-agents with the word "Warmup", whose answers say nothing. */
  #warmsUp({ type, isSidechain, message }: Json): boolean {
    if (isSidechain !== true || (type !== "user" && type !== "assistant")) return false;
    const content = toObject(message)?.content;
    if (type === "user" && typeof content === "string") this.#isWarmUp = content === "Warmup";
    return this.#isWarmUp;
  }

  /** The entries still held at the end, and what was learned of the session. */
  *end(): Generator<SourceEntry> {
    for (const row of this.#release()) yield this.#withUnplaced(row);
    if (this.#titles.length > 0) this.#sink.describe({ titles: this.#titles });
  }

  *#takeAssistant(value: Json, key: string): Generator<SourceEntry> {
    const message = toObject(value.message);
    const blocks = toBlocks(message?.content);
    if (message === undefined || blocks === undefined) {
      this.#sink.tally.skip("no_content");
      return;
    }
    this.#sink.tally.messages++;
    const id = toText(message.id) ?? key;
    if (this.#usage?.id !== id) {
      yield* this.#release();
      this.#usage = { id };
    }
    this.#noteUsage(toObject(message.usage));
    const model = toText(message.model);
    this.#model = model;
    const isSynthetic = model === "<synthetic>";
    // What Claude Code puts after an unanswered prompt when a session is resumed.
    if (isSynthetic && blocks.every(({ text }) => text === "No response requested.")) {
      this.#sink.tally.skip("no_response");
      return;
    }
    const base = { ...this.#base(value, key), ...(isSynthetic ? {} : { model }) };
    const rows = blocks.map((block, i) => this.#fromAssistantBlock(block, partOf(base, i)))
      .filter((row) => row !== undefined);
    if (rows.length === 0) this.#sink.tally.skip("empty_message");
    this.#held.push(...rows.map((row) => markSide(row, value)));
  }

  #fromAssistantBlock(block: Json, base: make.Base): SourceEntry | undefined {
    const text = toText(block.text);
    if (block.type === "text" && text) return make.turn("assistant", text, base);
    const thinking = toText(block.thinking);
    if (block.type === "thinking" && thinking) return make.thinking(thinking, base);
    const type = String(block.type);
    if (type === "redacted_thinking") return make.thinking("[redacted thinking]", base);
    const name = toText(block.name);
    // `server_tool_use` and its result are of the model's own side.
    if (/(?:^|_)tool_use$/.test(type) && name) {
      const call = { name, input: block.input, call_id: block.id };
      return make.withEditRevision(this.#tools.call(call, base));
    }
    if (type.endsWith("_tool_result")) return this.#fromResult(block, {}, base);
    const place = placeholderOf(block);
    if (place !== undefined) return make.notice("attachment", place, base);
    if (type !== "text" && type !== "thinking") {
      this.#sink.tally.skip(otherType(type, "block."));
    }
    return undefined;
  }

  *#takeUser(value: Json, key: string): Generator<SourceEntry> {
    const blocks = toBlocks(toObject(value.message)?.content);
    if (blocks === undefined) {
      this.#sink.tally.skip("no_content");
      return;
    }
    this.#sink.tally.messages++;
    const lack = yield* this.#fromUserLine(value, blocks, this.#base(value, key));
    if (lack !== undefined) this.#sink.tally.skip(lack);
  }

  /** The rows of what was given to the agent; returns why, when there are none. */
  *#fromUserLine(
    line: Json,
    blocks: Json[],
    base: make.Base,
  ): Generator<SourceEntry, string | undefined> {
    const found = blocks.map((block, i) => this.#fromUserBlock(block, line, partOf(base, i)));
    const rows = found.filter((row) => typeof row === "object");
    yield* rows.map((row) => markSide(row, line));
    if (rows.length > 0) return undefined;
    return found.includes("harness") ? "harness_text" : "empty_message";
  }

  #fromUserBlock(block: Json, line: Json, base: make.Base): SourceEntry | "harness" | undefined {
    if (block.type === "tool_result") return this.#fromResult(block, line, base);
    const place = placeholderOf(block);
    const text = block.type === "text" ? toText(block.text) : place;
    if (text === undefined) return undefined;
    if (line.isCompactSummary === true) return make.notice("summary", text, base);
    const speaker = speakerOf(line);
    if (speaker === "harness" || (line.isMeta === true && speaker === "person")) return "harness";
    if (place !== undefined) return make.notice("attachment", place, base);
    if (speaker === "agent") {
      return make.notice("message", toText(toObject(line.origin)?.body) ?? text, base);
    }
    const prompt = parseClaudePrompt(text);
    if (prompt.kind === "harness") return "harness";
    if (prompt.kind === "output") {
      return make.toolOutput({ name: "bash", output: prompt.text }, base);
    }
    const command = /^! (.+)$/s.exec(prompt.text)?.[1];
    // What a person looks up in ctx is no more said than what an agent does.
    if (command !== undefined && ownToolOf("bash", command) !== undefined) {
      return make.toolCall({ name: "bash", input: { command } }, base);
    }
    return make.turn("user", prompt.text, base);
  }

  #fromResult(block: Json, line: Json, base: make.Base): SourceEntry {
    const call_id = toText(block.tool_use_id);
    const name = this.#tools.take(call_id) ?? "tool";
    const result = toObject(line.toolUseResult);
    // Of a file that was only read or created, the call tells.
    const hunks = toObjects(result?.structuredPatch);
    const path = hunks.length > 0 ? toText(result?.filePath) : undefined;
    const file = path && toProjectPath(path, base.cwd);
    const given = contentText(block.content);
    const spilled = findSpilled(given, this.#session, this.#sink.tally);
    const entry = make.withEditRevision(make.toolOutput({
      name,
      output: spilled ?? given,
      error: block.is_error === true,
      call_id,
      agent: /^(?:Task|Agent)$/.test(name) ? toText(result?.agentId) : undefined,
      files: file ? [file] : undefined,
      patch: file ? patchOfHunks(file, hunks) : undefined,
    }, base));
    // Older versions kept the preview: reading it again can add the rest.
    return spilled === undefined ? entry : make.revised(entry);
  }

  *#takeSystem(value: Json, key: string): Generator<SourceEntry> {
    const text = toText(value.content) ?? "";
    const base = this.#base(value, key);
    if (value.subtype === "compact_boundary") {
      yield* this.#release();
      const meta = toObject(value.compactMetadata);
      const tokens = toNumber(meta?.preTokens);
      const trigger = toText(meta?.trigger) ?? "auto";
      const note = `${text} (${trigger}${tokens === undefined ? "" : `, ${tokens} tokens before`})`;
      yield make.notice("compaction", note, base);
    } else if (value.subtype === "away_summary" && text !== "") {
      yield make.notice("recap", text, base);
    } else this.#sink.tally.skip(otherType(value.subtype ?? "none", "system."));
  }

  /** What was typed, or came from elsewhere, while the agent worked; it stands in no user line. */
  *#takeAttachment(value: Json, key: string): Generator<SourceEntry> {
    const { type, prompt, origin, commandMode, isMeta } = toObject(value.attachment) ?? {};
    const blocks = type === "queued_command" ? toBlocks(prompt) : undefined;
    const line = { ...value, origin, commandMode, isMeta };
    const lack = blocks === undefined
      ? "other"
      : yield* this.#fromUserLine(line, blocks, this.#base(value, key));
    if (lack !== undefined) this.#sink.tally.skip(otherType(type, "attachment."));
  }

  #base(line: Json, key: string): make.Base {
    return {
      message: toText(line.uuid) ?? key,
      ts: this.#lastTs,
      cwd: toText(line.cwd) ?? this.#session.cwd,
      branch: toText(line.gitBranch),
    };
  }

  #noteUsage(usage: Json | undefined): void {
    const output = toNumber(usage?.output_tokens);
    if (usage === undefined || output === undefined || this.#usage === undefined) return;
    if ((this.#usage.output_tokens ?? -1) >= output) return;
    this.#usage = usageOf(this.#usage.id, usage);
    this.#isPlaced = false;
  }

  /** A running sub-agent repeats its messages in its starter's file; they are rows of its own file only. */
  #noteProgress(value: Json): void {
    this.#sink.tally.skip(otherType(value.type));
    const message = toObject(toObject(toObject(value.data)?.message)?.message);
    const [id, usage] = [toText(message?.id), toObject(message?.usage)];
    if (id === undefined || usage === undefined) return;
    this.#setAside({ ...usageOf(id, usage), model: toText(message?.model) });
  }

  /** Of what is told of a request more than once, the last has all of its output. */
  #setAside(usage: make.Usage): void {
    const before = this.#unplaced.get(usage.id)?.output_tokens ?? -1;
    if ((usage.output_tokens ?? 0) >= before) this.#unplaced.set(usage.id, usage);
  }

  #withUnplaced(row: SourceEntry): SourceEntry {
    if (this.#unplaced.size === 0) return row;
    const more_usage = [...this.#unplaced.values()];
    this.#unplaced.clear();
    return { ...row, more_usage };
  }

  /** Hands out the held rows; the last one carries the message's usage. */
  *#release(): Generator<SourceEntry> {
    const held = this.#held;
    if (held.length > 0 && this.#usage?.output_tokens !== undefined) {
      held[held.length - 1].usage = this.#usage;
    } else if (this.#usage?.output_tokens !== undefined && !this.#isPlaced) {
      this.#setAside({ ...this.#usage, model: this.#model });
    }
    this.#isPlaced = true;
    this.#held = [];
    yield* held;
  }

  #entitle(title: string | undefined, from: TitleRank): void {
    if (title !== undefined) this.#sink.describe({ title, title_from: from });
  }
}

function usageOf(id: string, usage: Json): make.Usage {
  const hour = toNumber(toObject(usage.cache_creation)?.ephemeral_1h_input_tokens);
  return {
    ...make.usageOf(id, usage, {
      input_tokens: "input_tokens",
      output_tokens: "output_tokens",
      cache_read_tokens: "cache_read_input_tokens",
      cache_write_tokens: "cache_creation_input_tokens",
    }),
    ...(hour ? { cache_write_1h_tokens: hour } : {}),
  };
}

function markSide(row: SourceEntry, { isSidechain }: Json): SourceEntry {
  return isSidechain === true ? { ...row, sidechain: true } : row;
}

/** The first block has the line's own id; further ones of an old multi-block line are numbered. */
function partOf(base: make.Base, part: number): make.Base {
  return part === 0 ? base : { ...base, message: `${base.message}#${part}` };
}
