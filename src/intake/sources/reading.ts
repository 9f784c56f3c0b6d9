// A conversation that is read record by record. Keeps what later records need: the time of the last one
// (some have none), the names of called tools, and the agent's own notes. An agent only says what a
// record is.

import { BlockRows } from "./block_rows.ts";
import * as make from "./entries.ts";
import { type Json, toText, toTime } from "./loose_json.ts";
import { type Conversation, type JsonRecord, readConversation, sendAll } from "./read_jsonl.ts";
import type { Sink, Source, SourceEntry, SourceSession } from "./source.ts";
import { ToolNames } from "./tool_names.ts";

/**
 * What a record gives: the rows of a message (maybe none); the reason why a message has no rows;
 * `type:…` for a record that is no message; rows that belong to the message before (`beside`); or
 * undefined for a record that only describes the session.
 */
export type Rows = SourceEntry[] | string | { beside: SourceEntry[] } | undefined;

export interface RecordFormat {
  /** The time of a record, by default its `timestamp`; one without has that of the record before. */
  timeOf?: (record: Json, session: SourceSession) => unknown;
  /** The id of a record; by default its `id`, else its place in the file. */
  idOf?: (record: Json, session: SourceSession, key: string) => unknown;
  /** Whether the agent rewrites records: then rows carry revisions, of their time too or not. */
  isRevised?: boolean | "timeless";
  rows: (record: Json, base: make.Base, reading: Reading) => Rows;
}

export class Reading implements Conversation {
  readonly tools: ToolNames;
  readonly blocks: BlockRows;
  /** The full paths of edited files, by call: some results name only the last part. */
  readonly paths = new Map<string, string>();
  /** Anything else that a later read must know. */
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
    this.#ts = toText(ts) ?? session.started ?? session.updated ?? new Date(0).toISOString();
    const { title } = session;
    if (title) sink.describe({ title, title_from: "ai" });
  }

  *take({ value, key }: Pick<JsonRecord, "value" | "key">): Generator<SourceEntry> {
    const { timeOf, idOf, rows, isRevised } = this.#format;
    const { session } = this;
    this.#ts = toTime(timeOf ? timeOf(value, session) : value.timestamp) ?? this.#ts;
    const message = toText(idOf ? idOf(value, session, key) : value.id) ?? key;
    const { cwd, branch } = session;
    const found = rows(value, { message, ts: this.#ts, cwd, branch }, this);
    if (found === undefined) return;
    const { tally } = this.sink;
    const finish = (row: SourceEntry) => isRevised ? make.revised(row, isRevised) : row;
    if (typeof found === "object" && "beside" in found) return yield* found.beside.map(finish);
    if (typeof found === "string" && found.startsWith("type:")) return tally.skip(found);
    tally.messages++;
    if (typeof found === "string") return tally.skip(found);
    if (found.length === 0) tally.skip("empty_message");
    yield* found.map(finish);
  }

  *end(): Generator<SourceEntry> {}

  state(): Json {
    return { ts: this.#ts, names: this.tools.state(), ...this.memory };
  }
}

/** Reads sessions in such a format, each from where its last read ended. */
export function readRecords(format: RecordFormat): Source["read"] {
  return (session, sink, options) =>
    readConversation(session.path, sink, {
      ...options,
      open: (state) => new Reading(format, session, sink, state),
    });
}

/** Reads records that are in memory; they are numbered. */
export async function readValues(
  format: RecordFormat,
  session: SourceSession,
  sink: Sink,
  values: Iterable<Json>,
): Promise<void> {
  const records = [...values].map((value, i) => ({ value, key: String(i) }));
  await sendAll(new Reading(format, session, sink), records, sink);
}

/** The skip reason for a record whose type gives no rows. */
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
