// A row as a document of Orama: whole for a hit, and read property by property for facets, groups and
// orders, which look at a few exact values of very many rows and must not read the log for that.

import type { AnyDocument } from "@orama/orama";
import { authorOf, docType, type Entry } from "../core/entry.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { locate } from "../index/segment/corpus.ts";
import { filterFields } from "../index/segment/keyword.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { CorpusView } from "./corpus_view.ts";
import type { RankedRow } from "./rank/rank.ts";

/** Words first, then exact values: those of filters, facets, groups and orders. */
export const oramaSchema = {
  title: "string",
  summary: "string",
  text: "string",
  files: "string[]",
  tags: "string[]",
  content: "string",
  session: "string",
  role: "string",
  type: "string",
  source: "string",
  project: "string",
  branch: "string",
  file: "string[]",
  tag: "string[]",
  collection: "string",
  author: "string",
  pool: "string",
  ts: "number",
  thinking: "boolean",
  recall: "boolean",
  document: "boolean",
} as const;

/** A document of Orama: what the schema names, the entry itself, and how it was ranked. */
export interface OramaDocument {
  id: string;
  entry: Entry;
  rank: RankedRow;
  [property: string]: unknown;
}

/** The whole document of a row. */
export function toDocument(view: CorpusView, rank: RankedRow): OramaDocument {
  const entry = view.readEntry(rank.global);
  const { files = [], tags = [], type } = entry;
  const { segment, row } = locate(view.corpus, rank.global);
  return {
    ...entry,
    files,
    tags,
    file: files,
    tag: tags,
    session: entry.session_id,
    source: entry.source?.agent,
    pool: segment.pool,
    author: authorOf({ entry, pool: segment.pool }),
    ts: rank.timeMs,
    thinking: type === "thinking",
    recall: (segment.flags(row) & rowFlags.recall) !== 0,
    content: contentOf(entry),
    document: type === docType,
    entry,
    rank,
  };
}

/** Documents that are read when they are looked at; while Orama counts, by the property it asks for. */
export function toLazyDocuments(
  view: CorpusView,
  ranks: RankedRow[],
  isCounting: () => boolean,
): AnyDocument[] {
  const handler: ProxyHandler<{ rank: RankedRow }> = {
    get: ({ rank }, property) =>
      isCounting()
        ? toKeys(readProperty(view, rank, String(property)))
        : Reflect.get(toDocument(view, rank), property),
    has: ({ rank }, property) => Reflect.has(toDocument(view, rank), property),
    ownKeys: ({ rank }) => Reflect.ownKeys(toDocument(view, rank)),
    getOwnPropertyDescriptor: ({ rank }, property) =>
      Reflect.getOwnPropertyDescriptor(toDocument(view, rank), property),
  };
  return ranks.map((rank) => new Proxy({ rank }, handler));
}

/** Orama counts in plain objects, where these names are taken: such a value gets a mark. */
const takenNames: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

function toKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toKeys);
  return takenNames.has(value) ? `\0${value}` : value;
}

/** A value that Orama counted, without its mark. */
export function fromKey<T>(key: T): T | string {
  return typeof key === "string" && key[0] === "\0" ? key.slice(1) : key;
}

const exactFields = new Map<string, typeof filterFields[number]>(
  filterFields.map((name) => [name, name]),
);
/** Orama goes through lists without asking whether there is one. */
const defaults: Record<string, string[]> = { file: [], tag: [] };

/** One property of a row, as filters compare it; only words are read from the log. */
export function readProperty(view: CorpusView, rank: RankedRow, property: string): unknown {
  const field = exactFields.get(property);
  if (field !== undefined) return view.readExact(field, rank.global) ?? defaults[property];
  if (property === "ts") return rank.timeMs;
  if (property === "pool") return locate(view.corpus, rank.global).segment.pool;
  return toDocument(view, rank)[property];
}
