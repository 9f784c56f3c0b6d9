// Brings the entries of a collection up to its files: new and changed sections are appended, gone
// ones get tombstones, unchanged ones keep their ids. Files are compared by content, never by time.

import { breathe } from "../../core/breathe.ts";
import { type Draft, tombstoneType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { resolvePath } from "../../core/platform_path.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { Collection } from "../../store/logs/collections.ts";
import { bury } from "../../store/lifecycle/forget_entries.ts";
import type { Store } from "../../store/store.ts";
import type { Writer } from "../../store/writer.ts";
import { type DocEntry, hashContent, readDocRows, toDrafts } from "./doc_entry.ts";
import { findDocuments, type OnUnreadable } from "./find_documents.ts";
import { parseMarkdown } from "./markdown.ts";
import { type ParsedDocument, parsePlainText } from "./section.ts";
import { toAbsolute, toDocumentName } from "./source_path.ts";
import * as s from "../../command/shape.ts";

/** What a synchronisation did. */
export const synced = {
  collection: s.text(),
  ...s.each(s.number(), "documents", "added", "updated", "removed", "unchanged", "sections_added"),
  ...s.each(s.number(), "sections_removed", "redactions"),
  skipped: s.listOf(s.object(s.each(s.text(), "document", "reason"))),
  /** Files and directories that could not be read; what is known of them stays. */
  unreadable: s.listOf(s.object(s.each(s.text(), "document", "reason"))),
};
export type SyncResult = s.ObjectOf<typeof synced>;

/** How a synchronisation talks and what it may do. */
export interface SyncOptions {
  /** Whether files outside the workspace may be read. */
  anywhere: boolean;
  /** Reports a refused source in the result instead of throwing. */
  tellsRefused?: boolean;
  now: () => number;
  signal: AbortSignal;
  progress: (message: string, done?: number, total?: number) => void;
}

interface ChangedDocument {
  name: string;
  drafts: Draft[];
}

const maxDocumentBytes = 8 << 20;
const batchRows = 2000;

/** Synchronises one collection; writes nothing when nothing changed. */
export async function syncCollection(
  store: Store,
  collection: Collection,
  options: SyncOptions,
): Promise<SyncResult> {
  const result: SyncResult = {
    collection: collection.name,
    documents: 0,
    added: 0,
    updated: 0,
    removed: 0,
    unchanged: 0,
    sections_added: 0,
    sections_removed: 0,
    skipped: [],
    unreadable: [],
    redactions: 0,
  };
  const { workspace } = store.layout;
  const sources: string[] = [];
  for (const source of collection.sources) {
    try {
      sources.push(toAbsolute(source, workspace, options));
    } catch (error) {
      if (!options.tellsRefused || !(error instanceof CtxError)) throw error;
      result.unreadable.push({ document: source, reason: error.message });
    }
  }
  // A refused source may be a link out of the workspace: nothing is read and no entry is removed.
  if (result.unreadable.length > 0) return result;
  const hashes = readHashes(store, collection.name);
  const { changed, gone } = await readSources(sources, { store, result, hashes, options });
  result.removed = gone.length;
  if (changed.length > 0 || gone.length > 0 || collection.synced === undefined) {
    await store.write("docs sync", (writer) => {
      writeChanges(writer, { store, result, changed, gone });
      const ts = new Date(options.now()).toISOString();
      const event = { event: "synced", collection: collection.name, ts };
      writer.appendRows(store.layout.collections, [event]);
    });
  }
  return result;
}

/** Reads the documents and compares them with the hashes that are known; counts in the result. */
async function readSources(
  sources: string[],
  work: {
    store: Store;
    result: SyncResult;
    hashes: Map<string, string>;
    options: SyncOptions;
  },
): Promise<{ changed: ChangedDocument[]; gone: string[] }> {
  const { store, result, hashes, options } = work;
  const { workspace } = store.layout;
  const unread: string[] = [];
  const fail = (path: string, error: unknown): void => {
    unread.push(path);
    const reason = error instanceof Error ? error.message : String(error);
    result.unreadable.push({ document: toDocumentName(path, workspace), reason });
  };
  const paths = await findDocuments(sources, { signal: options.signal, onUnreadable: fail });
  const isForgotten = readForgottenSections(store, result.collection);
  const changed: ChangedDocument[] = [];
  const present = new Set<string>();
  for (const [i, path] of paths.entries()) {
    options.signal.throwIfAborted();
    await breathe(options.signal);
    options.progress(`reading ${result.collection}`, i, paths.length);
    const name = toDocumentName(path, workspace);
    const source = readDocument(path, fail);
    if (source === undefined) continue;
    if ("reason" in source) {
      result.skipped.push({ document: name, reason: source.reason });
      continue;
    }
    present.add(name);
    result.documents++;
    const before = hashes.get(name);
    const hash = hashContent(source.text);
    const drafts = before === hash ? [] : await draftSections(name, { ...source, hash }, result);
    const kept = drafts.filter((draft) => !isForgotten(draft));
    if (before === hash || (kept.length === 0 && before === undefined)) {
      result.unchanged++;
      continue;
    }
    if (before === undefined) result.added++;
    else result.updated++;
    changed.push({ name, drafts: kept });
  }
  // A document that could not be read is not taken for deleted.
  const isUnread = (name: string): boolean => {
    const path = resolvePath(name, workspace);
    return unread.some((place) => path === place || path.startsWith(`${place}/`));
  };
  const gone = [...hashes.keys()].filter((name) => !present.has(name) && !isUnread(name));
  return { changed, gone };
}

async function draftSections(
  name: string,
  source: { text: string; ts: string; hash: string },
  result: SyncResult,
): Promise<Draft[]> {
  const parsed = await parseDocument(source.text, name);
  if (parsed.fault) result.skipped.push({ document: name, reason: parsed.fault });
  const { hash, ts } = source;
  return toDrafts(parsed, { collection: result.collection, name, hash, ts });
}

/** Tombstones first: after a crash in between the next run finds the sections missing and adds them. */
function writeChanges(
  writer: Writer,
  work: { store: Store; result: SyncResult; changed: ChangedDocument[]; gone: string[] },
): void {
  const { store, result, changed, gone } = work;
  const touched = new Set([...changed.map(({ name }) => name), ...gone]);
  const rows = readDocRows(store, { collection: result.collection })
    .map(({ entry }) => entry).filter((entry) => touched.has(entry.document));
  const known = Map.groupBy(rows, (entry) => entry.document);
  const dead = gone.flatMap((name) => (known.get(name) ?? []).map(({ id }) => id));
  const fresh: Draft[] = [];
  for (const { name, drafts } of changed) {
    const diff = diffSections(known.get(name) ?? [], drafts);
    dead.push(...diff.dead);
    fresh.push(...diff.fresh);
  }
  if (dead.length > 0) bury(writer, dead);
  for (let at = 0; at < fresh.length; at += batchRows) {
    writer.append(fresh.slice(at, at + batchRows));
  }
  result.sections_removed = dead.length;
  result.sections_added = fresh.length;
  result.redactions = writer.redactions;
}

/** Sections with the same place, headings and text stay; at least one row carries the new hash. */
function diffSections(
  known: DocEntry[],
  drafts: Draft[],
): { dead: string[]; fresh: Draft[] } {
  const kept = new Map(known.map((entry) => [keyOf(entry), entry]));
  const fresh = drafts.filter((draft) => !kept.has(keyOf(draft)));
  if (fresh.length === 0 && drafts.length > 0) fresh.push(drafts[0]);
  const names = new Set(drafts.map(keyOf));
  for (const draft of fresh) names.delete(keyOf(draft));
  const stays = new Set([...names].map((key) => kept.get(key)?.id));
  return { dead: known.filter(({ id }) => !stays.has(id)).map(({ id }) => id), fresh };
}

function keyOf(row: Draft | DocEntry): string {
  return [row.index, row.level, row.title, row.section, row.content_hash].join("\0");
}

/** Tells the sections that the user has forgotten: the file may have them, the memory may not. */
function readForgottenSections(store: Store, collection: string): (draft: Draft) => boolean {
  const forgotten = new Set<string>();
  for (const { entry } of store.rows({ needles: ['"content_hash":'] })) {
    if (entry.type !== tombstoneType || !Array.isArray(entry.documents)) continue;
    for (const item of entry.documents) {
      if (item?.collection === collection) forgotten.add(`${item.document}\0${item.content_hash}`);
    }
  }
  return ({ document, content_hash }) => forgotten.has(`${document}\0${content_hash}`);
}

/** The newest hash of each document: rows are in the order they were written. */
function readHashes(store: Store, collection: string): Map<string, string> {
  return new Map(
    readDocRows(store, { collection }).map(({ entry }) => [entry.document, entry.document_hash]),
  );
}

function readDocument(
  path: string,
  fail: OnUnreadable,
): { text: string; ts: string } | { reason: string } | undefined {
  try {
    const info = Deno.statSync(path);
    if (info.size > maxDocumentBytes) return { reason: `larger than ${maxDocumentBytes} bytes` };
    const bytes = Deno.readFileSync(path);
    if (bytes.subarray(0, 8000).includes(0)) return { reason: "not a text file" };
    return { text: decodeLossy(bytes), ts: (info.mtime ?? new Date(0)).toISOString() };
  } catch (error) {
    fail(path, error);
    return undefined;
  }
}

/** A document that the Markdown parser fails on is kept as plain text. */
async function parseDocument(text: string, name: string): Promise<ParsedDocument> {
  if (!/\.(?:md|mdx|markdown)$/i.test(name)) return parsePlainText(text);
  try {
    return await parseMarkdown(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...parsePlainText(text), fault: `kept as plain text: ${reason}` };
  }
}
