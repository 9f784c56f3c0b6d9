// What must be known of entries before they are forgotten: which sessions lose something, which rows
// their producer may bring back, and the words that no copy may keep. Reads only.

import { docType, type Entry, type Pool, pools, tombstoneType } from "../../core/entry.ts";
import { isRecord } from "../../core/rows/record.ts";
import { isVersioned } from "../../disk/conflicts.ts";
import { makeByteSearch } from "../../disk/lines.ts";
import { readLog } from "../log_files.ts";
import { LostWords } from "./lost_words.ts";
import { parseLine } from "../row.ts";
import { foldSessions, readSessionEvents, type SessionMeta } from "../logs/session_log.ts";
import { tombstoneNeedle } from "../snapshot.ts";
import type { Writer } from "../writer.ts";

/** What goes with some entries. */
export interface Lost {
  sessions: Map<string, LostSession>;
  /** The ids that importing, distilling or merging again would bring back. */
  imported: Set<string>;
  /** Sections of documents, by what their next synchronisation would know them by. */
  documents: LostDocument[];
  words: LostWords;
}

export interface LostSession {
  /** Whether the rows come from a producer that may title the session again. */
  imported: boolean;
  words: LostWords;
}

/** A section of a document that its file may still have. */
export interface LostDocument {
  collection: string;
  document: string;
  content_hash: string;
}

/**
 * Reads what is known of the rows of some ids. Copies of another store's entries are as they were
 * there, so once there are some, or nobody knows, every entry may be one. In a store that git versions a
 * merge may bring back any row, or the tombstone may come without it.
 */
export function readLost(
  { files, layout, state }: Writer,
  ids: ReadonlySet<string>,
  { documents = true, only = pools }: { documents?: boolean; only?: readonly Pool[] } = {},
): Lost {
  const versioned = isVersioned(files, layout);
  const lost: Lost = {
    sessions: new Map(),
    imported: new Set(versioned ? ids : []),
    documents: [],
    words: new LostWords(),
  };
  const compared = findCompared(foldSessions(readSessionEvents(files, layout)));
  const concerns = makeConcern(ids);
  for (const pool of only) {
    for (const { bytes } of readLog(files, layout, { pool })) {
      if (!concerns(bytes)) continue;
      for (const entry of parseLine(bytes).entries) {
        if (!ids.has(entry.id) || entry.type === tombstoneType) continue;
        // Of others' rows no title was made here, and nothing brings them back but their author.
        if (pool === "team") {
          addWords(lost, entry);
          continue;
        }
        const isImported = versioned || entry.source !== undefined || isRecord(entry) ||
          state.copied === true;
        if (isImported) lost.imported.add(entry.id);
        if (!documents && entry.type === docType) continue;
        addEntry(lost, entry, { isImported, compared });
      }
    }
  }
  return lost;
}

/**
 * Tells by its bytes whether a line can be one of the ids or a tombstone. Rows that ctx writes begin
 * with their id; a line that begins otherwise, or says `"id":` again, is looked at closely.
 */
export function makeConcern(ids: ReadonlySet<string>): (bytes: Uint8Array) => boolean {
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

/** The sessions whose words are compared with a title: their own by hand, or that of a child. */
function findCompared(sessions: Map<string, SessionMeta>): Set<string> {
  const compared = new Set<string>();
  for (const { session_id, title, parent } of sessions.values()) {
    if (title === undefined) continue;
    compared.add(session_id);
    if (typeof parent === "string") compared.add(parent);
  }
  return compared;
}

function addWords(lost: Lost, { title, summary, text }: Entry): string[] {
  const said = [title, summary, text].filter((part) => part !== undefined);
  for (const part of said) lost.words.add(part);
  return said;
}

function addEntry(
  lost: Lost,
  entry: Entry,
  { isImported, compared }: { isImported: boolean; compared: ReadonlySet<string> },
): void {
  const said = addWords(lost, entry);
  const { session_id: id, collection, document, content_hash } = entry;
  if (
    typeof collection === "string" && typeof document === "string" &&
    typeof content_hash === "string"
  ) lost.documents.push({ collection, document, content_hash });
  if (id === undefined) return;
  const session = lost.sessions.get(id) ?? { imported: false, words: new LostWords() };
  lost.sessions.set(id, session);
  if (isImported) session.imported = true;
  if (compared.has(id)) { for (const text of said) session.words.add(text); }
}
