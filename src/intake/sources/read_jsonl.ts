// Streams the records of a JSONL file: each line decoded and parsed alone, damaged lines saved as
// far as possible and counted, an unfinished last line left for the next time. Never throws on
// content.

import { findJson, type Json, toObject } from "./loose_json.ts";
import { LineReader } from "./read_lines.ts";
import type { ResumePoint, Sink, SourceEntry } from "./source.ts";
import type { Tally } from "./problem_tally.ts";
import { findObjectEnd } from "../../core/json.ts";

/** One record and its place; `key` is unique in the file. */
export interface JsonRecord {
  value: Json;
  offset: number;
  key: string;
}

/** How to read a file. */
export interface JsonlOptions {
  tally: Tally;
  now: number;
  resume?: ResumePoint;
}

/** A file untouched for this long has no writer: its unfinished last line is taken if it parses. */
const quietMs = 120_000;
const byteOrderMark = "\ufeff";

/** An open JSONL file: go through `records()`, then ask for the `resumePoint()`. */
export class JsonlReader extends LineReader {
  readonly #options: JsonlOptions;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Whether a last line may still be written: then the file is looked at again, changed or not. */
  #isWaiting = false;

  constructor(path: string, options: JsonlOptions) {
    super(path, options);
    this.#options = options;
    options.tally.files++;
  }

  /** Yields the records after the resume point. */
  *records(): Generator<JsonRecord> {
    const { tally } = this.#options;
    for (const line of this.lines()) {
      if (line.bytes.length === 0) continue;
      let text = this.#decoder.decode(line.bytes);
      if (line.offset === 0 && text.startsWith(byteOrderMark)) text = text.slice(1);
      const value = findJson(text);
      if (value !== undefined && line.whole) {
        const object = toObject(value);
        if (object) yield { value: object, offset: line.offset, key: String(line.offset) };
        else tally.skip("not_an_object");
        continue;
      }
      if (!line.whole) {
        yield* this.#takeTail(toObject(value), line.offset);
        continue;
      }
      if (text.trim() === "") continue;
      yield* this.#save(text, line.offset);
    }
  }

  override resumePoint(state?: Record<string, unknown>): ResumePoint {
    const point = super.resumePoint(state);
    return this.#isWaiting ? { ...point, signature: `${point.signature}+` } : point;
  }

  *#save(text: string, offset: number): Generator<JsonRecord> {
    const { tally } = this.#options;
    tally.bad_lines++;
    const { records, isLossy } = salvage(text);
    if (isLossy) tally.lost_lines++;
    let part = 0;
    for (const value of records) {
      tally.salvaged++;
      yield { value, offset, key: part === 0 ? String(offset) : `${offset}.${part}` };
      part++;
    }
  }

  *#takeTail(value: Json | undefined, offset: number): Generator<JsonRecord> {
    const { tally, now } = this.#options;
    const isQuiet = now - this.modified >= quietMs;
    if (value === undefined || !isQuiet) {
      this.#isWaiting = !isQuiet;
      tally.skip("unfinished_line");
      return;
    }
    this.acceptTail();
    yield { value, offset, key: String(offset) };
  }
}

/** A conversation that is read line by line, and remembers what later lines need. */
export interface Conversation {
  take(record: Pick<JsonRecord, "value" | "key">): Iterable<SourceEntry>;
  end(): Iterable<SourceEntry>;
  /** What a later read must know. */
  state(): Json;
}

/** Reads a file into the sink, from where the last read ended. */
export async function readConversation(
  path: string,
  sink: Sink,
  options: Omit<JsonlOptions, "tally"> & { open: (state?: Json) => Conversation },
): Promise<ResumePoint> {
  using reader = new JsonlReader(path, { ...options, tally: sink.tally });
  const conversation = options.open(reader.fromStart ? undefined : options.resume?.state);
  await sendAll(conversation, reader.records(), sink);
  return reader.resumePoint(conversation.state());
}

/** Sends what a conversation makes of some records into the sink. */
export async function sendAll(
  conversation: Conversation,
  records: Iterable<Pick<JsonRecord, "value" | "key">>,
  sink: Sink,
): Promise<void> {
  for (const record of records) {
    for (const entry of conversation.take(record)) await sink.entry(entry);
  }
  for (const entry of conversation.end()) await sink.entry(entry);
}

// Saves what can be saved of a damaged JSONL line. The damage is known: NUL runs before a record,
// two records without a newline, a record cut in a string with the next one glued to it. Pure.

/** How records begin; the second group also begins objects inside records, so it comes last. */
const starts = [['{"parentUuid"', '{"timestamp"', '{"uuid"', '{"role"'], ['{"type"', '{"id"']];
const maxTries = 64;

/** The whole records in a damaged line, in order, and whether the line had more than these. */
function salvage(line: string): { records: Json[]; isLossy: boolean } {
  const text = line.replaceAll("\0", "").trim();
  const records: Json[] = [];
  let isLossy = false;
  let from = 0;
  for (let tries = 0; tries < maxTries && from < text.length; tries++) {
    const end = text[from] === "{" ? findObjectEnd(text, from) : -1;
    const record = end < 0 ? undefined : toObject(findJson(text.slice(from, end)));
    if (record) records.push(record);
    else isLossy ||= text[from].trim() !== "";
    from = record ? end : findStart(text, from + 1);
  }
  return { records, isLossy: isLossy || from < text.length };
}

function findStart(text: string, from: number): number {
  for (const group of starts) {
    const found = group.map((start) => text.indexOf(start, from)).filter((at) => at >= 0);
    if (found.length > 0) return Math.min(...found);
  }
  return text.length;
}
