// The entries of documents: sections as rows of history with `collection`, `document`, `section`,
// the position in the document and the hashes that tell whether anything changed.

import { docType, type Draft, type Entry } from "../../core/entry.ts";
import { hashHex } from "../../core/hash.ts";
import type { Row, Store } from "../../store/store.ts";
import { type ParsedDocument, pathSeparator, type Section } from "./section.ts";

export interface DocEntry extends Entry {
  collection: string;
  document: string;
  /** The headings down to this one; empty before the first. */
  section: string;
  level: number;
  line: number;
  index: number;
  part?: number;
  document_title?: string;
  document_hash: string;
  content_hash: string;
}

/** Whether an entry is a section of a document. */
function isDocEntry(entry: Entry): entry is DocEntry {
  return entry.type === docType && typeof entry.collection === "string" &&
    typeof entry.document === "string" && typeof entry.section === "string";
}

export function hashContent(text: string): string {
  return `${text.length.toString(36)}-${hashHex(text)}`;
}

/** The rows of a store that are live sections, of one collection or of all. */
export function* readDocRows(
  store: Store,
  options: { collection?: string; document?: string } = {},
): Generator<Row & { entry: DocEntry }> {
  const needle = options.document !== undefined
    ? `"document":${JSON.stringify(options.document)}`
    : options.collection !== undefined
    ? `"collection":${JSON.stringify(options.collection)}`
    : `"type":"${docType}"`;
  const ascii = /^[\x20-\x7e]*$/.test(needle) ? [needle] : [`"type":"${docType}"`];
  for (const row of store.entries({ needles: ascii })) {
    const { entry } = row;
    if (!isDocEntry(entry)) continue;
    if (options.collection !== undefined && entry.collection !== options.collection) continue;
    if (options.document !== undefined && entry.document !== options.document) continue;
    yield { ...row, entry };
  }
}

/** The drafts of a document, in order. */
export function toDrafts(
  parsed: ParsedDocument,
  document: { collection: string; name: string; hash: string; ts: string },
): Draft[] {
  const title = parsed.title ?? document.name.replace(/^.*\//, "");
  return parsed.sections.map((section, i) => ({
    ts: document.ts,
    role: "note",
    type: docType,
    text: section.text,
    title: toTitle(title, section),
    ...(i === 0 && parsed.description ? { summary: parsed.description } : {}),
    ...(parsed.tags.length > 0 ? { tags: parsed.tags } : {}),
    files: [document.name],
    index: i + 1,
    collection: document.collection,
    document: document.name,
    section: section.path.join(pathSeparator),
    level: section.level,
    line: section.line,
    ...(section.part === undefined ? {} : { part: section.part }),
    document_title: title,
    document_hash: document.hash,
    content_hash: hashContent(section.text),
  }));
}

/** The document's title and the headings above, so that a hit says where it is. */
function toTitle(title: string, section: Section): string {
  const path = section.path[0] === title ? section.path.slice(1) : section.path;
  const name = [title, ...path].join(pathSeparator);
  return section.part === undefined ? name : `${name} (part ${section.part})`;
}
