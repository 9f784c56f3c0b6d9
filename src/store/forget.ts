// Deletion that deletes: a tombstone hides entries at once; erasing removes their bytes from every
// file of the store, the derived index included.

import { type Entry, pools, tombstoneType } from "../core/entry.ts";
import { decodeLossy } from "../core/utf8.ts";
import { removePins } from "./pins.ts";
import { rewriteFile, rewritePool, type Verdict } from "./rewrite.ts";
import type { Writer } from "./writer.ts";

/** Writes one tombstone for all ids and takes their pins away. */
export function bury(writer: Writer, ids: string[]): void {
  writer.append([{ role: "note", type: tombstoneType, text: "", refs: ids }]);
  dropPins(writer, new Set(ids));
}

/** Removes the bytes of buried entries everywhere; returns how many lines went. */
export function erase(writer: Writer, ids: ReadonlySet<string>): number {
  let removed = 0;
  for (const pool of pools) {
    removed += rewritePool(writer, pool, ({ entries }) => judgeRows(entries, ids));
  }
  writer.recount();
  for (const path of [writer.layout.quarantine, writer.layout.traces]) {
    if (writer.files.findSize(path) === undefined) continue;
    removed += rewriteFile(writer, path, (line) => mentions(line.bytes, ids) ? "drop" : "keep");
  }
  dropPins(writer, ids);
  removeDerived(writer);
  return removed;
}

/** A row goes when it is forgotten, or when it is a tombstone with nothing left to hide. */
function judgeRows(entries: Entry[], ids: ReadonlySet<string>): Verdict {
  const kept = entries.map((entry) => withoutRefs(entry, ids)).filter((entry) =>
    entry !== undefined
  );
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

function dropPins(writer: Writer, ids: ReadonlySet<string>): void {
  const bytes = writer.files.findBytes(writer.layout.pins);
  if (bytes === undefined) return;
  const text = decodeLossy(bytes);
  const rest = removePins(text, ids);
  if (rest !== text) {
    writer.files.replace(writer.layout.pins, new TextEncoder().encode(rest), { sync: true });
  }
}

/** The index and left-over drafts may hold the text: both can be made again. */
function removeDerived(writer: Writer): void {
  const { files, layout } = writer;
  for (const name of files.list(layout.index)) files.remove(`${layout.index}/${name}`);
  for (const name of files.list(layout.root)) {
    if (name.endsWith(".tmp")) files.remove(`${layout.root}/${name}`);
  }
}

function mentions(bytes: Uint8Array, ids: ReadonlySet<string>): boolean {
  const text = decodeLossy(bytes);
  for (const id of ids) if (text.includes(id)) return true;
  return false;
}
