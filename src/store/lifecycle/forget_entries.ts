// Deletion that deletes: a tombstone hides entries at once; erasing removes their bytes from every
// file of the store, the derived index included. What was made of an entry goes with it, found by
// what it names; only where nothing says what a text was made of, words are compared. Rows go before
// the tombstones that hide them, so that nothing forgotten comes back after a crash (invariant 12).

import { type Entry, tombstoneType } from "../../core/entry.ts";
import { decodeLossy } from "../../core/utf8.ts";
import { toNeedles } from "../find.ts";
import { type Lost, makeConcern, readLost } from "./lost.ts";
import { Mentions } from "./mentions.ts";
import { removePins } from "../logs/pins.ts";
import { removeDerived, removeIndex } from "./remove_derived.ts";
import { repeatsLost, repeatsLostBytes } from "./repeats.ts";
import { rewriteFile, rewritePool, type Verdict } from "../rewrite.ts";
import type { ParsedLine } from "../row.ts";
import { openSnapshot } from "../snapshot.ts";
import {
  digestArchive,
  dropModelSummary,
  dropSummaryLines,
  parseSummary,
  readSummaryText,
  writeSummary,
} from "./summary.ts";
import { dropTitles, untitle } from "./untitle.ts";
import type { Writer } from "../writer.ts";

const refsPerTombstone = 500;

/** Hides entries, and what was made of them. The bytes go with `erase`. */
export function forget(writer: Writer, ids: string[]): void {
  const lost = readLost(writer, new Set(ids));
  buryDocuments(writer, lost);
  bury(writer, ids);
  untitle(writer, lost);
  dropRepeats(writer, lost);
}

/** Hides entries: tombstones, and what names them. For entries that are replaced, not forgotten. */
export function bury(writer: Writer, ids: string[]): void {
  const drafts = [];
  for (let i = 0; i < ids.length; i += refsPerTombstone) {
    const refs = ids.slice(i, i + refsPerTombstone);
    drafts.push({ role: "note" as const, type: tombstoneType, text: "", refs });
  }
  writer.append(drafts);
  dropMentions(writer, new Set(ids));
}

/** Forgets entries and removes their bytes; where the index cannot go, nothing is changed. */
export function forgetNow(writer: Writer, ids: string[]): number {
  removeIndex(writer);
  forget(writer, ids);
  return erase(writer, new Set(ids));
}

/** Removes the bytes of buried entries everywhere; returns how many lines went. */
export function erase(writer: Writer, ids: ReadonlySet<string>): number {
  removeIndex(writer);
  const hadTombstones = writer.state.logs.archive.tombstones > 0;
  const concerns = makeConcern(ids);
  // What is replaced in a document was not forgotten: its words may stand elsewhere.
  const lost = readLost(writer, ids, { documents: false });
  untitle(writer, lost);
  // What only the rows tell apart goes before them: after a crash in between nobody would know it.
  let removed = dropTitles(writer, new Set(), lost);
  removed += dropMentions(writer, ids);
  removed += dropRepeats(writer, lost);
  removed += dropQuarantined(writer, new Mentions(ids), lost);
  const sessions = new Set<string>();
  const dropRows = ({ entries }: ParsedLine): Verdict => {
    for (const { id, session_id } of entries) if (ids.has(id)) sessions.add(session_id ?? "");
    return toVerdict(entries, entries.filter((entry) => !ids.has(entry.id)));
  };
  const dropAll = (line: ParsedLine): Verdict => {
    dropRows(line);
    return judgeRows(line.entries, ids, lost.imported);
  };
  removed += rewritePool(writer, "archive", dropRows, concerns);
  removed += rewritePool(writer, "hot", dropAll, concerns);
  if (hadTombstones) removed += rewritePool(writer, "archive", dropAll, concerns);
  writer.recount();
  removed += dropTitles(writer, findEmptySessions(writer, sessions), lost);
  if (parseSummary(readSummaryText(writer)).written) writeSummary(writer, digestArchive(writer));
  // Again: somebody who had read the logs before may have written an index meanwhile.
  removeDerived(writer);
  return removed;
}

/** The section that a document's file still has would come back with the next synchronisation. */
function buryDocuments(writer: Writer, { documents }: Lost): void {
  const drafts = [];
  for (let i = 0; i < documents.length; i += refsPerTombstone) {
    drafts.push({
      role: "note" as const,
      type: tombstoneType,
      text: "",
      refs: [],
      imported: true,
      documents: documents.slice(i, i + refsPerTombstone),
    });
  }
  writer.append(drafts);
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

/** Takes what names an entry out of traces, suggestions, chats, pins, manifest and summary. */
function dropMentions(writer: Writer, ids: ReadonlySet<string>): number {
  const mentions = new Mentions(ids);
  let removed = 0;
  for (const path of writer.files.isScoped ? [] : sideLogs(writer)) {
    removed += rewriteFile(
      writer,
      path,
      ({ bytes }) => mentions.inLine(bytes) ? "drop" : "keep",
    );
  }
  dropPins(writer, ids);
  dropManifestLines(writer, (line) => mentions.inText(line));
  dropSummaryLines(writer, (line) => mentions.inText(line));
  dropModelSummary(writer);
  return removed;
}

/** Takes what repeats a text and does not say what it was made of out of the same files. */
function dropRepeats(writer: Writer, { words }: Lost): number {
  let removed = 0;
  for (const path of writer.files.isScoped ? [] : sideLogs(writer)) {
    removed += rewriteFile(
      writer,
      path,
      ({ bytes }) => repeatsLost(bytes, words) ? "drop" : "keep",
    );
  }
  dropManifestLines(writer, (line) => words.areQuotedIn(line));
  dropSummaryLines(writer, (line) => words.areQuotedIn(line));
  return removed;
}

/** Damaged lines were put aside as they stood: whole rows, or parts without their id. */
function dropQuarantined(writer: Writer, mentions: Mentions, { words }: Lost): number {
  return rewriteFile(
    writer,
    writer.layout.quarantine,
    ({ bytes }) => mentions.inLine(bytes) || repeatsLostBytes(bytes, words) ? "drop" : "keep",
  );
}

function dropManifestLines(writer: Writer, isGone: (line: string) => boolean): void {
  const { files, layout } = writer;
  const bytes = files.isScoped ? undefined : files.findBytes(layout.manifest);
  if (bytes === undefined) return;
  const lines = decodeLossy(bytes).split("\n");
  const kept = lines.filter((line) => !isGone(line));
  if (kept.length === lines.length) return;
  files.replace(layout.manifest, new TextEncoder().encode(kept.join("\n")), { sync: true });
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
    ...(new Mentions(forgotten).inText(written?.text ?? "") ? ["summary.md"] : []),
  ];
}

/** Takes forgotten entries out of pins and summary again; returns the files that changed. */
export function dropForgottenMentions(writer: Writer, forgotten: ReadonlySet<string>): string[] {
  const named = findForgottenMentions(writer, forgotten);
  if (named.length === 0) return [];
  dropPins(writer, forgotten);
  const mentions = new Mentions(forgotten);
  dropSummaryLines(writer, (line) => mentions.inText(line));
  return named;
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
