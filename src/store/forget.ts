// Deletion that deletes: a tombstone hides entries at once; erasing removes their bytes from every
// file of the store, the derived index included. Rows go before the tombstones that hide them, so
// that nothing forgotten comes back after a crash (invariant 12).

import { type Entry, pools, tombstoneType } from "../core/entry.ts";
import { decodeLossy } from "../core/utf8.ts";
import { toNeedles } from "./find.ts";
import { makeByteSearch, readLines } from "./lines.ts";
import { removePins } from "./pins.ts";
import { removeDerived, removeIndex } from "./remove_derived.ts";
import { rewriteFile, rewritePool, type Verdict } from "./rewrite.ts";
import { type ParsedLine, parseLine } from "./row.ts";
import { parseSessionEvent, type SessionEvent } from "./sessions.ts";
import { openSnapshot, tombstoneNeedle } from "./snapshot.ts";
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

/** Buries entries and removes their bytes; where the index cannot go, nothing is changed. */
export function buryAndErase(writer: Writer, ids: string[]): number {
  removeIndex(writer);
  bury(writer, ids);
  return erase(writer, new Set(ids));
}

/** Removes the bytes of buried entries everywhere; returns how many lines went. */
export function erase(writer: Writer, ids: ReadonlySet<string>): number {
  removeIndex(writer);
  const hadTombstones = writer.state.logs.archive.tombstones > 0;
  const concerns = makeConcern(ids);
  const { imported, words } = readErased(writer, ids, concerns);
  const sessions = new Set<string>();
  const dropRows = ({ entries }: ParsedLine): Verdict => {
    for (const { id, session_id } of entries) if (ids.has(id)) sessions.add(session_id ?? "");
    return toVerdict(entries, entries.filter((entry) => !ids.has(entry.id)));
  };
  const dropAll = (line: ParsedLine): Verdict => {
    dropRows(line);
    return judgeRows(line.entries, ids, imported);
  };
  let removed = rewritePool(writer, "archive", dropRows, concerns);
  removed += rewritePool(writer, "hot", dropAll, concerns);
  if (hadTombstones) removed += rewritePool(writer, "archive", dropAll, concerns);
  writer.recount();
  removed += rewriteFile(
    writer,
    writer.layout.quarantine,
    (line) => mentions(line.bytes, ids) ? "drop" : "keep",
  );
  removed += dropSessions(writer, findEmptySessions(writer, sessions));
  removed += dropTitles(writer, sessions, words);
  removed += dropMentions(writer, ids, words);
  if (parseSummary(readSummaryText(writer)).written) writeSummary(writer, digestArchive(writer));
  // Again: somebody who had read the logs before may have written an index meanwhile.
  removeDerived(writer);
  return removed;
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

/**
 * Tells by its bytes whether a line can be one of the ids or a tombstone. Rows that ctx writes begin
 * with their id; a line that begins otherwise, or says `"id":` again, is looked at closely.
 */
function makeConcern(ids: ReadonlySet<string>): (bytes: Uint8Array) => boolean {
  const findTombstone = makeByteSearch(new TextEncoder().encode(tombstoneNeedle));
  const findId = makeByteSearch(new TextEncoder().encode('"id":'));
  return (bytes) => {
    const end = bytes.indexOf(quote, idStart);
    const id = String.fromCharCode(...bytes.subarray(0, Math.max(0, Math.min(end, 200))));
    const isPlain = /^\{"id":"[\w.:@+-]+$/.test(id);
    return !isPlain || ids.has(id.slice(idStart)) || findId(bytes, idStart) >= 0 ||
      findTombstone(bytes, idStart) >= 0;
  };
}

const quote = 34;
const idStart = '{"id":"'.length;

/**
 * What erasing must know: which ids were imported (their producer may still have them), and the
 * longer words of the texts that go. Copies of another store's entries are as they were there, so
 * once there are some, or nobody knows, every entry may be one.
 */
function readErased(
  { files, layout, state }: Writer,
  ids: ReadonlySet<string>,
  concerns: (bytes: Uint8Array) => boolean,
): { imported: Set<string>; words: Set<string> } {
  const imported = new Set<string>();
  const words = new Set<string>();
  for (const pool of pools) {
    for (const { bytes } of readLines(files, layout.history[pool])) {
      if (!concerns(bytes)) continue;
      for (const { id, source, text, title = "" } of parseLine(bytes).entries) {
        if (!ids.has(id)) continue;
        if (source !== undefined || state.copied === true) imported.add(id);
        for (const word of longWords(`${title} ${text}`)) words.add(word);
      }
    }
  }
  return { imported, words };
}

/** A row goes when it is forgotten, or when it is a tombstone with nothing left to hide. */
function judgeRows(
  entries: Entry[],
  ids: ReadonlySet<string>,
  imported: ReadonlySet<string>,
): Verdict {
  return toVerdict(entries, entries.flatMap((entry) => withoutRefs(entry, ids, imported)));
}

function toVerdict(entries: Entry[], kept: Entry[]): Verdict {
  if (kept.length === entries.length && kept.every((entry, i) => entry === entries[i])) {
    return "keep";
  }
  return kept.length === 0 ? "drop" : { rows: kept };
}

/** A tombstone keeps what it still hides, and for good what importing again would bring back. */
function withoutRefs(
  entry: Entry,
  ids: ReadonlySet<string>,
  imported: ReadonlySet<string>,
): Entry[] {
  if (ids.has(entry.id)) return [];
  const { refs = [] } = entry;
  if (entry.type !== tombstoneType || entry.imported === true) return [entry];
  const hiding = refs.filter((id) => !ids.has(id));
  const lasting = refs.filter((id) => imported.has(id));
  if (hiding.length === refs.length) return [entry];
  return [
    ...(hiding.length > 0 ? [{ ...entry, refs: hiding }] : []),
    ...(lasting.length > 0
      ? [{ ...entry, id: `${entry.id}-i`, refs: lasting, imported: true }]
      : []),
  ];
}

/** The sessions, of those that lost entries, in which nothing is left. */
function findEmptySessions({ files, layout }: Writer, lost: ReadonlySet<string>): Set<string> {
  const empty = new Set(lost);
  empty.delete("");
  if (empty.size === 0) return empty;
  using snapshot = openSnapshot(files, layout);
  const needles = empty.size <= 50 ? toNeedles([...empty]) : undefined;
  for (const { entry } of snapshot.rows({ needles })) empty.delete(entry.session_id ?? "");
  return empty;
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

/** A title that was made from a prompt repeats it: sessions that lost entries lose such titles. */
function dropTitles(
  writer: Writer,
  sessions: ReadonlySet<string>,
  words: ReadonlySet<string>,
): number {
  if (sessions.size === 0) return 0;
  return rewriteFile(writer, writer.layout.sessions, ({ bytes }) => {
    const event = parseSessionEvent(bytes);
    if (event?.title === undefined || !sessions.has(event.session_id)) return "keep";
    const { title, ...rest }: SessionEvent = event;
    return longWords(title ?? "").some((word) => words.has(word)) ? { rows: [rest] } : "keep";
  });
}

/** Takes what names an entry out of traces, suggestions, chats, pins and the summary. */
function dropMentions(
  writer: Writer,
  ids: ReadonlySet<string>,
  words: ReadonlySet<string> = new Set(),
): number {
  let removed = 0;
  for (const path of writer.files.isPinned ? [] : sideLogs(writer)) {
    removed += rewriteFile(
      writer,
      path,
      ({ bytes }) => mentions(bytes, ids) || asksFor(bytes, words) ? "drop" : "keep",
    );
  }
  dropPins(writer, ids);
  dropSummaryLines(writer, (line) => textMentions(line, ids));
  dropModelSummary(writer);
  return removed;
}

/** The files for people in which ctx itself still names forgotten entries. */
export function findForgottenMentions(
  store: Pick<Writer, "files" | "layout">,
  forgotten: ReadonlySet<string>,
): string[] {
  if (forgotten.size === 0) return [];
  const pins = decodeLossy(store.files.findBytes(store.layout.pins) ?? new Uint8Array());
  const { written } = parseSummary(readSummaryText(store));
  return [
    ...(removePins(pins, forgotten) === pins ? [] : ["pins.md"]),
    ...(textMentions(written?.text ?? "", forgotten) ? ["summary.md"] : []),
  ];
}

/** Takes forgotten entries out of pins and summary again; returns the files that changed. */
export function dropForgottenMentions(writer: Writer, forgotten: ReadonlySet<string>): string[] {
  const named = findForgottenMentions(writer, forgotten);
  if (named.length === 0) return [];
  dropPins(writer, forgotten);
  dropSummaryLines(writer, (line) => textMentions(line, forgotten));
  return named;
}

/** A query that names what was erased would keep it: traces with one of its longer words go too. */
function asksFor(bytes: Uint8Array, words: ReadonlySet<string>): boolean {
  if (words.size === 0) return false;
  return longWords(queryOf(decodeLossy(bytes))).some((word) => words.has(word));
}

function queryOf(line: string): string {
  if (!line.includes('"query":')) return "";
  try {
    const { query, args } = JSON.parse(line);
    return `${query ?? ""} ${args?.query ?? ""}`;
  } catch {
    return line;
  }
}

function longWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{5,}/gu) ?? [];
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
