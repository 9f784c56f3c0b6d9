// Streams the records of a JSONL file: each line decoded and parsed alone, damaged lines saved as
// far as possible and counted, an unfinished last line left for the next time. Never throws on
// content.

import { findJson, type Json, toObject } from "./loose_json.ts";
import { LineReader } from "./read_lines.ts";
import { salvage } from "./salvage.ts";
import type { ResumePoint, Sink, SourceEntry } from "./source.ts";
import type { Tally } from "./problem_tally.ts";

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
