// What conversations of dated records share: the time of the last one, for those without, and the names
// of the tools that were called. Both are what a later read must know.

import { type Json, toText } from "./loose_json.ts";
import type { Conversation, JsonRecord } from "./read_jsonl.ts";
import type { Sink, SourceEntry, SourceSession } from "./source.ts";
import { ToolNames } from "./tool_names.ts";

/** A conversation being read, of which no entry is held back. */
export abstract class DatedConversation implements Conversation {
  protected readonly session: SourceSession;
  protected readonly sink: Sink;
  protected readonly tools: ToolNames;
  protected ts: string;

  constructor(session: SourceSession, sink: Sink, state: Json = {}) {
    this.session = session;
    this.sink = sink;
    this.tools = new ToolNames(state.names);
    this.ts = toText(state.ts) ?? session.started ?? "";
  }

  abstract take(record: Pick<JsonRecord, "value" | "key">): Iterable<SourceEntry>;

  *end(): Generator<SourceEntry> {}

  state(): Json {
    return { ts: this.ts, names: this.tools.state() };
  }
}
