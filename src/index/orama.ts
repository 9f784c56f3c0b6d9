// Orama over our segments: its `index`, `documentsStore`, `tokenizer` and `sorter` components are
// replaced, so that Orama runs the search (tokenizing, ordering, paging, fetching) on what the
// ranking finds in the segments. Its in-memory index is never built, and build/trim_orama.ts leaves
// the code for it out of the bundle. Loaded only when an index is searched.

import {
  type AnyDocumentStore,
  type AnyIndexStore,
  type AnySorterStore,
  create,
  type IDocumentsStore,
  type IIndex,
  type ISorter,
  search,
  type Tokenizer,
} from "@orama/orama";
import type { Entry } from "../core/entry.ts";
import { searchFields } from "./segment/search_fields.ts";
import { tokenize } from "./text/tokenize.ts";

/** What a ranking hands to Orama. */
export interface OramaSource {
  /** The scores of the ranked rows, in final order. */
  rank(): readonly number[];
  /** The entry of a ranked row. */
  readEntry(position: number): Entry;
  /** How many entries there are. */
  entries: number;
}

/** A row that Orama answers with: its position in the ranking, and the entry it fetched. */
export interface OramaHit {
  position: number;
  entry: Entry;
}

/** What to ask Orama for. */
export interface OramaRequest {
  term: string;
  limit: number;
  offset: number;
  /** A query vector searches the vector index alone. */
  vector?: number[];
}

/** Runs one search through Orama. */
export function searchOrama(source: OramaSource, request: OramaRequest): OramaHit[] {
  const ids: string[] = [];
  const size = request.vector?.length ?? 1;
  const database = create({
    schema: { ...schema, embedding: `vector[${size}]` as const },
    sort: { enabled: false },
    components: {
      index: makeIndex(source, size),
      documentsStore: makeDocuments(source, ids),
      tokenizer,
      sorter,
    },
  });
  database.internalDocumentIDStore.internalIdToId = ids;
  const { limit, offset } = request;
  const found = withoutProcess(() =>
    request.vector === undefined
      ? search(database, { term: request.term || " ", properties: "*", limit, offset })
      : search(database, {
        mode: "vector",
        vector: { value: request.vector, property: "embedding" },
        similarity: 0,
        limit,
        offset,
      })
  );
  if (found instanceof Promise) throw new Error("Orama answered later than it should");
  return found.hits.map(({ id }) => {
    const position = Number(id);
    return { position, entry: source.readEntry(position) };
  });
}

const schema = {
  title: "string",
  summary: "string",
  text: "string",
  files: "string[]",
  tags: "string[]",
} as const;

/** Orama's internal ids are the positions in the ranking plus one, so that its ties are ours. */
function makeIndex(source: OramaSource, size: number): IIndex<AnyIndexStore> {
  const ranked = (): [number, number][] => source.rank().map((score, i) => [i + 1, score]);
  const node = { size, find: ranked };
  return {
    create: () => ({
      ...emptyStore,
      vectorIndexes: { embedding: { type: "Vector", isArray: false, node } },
    } as unknown as AnyIndexStore),
    search: ranked,
    searchByWhereClause: () => new Set(),
    getSearchableProperties: () => [...searchFields],
    getSearchablePropertiesWithTypes: () => schema,
    insert: refuse,
    remove: refuse,
    insertDocumentScoreParameters: refuse,
    insertTokenScoreParameters: refuse,
    removeDocumentScoreParameters: refuse,
    removeTokenScoreParameters: refuse,
    calculateResultScores: refuse,
    load: refuse,
    save: refuse,
  };
}

const emptyStore = {
  indexes: {},
  searchableProperties: [...searchFields],
  searchablePropertiesWithTypes: schema,
  frequencies: {},
  tokenOccurrences: {},
  avgFieldLength: {},
  fieldLengths: {},
};

function makeDocuments(source: OramaSource, ids: string[]): IDocumentsStore<AnyDocumentStore> {
  const get = (id: number): Record<string, unknown> => {
    ids[id - 1] = String(id - 1);
    return { ...source.readEntry(id - 1) };
  };
  const docs = new Proxy<AnyDocumentStore["docs"]>({}, { get: (_, id) => get(Number(id)) });
  return {
    create: () => ({ docs }),
    get: (_store, id) => get(Number(id)),
    getMultiple: (_store, all) => all.map((id) => get(Number(id))),
    getAll: () => ({}),
    count: () => source.entries,
    store: refuse,
    remove: refuse,
    load: refuse,
    save: refuse,
  };
}

const tokenizer: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize(raw) {
    const terms: string[] = [];
    tokenize(raw, (term) => terms.push(term));
    return terms;
  },
};

/** Rows come in their final order. */
const sorter: ISorter<AnySorterStore> = {
  create: () => ({ isSorted: false }) as unknown as AnySorterStore,
  getSortableProperties: () => [],
  getSortablePropertiesWithTypes: () => ({}),
  sortBy: refuse,
  insert: refuse,
  remove: refuse,
  load: refuse,
  save: refuse,
};

function refuse(): never {
  throw new Error("Segments are immutable: entries reach the index through the log");
}

/** Orama reads the clock through `process`, which makes Deno load its Node layer: 20 ms a command. */
function withoutProcess<T>(action: () => T): T {
  const known = Object.getOwnPropertyDescriptor(globalThis, "process");
  Object.defineProperty(globalThis, "process", {
    value: undefined,
    writable: true,
    configurable: true,
  });
  try {
    return action();
  } finally {
    if (known) Object.defineProperty(globalThis, "process", known);
    else Reflect.deleteProperty(globalThis, "process");
  }
}
