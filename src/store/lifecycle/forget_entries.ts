// Deletion that deletes: a tombstone hides entries at once; erasing removes their bytes from every
// file of the store, the derived index included. Copies of an entry go with it: those that name it,
// and those that repeat its words without naming it. Rows go before the tombstones that hide them, so
// that nothing forgotten comes back after a crash (invariant 12).

import { digestArchive } from "./digest.ts";
import { type Draft, type Entry, ownPools, tombstoneType } from "../../core/entry.ts";
import { findRecord, makeByteSearch } from "../../disk/lines.ts";
import { dropLines, readText, replaceText } from "../../disk/text_files.ts";
import { toFewNeedles } from "../find.ts";
import { type Lost, type LostDocument, makeConcern, readLost } from "./lost.ts";
import type { LostWords } from "./lost_words.ts";
import { Mentions } from "./mentions.ts";
import { injectionPaths, withoutEntries } from "../logs/injection_log.ts";
import { isTrialRow } from "../logs/trial_log.ts";
import { removePins } from "../logs/pins.ts";
import { removeDerived, removeIndex } from "./remove_derived.ts";
import { repeatsLost, repeatsLostBytes } from "./repeats.ts";
import { rewriteFile, rewritePool, type Verdict } from "../rewrite.ts";
import { rewriteTeam } from "./rewrite_team.ts";
import { type ParsedLine, parseLine } from "../row.ts";
import { openSnapshot } from "../snapshot.ts";
import { findPushed } from "../team/pushed_log.ts";
import { readRemote } from "../team/remote_file.ts";
import { dropModelSummary, dropSummaryLines, parseSummary, readSummaryText } from "../summary.ts";
import { writeSummary } from "../write_summary.ts";
import { dropTitles, untitle } from "./untitle.ts";
import type { Writer } from "../writer.ts";

const refsPerTombstone = 500;

/** Hides entries, and what was made of them; returns what was lost. The bytes go with `erase`. */
export function forget(writer: Writer, ids: string[]): Lost {
  const lost = readLost(writer, new Set(ids));
  const known = new Set(ids);
  // First what takes room: where the disk is full, nothing is forgotten yet.
  dropLogged(writer, known, lost.words);
  buryDocuments(writer, lost);
  buryRows(writer, ids);
  untitle(writer, lost);
  dropShown(writer, known, lost.words);
  return lost;
}

/** Hides entries: tombstones, and what names them. For entries that are replaced, not forgotten. */
export function bury(writer: Writer, ids: string[]): void {
  buryRows(writer, ids);
  dropCopies(writer, new Set(ids));
}

/** Forgets entries and removes their bytes; where the index cannot go, nothing is changed. */
export function forgetNow(writer: Writer, ids: string[]): void {
  removeIndex(writer);
  eraseRows(writer, new Set(ids), forget(writer, ids));
}

export function erase(writer: Writer, ids: ReadonlySet<string>): void {
  removeIndex(writer);
  // A replaced section was not forgotten: its words may still be in the new one.
  const lost = readLost(writer, ids, { documents: false });
  untitle(writer, lost);
  dropCopies(writer, ids, lost.words);
  eraseRows(writer, ids, lost);
}

/**
 * Takes others' rows off this disk, as their author or the space's owner asked, with the copies that
 * name them or repeat their words. Rows of the own logs stay: they are one's own.
 */
export function eraseTeam(writer: Writer, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  removeIndex(writer);
  const lost = readLost(writer, ids, { only: ["team"] });
  const others = withoutOwn(writer, ids);
  dropCopies(writer, others, lost.words);
  dropQuarantined(writer, new Mentions(others), lost);
  dropTeamRows(writer, ids);
  writer.recount();
  removeDerived(writer);
}

/**
 * Takes all that others wrote off this disk, with what names it, such as traces of searches. What only
 * sounds like it stays: it may well be one's own.
 */
export function dropTeam(writer: Writer): void {
  const { files, layout } = writer;
  removeIndex(writer);
  dropCopies(writer, withoutOwn(writer, listTeam(writer)));
  const findTeam = makeByteSearch(new TextEncoder().encode('"file":"team/'));
  rewriteFile(writer, layout.quarantine, ({ bytes }) => findTeam(bytes, 0) >= 0 ? "drop" : "keep");
  for (const path of files.listTree(layout.team)) files.remove(path);
  writer.recount();
  removeDerived(writer);
}

function listTeam({ files, layout }: Writer): Set<string> {
  using snapshot = openSnapshot(files, layout);
  return new Set([...snapshot.rows({ pools: ["team"] })].map(({ entry }) => entry.id));
}

/** The owner of a space takes what others wrote off this disk, and the next sync off all others. */
export function eraseForAll(writer: Writer, ids: string[]): void {
  askToErase(writer, ids);
  eraseTeam(writer, new Set(ids));
}

/** Has the next sync take rows off the server and off the disks of all others. */
export function askToErase(writer: Writer, ids: string[]): void {
  appendTombstones(writer, ids, (refs) => ({ refs, erased: true }));
}

/** Those of some ids that no row of an own log has. */
function withoutOwn({ files, layout }: Writer, ids: ReadonlySet<string>): Set<string> {
  const others = new Set(ids);
  using snapshot = openSnapshot(files, layout);
  for (const { entry } of snapshot.rows({ pools: ownPools, needles: toFewNeedles(others) })) {
    others.delete(entry.id);
  }
  return others;
}

/** Returns which of them the member wrote, on another machine. */
function dropTeamRows(writer: Writer, ids: ReadonlySet<string>): { own: string[] } {
  const concerns = makeConcern(ids);
  const name = readRemote(writer)?.name;
  const isBy = ({ author }: Entry): boolean => name !== undefined && author === name;
  const own: string[] = [];
  rewriteTeam(writer, (bytes) => {
    if (!concerns(bytes)) return "keep";
    const { entries } = parseLine(bytes);
    own.push(...entries.filter((entry) => ids.has(entry.id) && isBy(entry)).map(({ id }) => id));
    return toVerdict(entries, entries.filter((entry) => !ids.has(entry.id)));
  });
  return { own };
}

/** Copies that are recognised by comparing them with the rows go first, in case of a crash between. */
function eraseRows(writer: Writer, ids: ReadonlySet<string>, lost: Lost): void {
  const hadTombstones = writer.state.logs.archive.tombstones > 0;
  const erased = findPushed(writer, ids);
  const lasting = { imported: lost.imported, erased };
  const concerns = makeConcern(ids);
  dropTitles(writer, new Set(), lost);
  dropQuarantined(writer, new Mentions(ids), lost);
  const dropRows = ({ entries }: ParsedLine): Verdict =>
    toVerdict(entries, entries.filter((entry) => !ids.has(entry.id)));
  // A tombstone goes too when it has nothing left to hide.
  const dropAll = ({ entries }: ParsedLine): Verdict => {
    const left = entries.flatMap((entry) => withoutRefs(entry, ids, lasting));
    // Asked for once: what was hidden first and erased later has two tombstones.
    for (const entry of left.filter(isErasure)) entry.refs?.forEach((id) => erased.delete(id));
    return toVerdict(entries, left);
  };
  rewritePool(writer, "archive", dropRows, concerns);
  for (const id of dropTeamRows(writer, ids).own) erased.add(id);
  rewritePool(writer, "hot", dropAll, concerns);
  if (hadTombstones) rewritePool(writer, "archive", dropAll, concerns);
  writer.recount();
  dropTitles(writer, findEmptySessions(writer, lost), lost);
  if (parseSummary(readSummaryText(writer)).written) writeSummary(writer, digestArchive(writer));
  // Again: somebody who had read the logs before may have written an index meanwhile.
  removeDerived(writer);
}

function buryRows(writer: Writer, ids: string[]): void {
  appendTombstones(writer, ids, (refs) => ({ refs }));
}

/** The section that a document's file still has would come back with the next synchronisation. */
function buryDocuments(writer: Writer, lost: Lost): void {
  const toFields = (documents: LostDocument[]) => ({ refs: [], imported: true, documents });
  appendTombstones(writer, lost.documents, toFields);
}

function appendTombstones<T>(writer: Writer, items: T[], toFields: (items: T[]) => object): void {
  const drafts: Draft[] = [];
  for (let i = 0; i < items.length; i += refsPerTombstone) {
    const fields = toFields(items.slice(i, i + refsPerTombstone));
    drafts.push({ role: "note", type: tombstoneType, text: "", ...fields });
  }
  writer.append(drafts);
}

/** The NDJSON files beside history that may name entries or repeat their text. */
export function sideLogs({ files, layout }: Pick<Writer, "files" | "layout">): string[] {
  const rotated = files.list(layout.root).filter((name) =>
    /^(?:retrieval\.traces|captures|live|acts|guards)\.ndjson(\.\d+)?$/.test(name)
  ).map((name) => `${layout.root}/${name}`);
  return [
    ...rotated,
    layout.suggestions,
    layout.subscriptions,
    ...files.listTree(layout.chat),
    ...files.listTree(layout.held),
  ];
}

function toVerdict(entries: Entry[], kept: Entry[]): Verdict {
  if (kept.length === entries.length && kept.every((entry, i) => entry === entries[i])) {
    return "keep";
  }
  return kept.length === 0 ? "drop" : { rows: kept };
}

/**
 * A tombstone keeps what it still hides, and for good what importing again would bring back
 * (`imported`), and what others have, where a sync has to erase it as well (`erased`).
 */
function withoutRefs(
  entry: Entry,
  ids: ReadonlySet<string>,
  lasting: { imported: ReadonlySet<string>; erased: ReadonlySet<string> },
): Entry[] {
  if (ids.has(entry.id)) return [];
  const { refs = [] } = entry;
  if (entry.type !== tombstoneType || isLasting(entry)) return [entry];
  const hiding = refs.filter((id) => !ids.has(id));
  if (hiding.length === refs.length) return [entry];
  const keep = (mark: "imported" | "erased"): Entry[] => {
    const kept = refs.filter((id) => lasting[mark].has(id));
    return kept.length === 0
      ? []
      : [{ ...entry, id: `${entry.id}-${mark[0]}`, refs: kept, [mark]: true }];
  };
  return [
    ...(hiding.length > 0 ? [{ ...entry, refs: hiding }] : []),
    ...keep("imported"),
    ...keep("erased"),
  ];
}

function isErasure({ erased }: Entry): boolean {
  return erased === true;
}

/** Whether a tombstone stays for good: an import would bring back what it names, or a team has it. */
export function isLasting({ imported, erased }: Entry): boolean {
  return imported === true || erased === true;
}

/** The sessions, of those that lost entries, in which nothing is left. */
function findEmptySessions({ files, layout }: Writer, { sessions }: Lost): Set<string> {
  const empty = new Set(sessions.keys());
  if (empty.size === 0) return empty;
  using snapshot = openSnapshot(files, layout);
  const needles = toFewNeedles(empty);
  for (const { entry } of snapshot.rows({ needles })) empty.delete(entry.session_id ?? "");
  return empty;
}

/**
 * Takes what names entries, or repeats their words without saying what it was made of, out of
 * traces, suggestions, injections, chats, pins, manifest and summary.
 */
function dropCopies(writer: Writer, ids: ReadonlySet<string>, words?: LostWords): void {
  dropLogged(writer, ids, words);
  dropShown(writer, ids, words);
}

/** Drops copies from traces and other logs beside the history. */
function dropLogged(writer: Writer, ids: ReadonlySet<string>, words?: LostWords): void {
  const { files, layout } = writer;
  if (files.isScoped) return;
  const mentions = new Mentions(ids);
  for (const path of sideLogs(writer)) {
    rewriteFile(writer, path, ({ bytes }) => {
      const isGone = mentions.inLine(bytes) || (words && repeatsLost(bytes, words));
      return isGone ? "drop" : "keep";
    });
  }
  for (const path of injectionPaths(layout)) {
    rewriteFile(
      writer,
      path,
      ({ bytes }) =>
        findRecord(bytes, isTrialRow) === undefined ? withoutEntries(bytes, ids) : "keep",
    );
  }
  dropLines(files, layout.manifest, isCopyOf(mentions, words));
}

/** Drops what sessions would be shown of it: pins and lines of the summary. */
function dropShown(writer: Writer, ids: ReadonlySet<string>, words?: LostWords): void {
  dropPins(writer, ids);
  dropSummaryLines(writer, isCopyOf(new Mentions(ids), words));
  dropModelSummary(writer);
}

function isCopyOf(mentions: Mentions, words?: LostWords): (line: string) => boolean {
  return (line) => mentions.inText(line) || words?.areQuotedIn(line) === true;
}

/** Damaged lines were put aside as they stood: whole rows, or parts without their id. */
function dropQuarantined(writer: Writer, mentions: Mentions, { words }: Lost): void {
  rewriteFile(
    writer,
    writer.layout.quarantine,
    ({ bytes }) => mentions.inLine(bytes) || repeatsLostBytes(bytes, words) ? "drop" : "keep",
  );
}

/** The files for people in which ctx itself still names forgotten entries. */
export function findForgottenMentions(
  store: Pick<Writer, "files" | "layout">,
  forgotten: ReadonlySet<string>,
): string[] {
  if (forgotten.size === 0) return [];
  const pins = readText(store.files, store.layout.pins);
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

function dropPins({ files, layout }: Writer, ids: ReadonlySet<string>): void {
  const text = readText(files, layout.pins);
  const rest = removePins(text, ids);
  if (rest !== text) replaceText(files, layout.pins, rest);
}
