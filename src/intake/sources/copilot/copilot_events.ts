// Turns Copilot's event stream into entries. The system prompt is half of all bytes and dropped.

import * as make from "../entries.ts";
import {
  type Json,
  parseArguments,
  toList,
  toNumber,
  toObject,
  toObjects,
  toText,
  toTime,
} from "../loose_json.ts";
import type { Conversation, JsonRecord } from "../read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "../source.ts";
import { withHead } from "../patches.ts";
import { ToolNames } from "../tool_names.ts";
import { toolEffect, toProjectPath } from "../touched.ts";

/** One event file being read. */
export class CopilotEvents implements Conversation {
  readonly #session: SourceSession;
  readonly #sink: Sink;
  readonly #tools: ToolNames;
  #ts: string;
  #cwd: string | undefined;
  #branch: string | undefined;
  #model: string | undefined;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    this.#session = session;
    this.#sink = sink;
    this.#tools = new ToolNames(state.calls);
    this.#ts = toText(state.ts) ?? session.started ?? session.updated ?? new Date(0).toISOString();
    this.#cwd = toText(state.cwd) ?? session.cwd;
    this.#branch = toText(state.branch) ?? session.branch;
    this.#model = toText(state.model);
  }

  state(): Json {
    return {
      calls: this.#tools.state(),
      ts: this.#ts,
      cwd: this.#cwd,
      branch: this.#branch,
      model: this.#model,
    };
  }

  *take({ value: event, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const data = toObject(event.data) ?? {};
    this.#ts = toTime(event.timestamp) ?? this.#ts;
    const base = this.#base(toText(event.id) ?? key, data);
    switch (event.type) {
      case "session.start":
      case "session.resume":
        return this.#takeContext(data);
      case "session.model_change":
        this.#model = toText(data.newModel) ?? this.#model;
        return;
      case "user.message":
        return yield* this.#takeUser(data, base);
      case "assistant.message":
        return yield* this.#takeAssistant(data, base);
      case "assistant.reasoning": {
        const text = toText(data.content);
        if (text) yield make.thinking(text, base);
        return;
      }
      case "tool.execution_start":
        // Most calls were already seen as a request of the message before.
        return yield* this.#call(
          toText(data.toolName),
          data.arguments,
          toText(data.toolCallId),
          base,
        );
      case "tool.execution_complete":
        return yield this.#takeComplete(data, base);
      case "session.compaction_complete":
      case "session.truncation":
        return yield make.notice("compaction", "Context compacted", base);
      case "session.shutdown":
        return yield* this.#takeShutdown(data, base);
      default:
        this.#sink.tally.skip(`type:${String(event.type).slice(0, 40)}`);
    }
  }

  end(): SourceEntry[] {
    const { title } = this.#session;
    if (title) this.#sink.describe({ title, title_from: "ai" });
    return [];
  }

  #takeContext(data: Json): void {
    const context = toObject(data.context);
    this.#cwd = toText(context?.cwd) ?? this.#cwd;
    this.#branch = toText(context?.branch) ?? this.#branch;
    this.#model = toText(data.selectedModel) ?? this.#model;
    this.#sink.describe({ cwd: this.#cwd, branch: this.#branch });
  }

  *#takeUser(data: Json, base: make.Base): Generator<SourceEntry> {
    this.#sink.tally.messages++;
    const text = toText(data.content);
    if (!text) return this.#sink.tally.skip("empty_message");
    const files = toObjects(data.attachments).map((item) => toText(item.path))
      .filter((path) => path !== undefined).map((path) => toProjectPath(path, this.#cwd));
    yield make.withFiles(make.turn("user", text, base), files);
  }

  *#takeAssistant(data: Json, base: make.Base): Generator<SourceEntry> {
    this.#sink.tally.messages++;
    const rows: SourceEntry[] = [];
    const thinking = toText(data.reasoningText);
    if (thinking) {
      rows.push(make.thinking(thinking, { ...base, message: `${base.message}:thinking` }));
    }
    const text = toText(data.content);
    if (text) rows.push(make.turn("assistant", text, base));
    for (const request of toObjects(data.toolRequests)) {
      rows.push(
        ...this.#call(toText(request.name), request.arguments, toText(request.toolCallId), base),
      );
    }
    const output = toNumber(data.outputTokens);
    const last = rows[rows.length - 1];
    if (last && output !== undefined) last.usage = { id: base.message, output_tokens: output };
    if (rows.length === 0) this.#sink.tally.skip("empty_message");
    yield* rows;
  }

  *#call(
    name = "tool",
    input: unknown,
    call_id: string | undefined,
    base: make.Base,
  ): Generator<SourceEntry> {
    if (this.#tools.nameOf(call_id) !== undefined) return;
    const message = call_id === undefined ? `${base.message}:call` : `call:${call_id}`;
    yield this.#tools.call({ name, input: parseArguments(input), call_id }, { ...base, message });
  }

  #takeComplete(data: Json, base: make.Base): SourceEntry {
    const call_id = toText(data.toolCallId);
    const result = toObject(data.result);
    const name = this.#tools.nameOf(call_id) ?? "tool";
    return make.toolOutput({
      name,
      output: toText(result?.content) ?? toText(toObject(data.error)?.message) ?? "",
      error: data.success === false,
      call_id,
      patch: toolEffect(name) === "edit"
        ? patchOf(toText(result?.detailedContent) ?? "", this.#cwd)
        : undefined,
    }, base);
  }

  /** Written on a clean exit: the totals per model and the files that were changed. */
  *#takeShutdown(data: Json, base: make.Base): Generator<SourceEntry> {
    const paths = toList(toObject(data.codeChanges)?.filesModified)
      .filter((path) => typeof path === "string")
      .map((path) => toProjectPath(path, this.#cwd));
    if (paths.length === 0) return this.#sink.tally.skip("type:session.shutdown");
    yield make.patch(paths, base);
  }

  #base(message: string, data: Json): make.Base {
    return {
      message,
      ts: this.#ts,
      cwd: this.#cwd,
      branch: this.#branch,
      model: toText(data.model) ?? this.#model,
    };
  }
}

/** Copilot shows every file as a diff, also one it only looked at; paths have lost their first `/`. */
function patchOf(shown: string, cwd: string | undefined): string | undefined {
  const path = /^\+\+\+ b\/(.+)$/m.exec(shown)?.[1];
  const at = shown.search(/^@@ /m);
  return path === undefined || at < 0
    ? undefined
    : withHead(toProjectPath(`/${path}`, cwd), shown.slice(at));
}
