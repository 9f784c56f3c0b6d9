// Finding one document by what a person or a model calls it: its path, or the end of its path.

import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { type DocEntry, readDocRows } from "./doc_entry.ts";

/** A document's live sections, in order. */
export interface FoundDocument {
  collection: string;
  document: string;
  title?: string;
  entries: DocEntry[];
}

/** The document of that name; throws NOT_FOUND, or USAGE when several fit. */
export function getDocument(
  stores: Store[],
  said: string,
  options: { collections?: readonly string[] } = {},
): FoundDocument {
  const allows = (entry: DocEntry): boolean =>
    options.collections === undefined || options.collections.length === 0 ||
    options.collections.includes(entry.collection);
  const exact = gather(stores, said, allows);
  if (exact) return exact;
  const names = new Set<string>();
  for (const store of stores) {
    for (const { entry } of readDocRows(store)) if (allows(entry)) names.add(entry.document);
  }
  const wanted = said.toLowerCase();
  const near = [...names].filter((name) => {
    const lower = name.toLowerCase();
    return lower.endsWith(`/${wanted}`) || lower.replace(/^.*\//, "").startsWith(wanted);
  }).sort();
  const found = near.length === 1 ? gather(stores, near[0], allows) : undefined;
  if (found) return found;
  if (near.length > 1) {
    const shown = near.slice(0, 5).map((name) => `"${name}"`).join(", ");
    throw new CtxError("USAGE", `Cannot open "${said}": several documents match: ${shown}`, {
      hint: "type more of the path",
    });
  }
  throw new CtxError("NOT_FOUND", `Cannot find document "${said}"`, {
    hint: "ctx docs list COLLECTION",
  });
}

function gather(
  stores: Store[],
  document: string,
  allows: (entry: DocEntry) => boolean,
): FoundDocument | undefined {
  for (const store of stores) {
    const rows = [...readDocRows(store, { document })].map(({ entry }) => entry).filter(allows);
    if (rows.length === 0) continue;
    const [{ collection }] = rows;
    const entries = rows.filter((entry) => entry.collection === collection)
      .sort((a, b) => a.index - b.index);
    return { collection, document, title: entries[0].document_title, entries };
  }
  return undefined;
}
