// The only way into the log: an open transaction under the store's lock. Redacts before every
// append (invariant 9), acknowledges only what is synced, and leaves the state behind it true.

import {
  type Draft,
  type Entry,
  maxTextBytes,
  type OwnPool,
  ownPools,
  tombstoneType,
  toTimestamp,
  typePattern,
} from "../core/entry.ts";
import { checkDeadline } from "../core/deadline.ts";
import { CtxError } from "../core/errors.ts";
import { makeId } from "../core/id.ts";
import { madeMarks } from "../core/redact/marks.ts";
import { redactText, redactValue } from "../core/redact/redact.ts";
import { decodeLossy, encodeExact, encodeLines } from "../core/utf8.ts";
import { type Files, isListed } from "../disk/files.ts";
import type { Layout } from "../disk/layout.ts";
import { findTornTail } from "../disk/lines.ts";
import { parseLine } from "./row.ts";
import { settleOrder } from "./team/settle_order.ts";
import { parseSessionEvent, type SessionEvent } from "./logs/session_log.ts";
import { countLogs, emptyState, readState, type State, writeState } from "./state.ts";

/** What was appended: the entries as they are on disk, and how many secrets were taken out. */
export interface Appended {
  entries: Entry[];
  redactions: number;
}

export interface WriterOptions {
  files: Files;
  layout: Layout;
  sync: boolean;
  now: () => number;
  random: () => string;
  warn: (message: string) => void;
}

/** One write transaction. Made by `Store.write`, which holds the lock around it. */
export class Writer {
  readonly files: Files;
  readonly layout: Layout;
  readonly state: State;
  readonly #options: WriterOptions;
  /** The logs that were replaced since they were counted. */
  readonly #uncounted = new Set<OwnPool>();
  #redactions = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.files = options.files;
    this.layout = options.layout;
    this.#cutTails();
    for (const path of [...Object.values(this.layout.history), this.layout.sessions]) {
      this.#mendTail(path);
    }
    if (isListed(this.files, this.layout.team)) settleOrder(this.files, this.layout);
    const { state, rebuilt, shrunk } = readState(this.files, this.layout);
    this.state = state;
    const moving = this.files.findSize(this.layout.move) !== undefined;
    if (shrunk !== undefined && !moving) options.warn(shrunk);
    if (rebuilt === "corrupt") {
      options.warn("state.json was unreadable and has been rebuilt from the logs");
    }
  }

  get redactions(): number {
    return this.#redactions;
  }

  timestamp(): string {
    return new Date(this.#options.now()).toISOString();
  }

  /** Appends entries to a pool in one write; they are on disk when this returns. */
  append(drafts: Draft[], options: { pool?: OwnPool; redact?: boolean } = {}): Appended {
    if (drafts.length === 0) return { entries: [], redactions: 0 };
    const before = this.#redactions;
    const entries = drafts.map((draft) => this.#complete(draft, options.redact ?? true));
    this.appendEntries(entries, options);
    return { entries, redactions: this.#redactions - before };
  }

  /**
   * Appends whole entries, clean already, as they are: every field in its place, and byte for byte
   * those that come with a line.
   */
  appendEntries(
    entries: Entry[],
    { pool = "hot", lines }: { pool?: OwnPool; lines?: ReadonlyMap<Entry, string | undefined> } =
      {},
  ): void {
    if (entries.length === 0) return;
    const toText = (entry: Entry): string => lines?.get(entry) ?? JSON.stringify(entry);
    const bytes = encodeLines(entries.map(toText));
    this.files.append(this.layout.history[pool], bytes, { sync: this.#options.sync });
    const log = this.state.logs[pool];
    log.bytes += bytes.length;
    log.rows += entries.length;
    log.tombstones += entries.filter((entry) => entry.type === tombstoneType).length;
  }

  /**
   * Marks the store as one that has entries of another. On disk before they are: without the mark,
   * what is erased of them would come back with the next copy.
   */
  markCopied(): void {
    if (this.state.copied === true) return;
    this.state.copied = true;
    writeState(this.files, this.layout, this.state, { sync: this.#options.sync });
  }

  /** Appends session events; they are on disk when this returns. */
  appendSessionEvents(events: SessionEvent[]): void {
    this.appendRows(this.layout.sessions, events);
  }

  /** Appends rows to another log of the store, redacted; an unfinished last line is cut first. */
  appendRows(path: string, rows: object[]): void {
    if (rows.length === 0) return;
    this.#mendTail(path);
    const clean = rows.map((row) => this.#redact(row));
    this.files.append(path, toLines(clean), { sync: this.#options.sync });
  }

  /** Counts the logs anew, after a rewrite. */
  recount(): void {
    this.#uncounted.clear();
    this.state.logs = emptyState().logs;
    countLogs(this.files, this.layout, this.state);
  }

  /**
   * Takes a log's count out of the state before it is replaced: whatever happens then, a log that is
   * shorter than its count was not cut by ctx. Other files have no count.
   */
  uncount(path: string): void {
    const pool = ownPools.find((name) => this.layout.history[name] === path);
    if (pool === undefined) return;
    this.#uncounted.add(pool);
    const logs = { ...this.state.logs };
    for (const name of this.#uncounted) logs[name] = emptyState().logs[name];
    writeState(this.files, this.layout, { ...this.state, logs });
  }

  /** Puts bytes that are no row aside, with where they were and why. */
  quarantine(bytes: Uint8Array, found: { file: string; offset: number; reason: string }): void {
    const row = {
      ts: this.timestamp(),
      ...found,
      ...toStorable(this.#redact(decodeLossy(bytes)), bytes),
    };
    this.files.append(this.layout.quarantine, toLines([row]), { sync: true });
  }

  #complete(draft: Draft, redact: boolean): Entry {
    if (!typePattern.test(draft.type)) {
      throw new CtxError(
        "USAGE",
        `Cannot append: type "${draft.type}" must be 1 to 64 characters of a-z, 0-9, _ . : -`,
      );
    }
    const ts = toTimestamp(draft.ts ?? this.#options.now());
    const id = draft.id ??
      makeId("H", Date.parse(ts), `${draft.session_id}\0${draft.text}\0${this.#options.random()}`);
    refuseExcess(draft);
    const entry: Entry = { id, ts, ...draft };
    entry.id = id;
    entry.ts = ts;
    if (!redact) return entry;
    const clean = this.#redact(entry);
    // Nothing was replaced in it here, and of rows from elsewhere no more is known.
    if (clean === entry && entry.source !== undefined) return clean;
    // A text may quote a mark: what was really replaced is known only here.
    const redacted = madeMarks(entry, clean);
    return redacted === undefined ? clean : { ...clean, redacted };
  }

  #redact<T>(value: T): T {
    checkDeadline();
    const { value: clean, count } = redactValue(value);
    this.#redactions += count;
    return clean;
  }

  /** Unfinished copies need no quarantine: what they were copied from is still in place. */
  #cutTails(): void {
    const copies = [this.layout.quarantine];
    if (this.files.findSize(this.layout.move) !== undefined) {
      copies.push(this.layout.history.archive);
    }
    for (const path of copies) {
      const tail = findTornTail(this.files, path);
      if (tail) this.files.truncate(path, tail.offset);
    }
  }

  /** Cuts an unfinished last line (invariant 3): completed if it is whole, else put aside first. */
  #mendTail(path: string): void {
    const tail = findTornTail(this.files, path);
    if (tail === undefined) return;
    const file = path.slice(this.layout.root.length + 1);
    const isHistory = ownPools.some((pool) => this.layout.history[pool] === path);
    const isWhole = isHistory
      ? isWholeRow(tail.bytes)
      : parseSessionEvent(tail.bytes) !== undefined;
    if (isWhole) {
      this.files.append(path, Uint8Array.of(10), { sync: true });
      this.#options.warn(`${file}: added the missing newline to the last line`);
      return;
    }
    this.quarantine(tail.bytes, { file, offset: tail.offset, reason: "torn_tail" });
    this.files.truncate(path, tail.offset);
    this.#options.warn(
      `${file}: moved an incomplete last line (${tail.bytes.length} bytes) to history.bad.ndjson`,
    );
  }
}

/** Beside its text an entry holds names, tags and places, not texts of their own. */
const maxOtherChars = 256 << 10;

/** An entry without bounds would be read at the start of every session. Sources cut what they bring. */
function refuseExcess({ text, source, ...others }: Draft): void {
  const isLong = text.length > maxTextBytes ||
    text.length * 3 > maxTextBytes && encodeExact(text).length > maxTextBytes;
  const isWide = source === undefined && JSON.stringify(others).length > maxOtherChars;
  if (!isLong && !isWide) return;
  const what = isLong ? "its text is longer than 8 MB" : "its title, tags and files are too long";
  throw new CtxError("USAGE", `Cannot save an entry: ${what}`, {
    hint: "save a shorter text, and name the complete file with --file",
  });
}

/** Rows as NDJSON bytes. */
export function toLines(rows: object[]): Uint8Array {
  return encodeLines(rows.map((row) => JSON.stringify(row)));
}

function isWholeRow(bytes: Uint8Array): boolean {
  const { entries, damage } = parseLine(bytes);
  return entries.length === 1 && damage === undefined;
}

/** Readable text when the bytes are UTF-8; base64 beside it when they are not, as clean as the text. */
function toStorable(text: string, bytes: Uint8Array): { text: string; base64?: string } {
  if (!text.includes("\ufffd")) return { text };
  const units = bytes.reduce((all, byte) => all + String.fromCharCode(byte), "");
  return { text, base64: btoa(redactText(units).value) };
}
