// Deletion that deletes: a tombstone hides entries at once; erasing removes their bytes from every
// file of the store, the derived index included. Rows go before the tombstones that hide them, so
// that nothing forgotten comes back after a crash (invariant 12).

import { type Entry, type Pool, tombstoneType } from "../core/entry.ts";
import { decodeLossy } from "../core/utf8.ts";
import { removePins } from "./pins.ts";
import { rewriteFile, rewritePool, type Verdict } from "./rewrite.ts";
import { parseSessionEvent, type SessionEvent } from "./sessions.ts";
import {
  digestArchive,
  dropModelSummary,
  dropSummaryLines,
  parseSummary,
  readSummaryText,
  writeSummary,
} from "./summary.ts";
import type { Writer } from "./writer.ts";

const refsPerTombstone = 500;

/** Hides entries: tombstones, and out of pins, summary and traces. The bytes go with `erase`. */
export function bury(writer: Writer, ids: string[]): void {
  const drafts = [];
  for (let i = 0; i < ids.length; i += refsPerTombstone) {
    const refs = ids.slice(i, i + refsPerTombstone);
    drafts.push({ role: "note" as const, type: tombstoneType, text: "", refs });
  }
  writer.append(drafts);
  dropMentions(writer, new Set(ids));
}

/** Removes the bytes of buried entries everywhere; returns how many lines went. */
export function erase(writer: Writer, ids: ReadonlySet<string>): number {
  const hadTombstones = writer.state.logs.archive.tombstones > 0;
  const sessions = new SessionWatch();
  let removed = dropRows(writer, { pool: "archive", ids, sessions });
  removed += rewritePool(writer, "hot", ({ entries }) => {
    sessions.see(entries, ids);
    return judgeRows(entries, ids);
  });
  if (hadTombstones) {
    removed += rewritePool(writer, "archive", ({ entries }) => judgeRows(entries, ids));
  }
  writer.recount();
  removed += rewriteFile(
    writer,
    writer.layout.quarantine,
    (line) => mentions(line.bytes, ids) ? "drop" : "keep",
  );
  removed += dropSessions(writer, sessions.gone());
  removed += dropMentions(writer, ids);
  if (parseSummary(readSummaryText(writer)).written) writeSummary(writer, digestArchive(writer));
  removeDerived(writer);
  return removed;
}

/** The index and left-over drafts may hold the text: both can be made again. */
export function removeDerived(writer: Writer): void {
  const { files, layout } = writer;
  for (const path of files.listTree(layout.index)) files.remove(path);
  for (const name of files.list(layout.root)) {
    if (name.endsWith(".tmp")) files.remove(`${layout.root}/${name}`);
  }
}

/** The NDJSON files beside history that may name entries or repeat their text. */
export function sideLogs({ files, layout }: Pick<Writer, "files" | "layout">): string[] {
  const traces = files.list(layout.root).filter((name) =>
    /^retrieval\.traces\.ndjson(\.\d+)?$/.test(name)
  ).map((name) => `${layout.root}/${name}`);
  return [
    ...traces,
    layout.suggestions,
    layout.subscriptions,
    ...files.listTree(layout.chat),
  ];
}

function dropRows(
  writer: Writer,
  options: { pool: Pool; ids: ReadonlySet<string>; sessions: SessionWatch },
): number {
  const { pool, ids, sessions } = options;
  return rewritePool(writer, pool, ({ entries }) => {
    sessions.see(entries, ids);
    return toVerdict(entries, entries.filter((entry) => !ids.has(entry.id)));
  });
}

/** A row goes when it is forgotten, or when it is a tombstone with nothing left to hide. */
function judgeRows(entries: Entry[], ids: ReadonlySet<string>): Verdict {
  const kept = entries.map((entry) => withoutRefs(entry, ids)).filter((entry) =>
    entry !== undefined
  );
  return toVerdict(entries, kept);
}

function toVerdict(entries: Entry[], kept: Entry[]): Verdict {
  if (kept.length === entries.length && kept.every((entry, i) => entry === entries[i])) {
    return "keep";
  }
  return kept.length === 0 ? "drop" : { rows: kept };
}

function withoutRefs(entry: Entry, ids: ReadonlySet<string>): Entry | undefined {
  if (ids.has(entry.id)) return undefined;
  if (entry.type !== tombstoneType) return entry;
  const refs = (entry.refs ?? []).filter((id) => !ids.has(id));
  if (refs.length === (entry.refs ?? []).length) return entry;
  return refs.length === 0 ? undefined : { ...entry, refs };
}

/** Finds the sessions of which nothing is left. */
class SessionWatch {
  readonly #dropped = new Set<string>();
  readonly #kept = new Set<string>();

  see(entries: Entry[], ids: ReadonlySet<string>): void {
    for (const { id, session_id } of entries) {
      if (session_id !== undefined) (ids.has(id) ? this.#dropped : this.#kept).add(session_id);
    }
  }

  gone(): Set<string> {
    return this.#dropped.difference(this.#kept);
  }
}

/** A session of which nothing is left loses its events; the current one only its title. */
function dropSessions(writer: Writer, gone: ReadonlySet<string>): number {
  if (gone.size === 0) return 0;
  return rewriteFile(writer, writer.layout.sessions, ({ bytes }) => {
    const event = parseSessionEvent(bytes);
    if (event === undefined || !gone.has(event.session_id)) return "keep";
    if (event.session_id !== writer.state.session_id) return "drop";
    if (event.title === undefined) return "keep";
    const { title: _title, ...rest }: SessionEvent = event;
    return { rows: [rest] };
  });
}

/** Takes what names an entry out of traces, suggestions, chats, pins and the summary. */
function dropMentions(writer: Writer, ids: ReadonlySet<string>): number {
  let removed = 0;
  for (const path of sideLogs(writer)) {
    removed += rewriteFile(writer, path, (line) => mentions(line.bytes, ids) ? "drop" : "keep");
  }
  dropPins(writer, ids);
  dropSummaryLines(writer, (line) => textMentions(line, ids));
  dropModelSummary(writer);
  return removed;
}

function dropPins(writer: Writer, ids: ReadonlySet<string>): void {
  const bytes = writer.files.findBytes(writer.layout.pins);
  if (bytes === undefined) return;
  const text = decodeLossy(bytes);
  const rest = removePins(text, ids);
  if (rest !== text) {
    writer.files.replace(writer.layout.pins, new TextEncoder().encode(rest), { sync: true });
  }
}

function mentions(bytes: Uint8Array, ids: ReadonlySet<string>): boolean {
  return textMentions(decodeLossy(bytes), ids);
}

/** Ids are compared as whole words: one id may be the beginning of another. */
function textMentions(text: string, ids: ReadonlySet<string>): boolean {
  for (const [word] of text.matchAll(/[A-Za-z0-9][A-Za-z0-9_.:@-]*/g)) {
    if (ids.has(word) || ids.has(word.replace(/[.:@_-]+$/, ""))) return true;
  }
  return false;
}
