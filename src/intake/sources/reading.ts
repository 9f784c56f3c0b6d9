// A conversation that is read record by record: the time of the last one, for those without, the names of
// the tools that were called, and whatever else later records need. An agent says only what a record is.

import { BlockRows } from "./block_rows.ts";
import * as make from "./entries.ts";
import { type Json, toText, toTime } from "./loose_json.ts";
import { type Conversation, type JsonRecord, readConversation } from "./read_jsonl.ts";
import type { Sink, Source, SourceEntry, SourceSession } from "./source.ts";
import { ToolNames } from "./tool_names.ts";

/**
 * What a record comes to: the rows of a message, of which there may be none; why a message gives none;
 * `type:…` for what is no message; rows that belong to the message before; undefined for a record that
 * says something of the session.
 */
export type Rows = SourceEntry[] | string | { beside: SourceEntry[] } | undefined;

/** How an agent writes a conversation down. */
export interface RecordFormat {
  /** The time of a record; its `timestamp` unless said otherwise. */
  timeOf?: (record: Json) => unknown;
  /** The id of a record; its `id` unless said otherwise, else its place in the file. */
  idOf?: (record: Json, session: SourceSession, key: string) => unknown;
  /** Whether records are written again in place: then rows carry revisions. */
  isRevised?: boolean;
  rows: (record: Json, base: make.Base, reading: Reading) => Rows;
}

/** One conversation being read. */
export class Reading implements Conversation {
  readonly tools: ToolNames;
  readonly blocks: BlockRows;
  /** The whole paths of files by the calls that edit them, for results that name only the last part. */
  readonly paths = new Map<string, string>();
  /** What else a later read must know. */
  readonly memory: Json;
  readonly session: SourceSession;
  readonly sink: Sink;
  readonly #format: RecordFormat;
  #ts: string;

  constructor(format: RecordFormat, session: SourceSession, sink: Sink, state: Json = {}) {
    const { ts, names, calls, ...memory } = state;
    this.session = session;
    this.sink = sink;
    this.#format = format;
    this.tools = new ToolNames(names ?? calls);
    this.blocks = new BlockRows(sink.tally, this.tools);
    this.memory = memory;
    this.#ts = toText(ts) ?? session.started ?? "";
    const { title } = session;
    if (title) sink.describe({ title, title_from: "ai" });
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { timeOf, idOf, rows, isRevised } = this.#format;
    this.#ts = toTime(timeOf ? timeOf(value) : value.timestamp) ?? this.#ts;
    const id = idOf ? idOf(value, this.session, key) : value.id;
    const { cwd } = this.session;
    const found = rows(value, { message: toText(id) ?? key, ts: this.#ts, cwd }, this);
    if (found === undefined) return;
    if (typeof found === "object" && "beside" in found) return yield* found.beside;
    const { tally } = this.sink;
    if (typeof found === "string" && found.startsWith("type:")) return tally.skip(found);
    tally.messages++;
    if (typeof found === "string") return tally.skip(found);
    if (found.length === 0) tally.skip("empty_message");
    for (const row of found) yield isRevised ? make.revised(row) : row;
  }

  *end(): Generator<SourceEntry> {}

  state(): Json {
    return { ts: this.#ts, names: this.tools.state(), ...this.memory };
  }
}

/** Reads sessions of such records, each from where the last read of it ended. */
export function readRecords(format: RecordFormat): Source["read"] {
  return (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new Reading(format, session, sink, state),
    });
}

/** Says that a record is of a type that gives no rows. */
export function otherType(type: unknown, prefix = ""): string {
  return `type:${prefix}${String(type).slice(0, 40)}`;
}

/** A compaction, and the summary that took the place of earlier turns where there is one. */
export function compactionRows(base: make.Base, summary: unknown, note: string): SourceEntry[] {
  const text = toText(summary);
  const rows = [make.notice("compaction", note, base)];
  if (text) rows.push(make.notice("summary", text, make.under(base, "summary")));
  return rows;
}

/**
 * Sends the rows of a message that its producer may change in place, with fingerprints; `lack` says why
 * there are none.
 */
export async function sendMessage(
  sink: Sink,
  rows: readonly SourceEntry[],
  lack = "empty_message",
): Promise<void> {
  sink.tally.messages++;
  if (rows.length === 0) sink.tally.skip(lack);
  for (const row of rows) await sink.entry(make.revised(row));
}
