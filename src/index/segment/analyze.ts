// What of an entry is indexed: six weighted fields of words, and exact keywords for the filters.
// Pure, and the only place that decides it: the scan and the segments must agree to the last term.

import { confirmType, type Entry, tombstoneType, verdictType } from "../../core/entry.ts";
import { findIdTime } from "../../core/id.ts";
import { isRecord, isRecordType, recordOf } from "../../core/rows/record.ts";
import { type RowKind, rowKindOf } from "../../core/rows/row_kind.ts";
import { contentOf } from "../../core/rows/tool_content.ts";
import { namesTime } from "../../core/time/names_time.ts";
import { keyword, type KeywordField } from "./keyword.ts";
import { idHashOf, rowFlags, searchFields, textField } from "./segment_format.ts";
import { met } from "../text/tokenize.ts";

/** Lengths are kept in 16 bits. */
export const maxFieldLength = 0xffff;

/** Of a longer field so much is searched: words beyond it would hold every index up. */
export const maxSearchedChars = 1 << 20;

/** Gives every word of an entry to a sink, and returns the length of each field. */
export function analyze(entry: Entry, sink: (term: string, field: number) => void): number[] {
  let i = 0;
  return readWords(entry).map((end, field) => {
    let length = 0;
    for (; i < end; i++) {
      for (const term of met.termsOf(met.numbers[i])) sink(term, field);
      length += met.lengthOf(met.numbers[i]);
    }
    return Math.min(length, maxFieldLength);
  });
}

/** Reads the words of an entry into `met` and tells where the runs of each field end there. */
export function readWords(entry: Entry): number[] {
  met.open();
  const isEmpty = entry.type === tombstoneType;
  if (isEmpty) met.isPlain = false;
  return searchFields.map((name, field) => {
    const text = isEmpty ? "" : fieldText(entry, name);
    if (text !== "") met.read(text);
    // What is embedded ends with the text.
    if (field === textField) met.close();
    return met.count;
  });
}

/** The words of a field; `content` is no field of the entry, but in its call. */
export function fieldText(entry: Entry, name: typeof searchFields[number]): string {
  const value = name === "content" ? contentOf(entry) : entry[name];
  const text = typeof value === "string" ? value : Array.isArray(value) ? value.join("\n") : "";
  return text.length > maxSearchedChars ? text.slice(0, maxSearchedChars) : text;
}

/** The keywords of an entry as terms that no word can equal. */
export function keywordsOf(entry: Entry): string[] {
  if (entry.type === tombstoneType) {
    const ids = new Set(entry.refs ?? []);
    return [keyword("type", tombstoneType), ...[...ids].map((id) => keyword("forgets", id))];
  }
  const found = new Set<string>();
  const add = (field: KeywordField, value: unknown): void => {
    if (typeof value === "string" && value !== "") found.add(keyword(field, value));
  };
  add("session", entry.session_id);
  add("role", entry.role);
  add("type", entry.type);
  add("source", entry.source?.agent);
  add("project", entry.project);
  add("branch", entry.branch);
  for (const file of entry.files ?? []) add("file", file);
  for (const tag of entry.tags ?? []) add("tag", tag);
  add("collection", entry.collection);
  add("supersedes", entry.supersedes);
  // The others are found from a beginning of their id by the time that it tells.
  if (findIdTime(entry.id) !== Date.parse(entry.ts)) add("id", entry.id.toLowerCase());
  return [...found];
}

/** What a record cites, by the hash that a row has in its segment: whoever looks has not read the row. */
export function citedHashes(entry: Entry): number[] {
  return isRecord(entry) ? [...new Set(entry.refs)].map(idHashOf) : [];
}

/** The bits of `rowFlags` for an entry; `isTimeless` where none of its words may name a time. */
export function flagsOf(entry: Entry, isTimeless = false): number {
  if (entry.type === tombstoneType) return rowFlags.tombstone;
  if (entry.type === "thinking") return rowFlags.thinking;
  // They say nothing by themselves, and are not searched for.
  if (entry.type === confirmType || entry.type === verdictType) return rowFlags.recall;
  const flags = kindFlags[rowKindOf(entry)];
  if (flags !== 0) return flags | (flags & rowFlags.talk ? turnFlags(entry.text, isTimeless) : 0);
  const record = recordOf(entry);
  // A goal says again what was asked: what answers it stands above it.
  if (record?.by === "rules") return rowFlags.record | (entry.type === "goal" ? rowFlags.bare : 0);
  if (entry.role === "note" && isRecordType(entry.type)) {
    return rowFlags.saved | (record === undefined ? 0 : rowFlags.record);
  }
  const isTalk = entry.role === "assistant" && entry.session_id !== undefined;
  return isTalk ? rowFlags.talk | turnFlags(entry.text, isTimeless) : 0;
}

function turnFlags(text: string, isTimeless: boolean): number {
  const isTimed = !isTimeless && namesTime(text);
  return (text.includes("?") ? rowFlags.question : 0) | (isTimed ? rowFlags.timed : 0);
}

const kindFlags: Record<RowKind, number> = {
  prompt: rowFlags.talk | rowFlags.prompt,
  call: rowFlags.call,
  looking_call: rowFlags.call | rowFlags.bare,
  result: rowFlags.result,
  bare_result: rowFlags.result | rowFlags.bare,
  recall: rowFlags.recall,
  other: 0,
};
