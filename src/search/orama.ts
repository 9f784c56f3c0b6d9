// The search as an Orama database. Orama runs it: it hands the term to our tokenizer and our ranking,
// `where` to our filters, a vector to our vectors; then it orders, keeps one row of each session and of
// rows that say the same, cuts the page, fetches documents, groups copies and counts facets. Nothing is
// inserted: the components answer from the segments and the log.
// build/trim_orama.ts leaves what they replace out of the bundle. docs/SEARCH.md says who does what.

import {
  type AnyDocumentStore,
  type AnyIndexStore,
  type AnyOrama,
  type AnySorterStore,
  create,
  type IDocumentsStore,
  type IIndex,
  type ISorter,
  type Orama,
  type SearchParams,
  type Tokenizer,
  type TokenScore,
} from "@orama/orama";
import { vector as vectors } from "@orama/orama/trees";
import { CtxError } from "../core/errors.ts";
import { SearchAsk, type VectorLike } from "./search_ask.ts";
import { fromKey } from "./corpus_view.ts";
import { searchFields } from "../index/segment/segment_format.ts";
import { FoundRows, type OpenView, SelectedRows, toUnranked } from "./found_rows.ts";
import { FoundRow, oramaSchema, toDocument, toLazyDocuments } from "./row_document.ts";
import { toTerm, toTokens } from "./query.ts";
import { findEmbedder } from "./similarity.ts";

/** An Orama database over our index, documents and order. */
export type Database = Orama<
  typeof oramaSchema,
  IIndex<AnyIndexStore>,
  IDocumentsStore<AnyDocumentStore>,
  ISorter<AnySorterStore>
>;

const asked = new WeakMap<VectorLike, SearchAsk>();

/** Orama's fusion cannot take longer lists; a row so far down is no answer to anything. */
const mostFused = 50_000;

/** Whether vectors are wanted at all, asked at every search of a program's. */
export type MayEmbed = () => Promise<boolean>;

/** What only programs need. */
export interface ProgramParts {
  mayEmbed?: MayEmbed;
  makeSorter?: (rows: FoundRows) => ISorter<AnySorterStore>;
}

/** Makes a database that answers from what `open` gives. */
export function makeOrama(
  open: OpenView,
  { mayEmbed, makeSorter = refusingSorter }: ProgramParts = {},
): Database {
  const rows = new FoundRows(open);
  const node = new SegmentVectors(rows);
  const database = create({
    schema: oramaSchema,
    components: {
      index: makeIndex(rows, node),
      documentsStore: makeDocuments(rows),
      tokenizer,
      sorter: makeSorter(rows),
    },
    plugins: [{
      name: "ctx",
      async beforeSearch<T extends AnyOrama>(_database: T, params: SearchParams<T>) {
        const own = findAsk(params);
        const { view } = own ?? await prepare(params, open, mayEmbed);
        rows.ask(view, own !== undefined);
        node.size = view.index.dimensions;
      },
      afterSearch(_database, params, _language, results) {
        rows.isCounting = false;
        for (const facet of Object.values(results.facets ?? {})) {
          const counts = Object.entries(facet.values);
          if (!counts.some(([key]) => key[0] === "\0")) continue;
          facet.values = Object.fromEntries(counts.map(([key, n]) => [fromKey(key), n]));
        }
        for (const group of results.groups ?? []) group.values = group.values.map(fromKey);
        // Orama's own fusion has one list to work on, ours, and scales its scores.
        if (params.mode !== "hybrid") return;
        for (const hit of results.hits) hit.score = hit.document.rank.final;
      },
    }],
  });
  database.internalDocumentIDStore.internalIdToId = rows.ids;
  return database;
}

/** The ask that ctx itself gave along; that of a program is made anew for every search. */
function findAsk<T extends AnyOrama>(params: SearchParams<T>): SearchAsk | undefined {
  const ask = params.mode === "vector" ? undefined : params.relevance;
  return ask instanceof SearchAsk && ask.options.programMost === undefined ? ask : undefined;
}

/** A search that says nothing of ctx: everything is ranked, and a missing vector is made. */
async function prepare<T extends AnyOrama>(
  params: SearchParams<T>,
  open: OpenView,
  mayEmbed?: MayEmbed,
): Promise<SearchAsk> {
  const { mode, term: text = "" } = params;
  const view = open(text);
  const query = { text, phrases: [], required: [], excluded: [] };
  if (mode !== "vector" && mode !== "hybrid") {
    return params.relevance = new SearchAsk(view, { query, programMost: Infinity });
  }
  if (await mayEmbed?.() === false) {
    throw new CtxError("USAGE", "Cannot search by similarity: embedder.kind is none", {
      hint: "ctx config set embedder.kind local",
    });
  }
  const { model } = view.index;
  const embedder = model && await findEmbedder(model, undefined);
  await view.index.openVectors(view.corpus, embedder).catch((error) =>
    view.read(() => {
      throw error;
    })
  );
  const value = params.vector?.value ?? (await embedder?.embed([text]))?.[0];
  if (value === undefined) {
    throw new CtxError("USAGE", "Cannot search by similarity: the term has no vector", {
      hint: "ctx reindex --vectors",
    });
  }
  // A copy, so that it belongs to this search alone.
  const vector = Float32Array.from(value);
  params.vector = { property: "embedding", ...params.vector, value: vector };
  const ask = new SearchAsk(view, { query, vector, programMost: mostFused });
  asked.set(vector, ask);
  if (mode === "hybrid") params.relevance = ask;
  return ask;
}

function makeIndex(rows: FoundRows, node: SegmentVectors): IIndex<AnyIndexStore> {
  const embedding = { type: "Vector" as const, isArray: false, node };
  // Orama looks into `indexes` for places on a map; there are none.
  const store = { indexes: {}, vectorIndexes: { embedding } };
  return {
    create: () => store,
    search(_store, term, tokenizer, language, properties, ...rest) {
      const [_exact, tolerance, boost, ask, _count, where, threshold = 1] = rest;
      if (!(ask instanceof SearchAsk)) throw new Error("Orama passed no relevance on");
      if (tolerance > 0 || threshold < 1) {
        throw new CtxError(
          "USAGE",
          "Cannot search with tolerance or threshold: only whole words match",
        );
      }
      const { vector, programMost, listed } = ask.options;
      if (listed) return rows.show(ask.view, listed.map((global) => toUnranked(global)));
      ask.isFused = vector !== undefined;
      if (term === "" && !ask.isFused) {
        return rows.list(where instanceof SelectedRows ? where.where : {});
      }
      ask.terms = tokenizer.tokenize(term, language).map(toTerm);
      const fieldBoosts = fieldBoostsOf(properties, boost);
      const { branch = ask.isFused ? "hybrid" : "lexical" } = ask.options;
      const ranked = ask.rank({ branch, fieldBoosts }, where);
      // A row that matches in other fields only has no score of its own.
      const matching = fieldBoosts === undefined ? ranked : ranked.filter((row) => {
        return row.lexical > row.context || row.cosine !== undefined;
      });
      return rows.show(ask.view, matching.slice(0, programMost));
    },
    searchByWhereClause: (_store, _tokenizer, where) => new SelectedRows(rows, where),
    getSearchableProperties: () => [...searchFields],
    getSearchablePropertiesWithTypes: () => oramaSchema,
    ...readOnly,
    insertDocumentScoreParameters: refuse,
    insertTokenScoreParameters: refuse,
    removeDocumentScoreParameters: refuse,
    removeTokenScoreParameters: refuse,
    calculateResultScores: refuse,
  };
}

/** What each field counts for; undefined when all are searched as they are. */
function fieldBoostsOf(
  properties: string[],
  boost: Partial<Record<string, number>>,
): number[] | undefined {
  const boosts = searchFields.map((name) => properties.includes(name) ? boost[name] ?? 1 : 0);
  return boosts.some((factor) => factor !== 1) ? boosts : undefined;
}

class SegmentVectors extends vectors.VectorIndex {
  readonly #rows: FoundRows;

  constructor(rows: FoundRows) {
    super(0);
    this.#rows = rows;
  }

  override find(vector: VectorLike, similarity: number, where?: Set<number>): TokenScore[] {
    const ask = asked.get(vector);
    if (ask === undefined) throw new Error("Orama passed no vector on");
    if (ask.isFused) return [];
    ask.terms = toTokens(ask.options.query.text).map(toTerm);
    const near = ask.rank({ branch: "vector" }, where);
    return this.#rows.show(ask.view, near.filter(({ cosine = 0 }) => cosine >= similarity));
  }
}

function makeDocuments(rows: FoundRows): IDocumentsStore<AnyDocumentStore> {
  const getOwn = (id: string | number) => new FoundRow(rows.view, rows.at(id));
  const getWhole = (id: number) => rows.isOwn ? getOwn(id) : toDocument(rows.view, rows.at(id));
  // A search by vector alone reads this instead of calling `get`.
  const docs = new Proxy<AnyDocumentStore["docs"]>({}, { get: (_, id) => getWhole(Number(id)) });
  return {
    create: () => ({ docs }),
    get: (_store, id) => typeof id === "string" ? rows.findDocument(id) : getWhole(id),
    getMultiple(_store, ids) {
      if (rows.isOwn) return ids.map(getOwn);
      rows.isCounting = true;
      return toLazyDocuments(rows.view, ids.map((id) => rows.at(id)), () => rows.isCounting);
    },
    // Orama takes the ids only.
    getAll: () => Object.fromEntries(rows.list({}).map(([id]) => [id, {}])),
    count: () => rows.count(),
    ...readOnly,
  };
}

const tokenizer: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize: (raw) => toTokens(raw),
};

/** `ctx search` takes the order of the ranking. */
function refusingSorter(): ISorter<AnySorterStore> {
  return {
    create: () => ({}),
    sortBy: refuse,
    getSortableProperties: () => [],
    getSortablePropertiesWithTypes: () => ({}),
    ...readOnly,
  };
}

/** What changes a component. */
export const readOnly = {
  insert: refuse,
  store: refuse,
  remove: refuse,
  load: refuse,
  save: refuse,
};

function refuse(): never {
  throw new CtxError("USAGE", "Cannot change the index: it is updated from the log", {
    hint: "ctx save",
  });
}
