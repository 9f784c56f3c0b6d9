// Turns the lines of a session of Pi, omp or OpenClaw into entries. Lines form a tree: what was tried in
// another branch and left is part of what happened, so all of them are kept.

import { DatedConversation } from "../dated_conversation.ts";
import { BlockRows, blocksText } from "../block_rows.ts";
import * as make from "../entries.ts";
import { type Json, toBlocks, toNumber, toObject, toText, toTime } from "../loose_json.ts";
import type { JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";

/** What a later read must know, and how to tell what was typed from what the agent put around it. */
export interface PiOptions {
  state?: Json;
  typedIn?: (text: string) => string;
}

const usageNames: make.UsageNames = {
  input_tokens: "input",
  output_tokens: "output",
  cache_read_tokens: "cacheRead",
  cache_write_tokens: "cacheWrite",
};

/** One session being read. */
export class PiConversation extends DatedConversation {
  readonly #blocks = new BlockRows(this.sink.tally, this.tools);
  readonly #typedIn: PiOptions["typedIn"];

  constructor(session: SourceSession, sink: Sink, { state, typedIn }: PiOptions) {
    super(session, sink, state);
    this.#typedIn = typedIn;
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    this.ts = toTime(value.timestamp) ?? this.ts;
    const base = {
      message: toText(value.id) ?? key,
      ts: this.ts,
      cwd: this.session.cwd,
    };
    const text = toText(value.summary);
    switch (value.type) {
      case "session":
      case "title":
      case "title_change":
      case "session_info": {
        const title = toText(value.title) ?? toText(value.name);
        if (title) this.sink.describe({ title, title_from: "agent" });
        return;
      }
      case "compaction":
        this.sink.tally.messages++;
        yield make.notice("compaction", "Conversation compacted", base);
        if (text) {
          yield make.notice("summary", text, { ...base, message: `${base.message}:summary` });
        }
        return;
      case "branch_summary":
        this.sink.tally.messages++;
        if (!text) return this.sink.tally.skip("empty_message");
        return yield make.notice("summary", text, base);
      case "message":
        return yield* this.#message(toObject(value.message) ?? {}, base);
      default:
        this.sink.tally.skip(`type:${String(value.type).slice(0, 40)}`);
    }
  }

  *#message(message: Json, base: make.Base): Generator<SourceEntry> {
    const { tally } = this.sink;
    tally.messages++;
    const rows = this.#rows(message, base);
    if (rows === undefined) return tally.skip("bookkeeping");
    if (rows.length === 0) tally.skip(this.#isHarness(message) ? "harness_text" : "empty_message");
    make.addUsage(rows, base.message, toObject(message.usage), usageNames);
    yield* rows;
  }

  #rows(message: Json, base: make.Base): SourceEntry[] | undefined {
    switch (message.role) {
      case "user":
        return this.#blocks.rows("user", this.#typed(message.content), base);
      case "assistant": {
        const model = make.modelName(toText(message.model), toText(message.provider));
        const at = { ...base, model };
        return this.#blocks.rows("assistant", message.content, at);
      }
      case "toolResult":
        return [
          this.tools.output({
            name: toText(message.toolName),
            call_id: toText(message.toolCallId),
            output: blocksText(message.content),
            error: message.isError === true,
            exit: toNumber(toObject(message.details)?.exitCode),
          }, base),
        ];
      case "bashExecution":
        return this.#shell(message, base);
      case "branchSummary":
      case "compactionSummary": {
        const text = toText(message.summary) ?? blocksText(message.content);
        return text === "" ? [] : [make.notice("summary", text, base)];
      }
      default:
        return undefined;
    }
  }

  /** The blocks of the user's message with what was typed; a place stays its place. */
  #typed(content: unknown): unknown {
    const typedIn = this.#typedIn;
    if (typedIn === undefined) return content;
    return toBlocks(content)?.map((block) =>
      typeof block.text === "string" ? { ...block, text: typedIn(block.text) } : block
    );
  }

  #isHarness({ role, content }: Json): boolean {
    return role === "user" && this.#typedIn !== undefined && blocksText(content).trim() !== "";
  }

  /** A command that the user ran. */
  #shell(message: Json, base: make.Base): SourceEntry[] {
    const exit = toNumber(message.exitCode);
    const input = { command: toText(message.command) ?? "" };
    return [
      this.tools.call({ name: "bash", input }, base),
      this.tools.output({
        name: "bash",
        output: toText(message.output) ?? "",
        exit,
        error: (exit ?? 0) !== 0,
      }, { ...base, message: `${base.message}:output` }),
    ];
  }
}
