// A row as a document of Orama: whole for a hit, and read property by property for facets, groups and
// orders, which look at a few exact values of very many rows and must not read the log for that.

import type { AnyDocument } from "@orama/orama";
import { authorOf, docType, type Entry } from "../core/entry.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { locate } from "../index/segment/corpus.ts";
import { filterFields } from "../index/segment/keyword.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import { type CorpusView, toKey } from "./corpus_view.ts";
import type { RankedRow } from "./rank/rank.ts";
import { sessionKeyOf } from "./rank/session_keys.ts";

/**
 * Words first, then exact values: those of filters, facets, groups and orders. `group` is what a row is
 * one of: its session or, where copies are looked for, the rows that say the same.
 */
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
  group: "string",
} as const;

/** A document of Orama: what the schema names, the entry itself, and how it was ranked. */
export interface OramaDocument {
  id: string;
  entry: Entry;
  rank: RankedRow;
  [property: string]: unknown;
}

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
    group: groupOf(view, rank),
    entry,
    rank,
  };
}

function groupOf({ corpus }: CorpusView, { key, global }: RankedRow): number {
  return key ?? sessionKeyOf(corpus, global);
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

function toKeys(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toKey) : toKey(value);
}

const exactFields = new Map<string, typeof filterFields[number]>(
  filterFields.map((name) => [name, name]),
);
/** Orama goes through lists without asking whether there is one. */
const defaults: Record<string, string[]> = { file: [], tag: [] };

/** One property of a row, as `readExact` has it; only words are read from the log. */
export function readProperty(view: CorpusView, rank: RankedRow, property: string): unknown {
  const field = exactFields.get(property);
  if (field !== undefined) return view.readExact(field, rank.global) ?? defaults[property];
  if (property === "ts") return rank.timeMs;
  if (property === "group") return groupOf(view, rank);
  if (property === "pool") return locate(view.corpus, rank.global).segment.pool;
  return toDocument(view, rank)[property];
}

/** A row of `ctx search` as Orama sees it: the exact values that it groups and counts by, and the rank. */
export class FoundRow {
  readonly view: CorpusView;
  readonly rank: RankedRow;

  constructor(view: CorpusView, rank: RankedRow) {
    this.view = view;
    this.rank = rank;
  }

  static {
    for (const name of [...filterFields, "pool", "group"]) {
      const get = function (this: FoundRow): unknown {
        return readProperty(this.view, this.rank, name);
      };
      Object.defineProperty(FoundRow.prototype, name, { get });
    }
  }
}
