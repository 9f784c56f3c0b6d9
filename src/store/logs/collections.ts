// Collections of documents as events in `collections.ndjson`: added, removed, synced. The last
// word wins. What a collection contains is read from history, never from here.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readRecords } from "../../disk/lines.ts";
import type { collectionEvent } from "../../formats/log_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

/** One line of `collections.ndjson`. */
export type CollectionEvent = RowOf<typeof collectionEvent>;

/** A collection as its events tell. */
export interface Collection {
  name: string;
  sources: string[];
  added: string;
  synced?: string;
}

/** The collections of a store by name, in order of name. */
export function readCollections(files: Files, layout: Layout): Map<string, Collection> {
  const found = new Map<string, Collection>();
  for (const event of readRecords(files, layout.collections, isEvent)) {
    const { collection: name, ts } = event;
    const known = found.get(name);
    if (event.event === "removed") found.delete(name);
    else if (event.event === "added") {
      const sources = [...new Set([...known?.sources ?? [], ...event.sources ?? []])];
      found.set(name, { ...known, name, sources, added: known?.added ?? ts });
    } else if (known) known.synced = ts;
  }
  return new Map([...found].sort(([a], [b]) => a < b ? -1 : 1));
}

/** Whether the last word on a collection is that it was removed. */
export function wasRemoved(files: Files, layout: Layout, name: string): boolean {
  const events = readRecords(files, layout.collections, isEvent);
  return [...events].findLast(({ collection }) => collection === name)?.event === "removed";
}

function isEvent(value: unknown): value is CollectionEvent {
  return isObject(value) && typeof value.collection === "string" && typeof value.ts === "string" &&
    ["added", "removed", "synced"].includes(String(value.event)) &&
    (value.sources === undefined || Array.isArray(value.sources));
}
