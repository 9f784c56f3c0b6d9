// A row as a document of Orama: whole for a hit, and read property by property for facets, groups and
// orders, which look at a few exact values of very many rows and must not read the log for that.

import type { AnyDocument } from "@orama/orama";
import { docType, type Entry } from "../core/entry.ts";
import { locate } from "../index/segment/corpus.ts";
import { filterFields } from "../index/segment/keyword.ts";
import type { CorpusView } from "./corpus_view.ts";
import type { RankedRow } from "./rank/rank.ts";

/** Words first, then exact values: those of filters, facets, groups and orders. */
export const oramaSchema = {
  title: "string",
  summary: "string",
  text: "string",
  files: "string[]",
  tags: "string[]",
  session: "string",
  role: "string",
  type: "string",
  source: "string",
  project: "string",
  branch: "string",
  file: "string[]",
  tag: "string[]",
  collection: "string",
  pool: "string",
  ts: "number",
  thinking: "boolean",
  document: "boolean",
} as const;
/** The name of an exact or searched property. */
export type OramaProperty = keyof typeof oramaSchema;

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
  return {
    ...entry,
    files,
    tags,
    file: files,
    tag: tags,
    session: entry.session_id,
    source: entry.source?.agent,
    pool: locate(view.corpus, rank.global).segment.pool,
    ts: rank.timeMs,
    thinking: type === "thinking",
    document: type === docType,
    entry,
    rank,
  };
}

/** A document whose properties are read when they are looked at. */
export function toLazyDocument(view: CorpusView, rank: RankedRow): AnyDocument {
  return new Proxy({}, { get: (_, property) => readProperty(view, rank, String(property)) });
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
