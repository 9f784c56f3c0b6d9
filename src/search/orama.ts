// The search as an Orama database. Orama runs it: it hands the term to our tokenizer and our ranking,
// `where` to our filters, a vector to our vectors; then it orders, cuts the page, fetches documents and
// counts facets and groups. Nothing is inserted: the components answer from the segments and the log.
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
import type { Entry } from "../core/entry.ts";
import { CtxError } from "../core/errors.ts";
import { searchFields } from "../index/segment/segment_format.ts";
import { quantize } from "../index/vectors/vector_format.ts";
import type { CorpusView } from "./corpus_view.ts";
import { makeFilters } from "./filter.ts";
import { FoundRows, type OpenView, SelectedRows } from "./found_rows.ts";
import { fromKey, oramaSchema, readProperty, toDocument, toLazyDocuments } from "./row_document.ts";
import { makePhraseCount, type Query, toTerm, toTokens, wordsOf } from "./query.ts";
import { asksForTime } from "./rank/asks_for_time.ts";
import type { QueryTerm } from "./rank/plan_terms.ts";
import type { RankedRow, Ranking, RankInput } from "./rank/rank.ts";
import { Ranker } from "./rank/ranker.ts";
import { findEmbedder } from "./similarity.ts";

/** An Orama database over our index, documents and order. */
export type Database = Orama<
  typeof oramaSchema,
  IIndex<AnyIndexStore>,
  IDocumentsStore<AnyDocumentStore>,
  ISorter<AnySorterStore>
>;

/** What a search asks beside Orama's own parameters. */
export interface AskOptions extends
  Partial<
    Pick<
      RankInput,
      | "limit"
      | "pinned"
      | "ownSession"
      | "listsMatches"
      | "explain"
      | "groups"
      | "copies"
      | "rankStale"
    >
  > {
  query: Pick<Query, "text" | "phrases" | "required" | "excluded" | "times">;
  /** The query's vector: rows are ranked by it too. */
  vector?: VectorLike;
  /** Only so many of the ranked rows go to Orama. */
  most?: number;
}

type VectorLike = Float32Array | number[];

/**
 * One search, while Orama runs it. Orama hands `relevance` on to the index as it is, and the vector to
 * the vector index: that is how an Ask gets there, and the ranking with all its figures back.
 */
export class Ask {
  /** Orama sets these; our ranking has its own. */
  k?: number;
  b?: number;
  d?: number;
  readonly view: CorpusView;
  readonly options: AskOptions;
  terms: QueryTerm[] = [];
  ranking?: Ranking;
  /** Whether the index has ranked by words and vector together. */
  isFused = false;

  constructor(view: CorpusView, options: AskOptions) {
    this.view = view;
    this.options = options;
    if (options.vector) asked.set(options.vector, this);
  }

  /** Ranks by words, by the vector, or by both. */
  rank(how: Pick<RankInput, "branch" | "fieldBoosts">, where?: Set<number>): RankedRow[] {
    const { query, vector, limit = Infinity, most: _most, ...boosts } = this.options;
    const { corpus, index } = this.view;
    this.ranking = this.view.read(() =>
      new Ranker({
        corpus,
        terms: this.terms,
        ...toWishes(query),
        times: query.times,
        asksForTime: asksForTime(query.text),
        filters: where instanceof SelectedRows ? makeFilters(corpus, where.where) : [],
        limit,
        cosines: vector && index.compare(corpus, quantize(Float32Array.from(vector)), {
          exactUpTo: limit > mostEstimated || boosts.listsMatches ? Infinity : fewEntries,
        }),
        readEntry: (global) => this.view.readEntry(global),
        pinned: new Set(),
        ...boosts,
        ...how,
      }).rank()
    );
    return this.ranking.rows;
  }
}

/** What a query says of phrases and of words that must not occur, as the ranking takes it. */
function toWishes(
  { phrases, required, excluded }: AskOptions["query"],
): Pick<RankInput, "phrases" | "required" | "excluded"> {
  const holds = (phrase: string): (entry: Entry) => boolean => {
    const count = makePhraseCount([phrase]);
    return (entry) => count(entry) === 1;
  };
  return {
    phrases: phrases.length === 0
      ? undefined
      : { terms: phrases.map(wordsOf), countIn: makePhraseCount(phrases) },
    required: required.map((phrase) => ({ terms: wordsOf(phrase), holds: holds(phrase) })),
    excluded: excluded.map(({ terms, phrase }) => ({
      terms,
      holds: phrase === undefined ? undefined : holds(phrase),
    })),
  };
}

const asked = new WeakMap<VectorLike, Ask>();

/** Orama's fusion cannot take longer lists; a row so far down is no answer to anything. */
const mostFused = 50_000;

/** Where more rows are wanted, all vectors are compared exactly. */
const mostEstimated = 100;

/** Of so few entries, comparing all vectors is as fast as estimating first and then looking closer. */
const fewEntries = 131_072;

/** Whether vectors are wanted at all, asked at every search of a program's. */
export type MayEmbed = () => Promise<boolean>;

/** Makes a database that answers from what `open` gives. */
export function makeOrama(open: OpenView, mayEmbed?: MayEmbed): Database {
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
        const { view } = findAsk(params) ?? await prepare(params, open, mayEmbed);
        rows.ask(view);
        node.size = view.index.dimensions;
      },
      afterSearch(_database, params, _language, results) {
        rows.isCounting = false;
        for (const facet of Object.values(results.facets ?? {})) {
          const counts = Object.entries(facet.values);
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

/** The ask that ctx itself gave along; parameters that were used before have an old one. */
function findAsk<T extends AnyOrama>(params: SearchParams<T>): Ask | undefined {
  const ask = params.mode === "vector"
    ? params.vector && asked.get(params.vector.value)
    : params.relevance;
  return ask instanceof Ask && ask.ranking === undefined ? ask : undefined;
}

/** A search that says nothing of ctx: everything is ranked, and a missing vector is made. */
async function prepare<T extends AnyOrama>(
  params: SearchParams<T>,
  open: OpenView,
  mayEmbed?: MayEmbed,
): Promise<Ask> {
  const { mode, term: text = "" } = params;
  const view = open(text);
  const query = { text, phrases: [], required: [], excluded: [] };
  if (mode !== "vector" && mode !== "hybrid") return params.relevance = new Ask(view, { query });
  if (await mayEmbed?.() === false) {
    throw new CtxError("USAGE", "Cannot search by similarity: embedder.kind is none", {
      hint: "ctx config set embedder.kind local",
    });
  }
  const { model } = view.index;
  const embedder = model && await findEmbedder(model, undefined);
  if (embedder) {
    await view.index.embedTail(view.corpus, embedder).catch((error) =>
      view.read(() => {
        throw error;
      })
    );
  }
  const value = params.vector?.value ?? (await embedder?.embed([text]))?.[0];
  if (value === undefined) {
    throw new CtxError("USAGE", "Cannot search by similarity: there is no vector for the term", {
      hint: "ctx reindex --vectors",
    });
  }
  // A copy, so that it belongs to this search alone.
  const vector = Float32Array.from(value);
  params.vector = { property: "embedding", ...params.vector, value: vector };
  const ask = new Ask(view, { query, vector, most: mostFused });
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
      if (!(ask instanceof Ask)) throw new Error("Orama passed no relevance on");
      if (tolerance > 0 || threshold < 1) {
        throw new CtxError("USAGE", "Cannot search with tolerance or threshold: words match whole");
      }
      const { vector, most } = ask.options;
      ask.isFused = vector !== undefined;
      if (term === "" && !ask.isFused) {
        return rows.list(where instanceof SelectedRows ? where.where : {});
      }
      ask.terms = tokenizer.tokenize(term, language).map(toTerm);
      const fieldBoosts = fieldBoostsOf(properties, boost);
      const ranked = ask.rank({ branch: ask.isFused ? "hybrid" : "lexical", fieldBoosts }, where);
      // A row that matches in other fields only has no score of its own.
      const matching = fieldBoosts === undefined ? ranked : ranked.filter((row) => {
        return row.lexical > row.context || row.cosine !== undefined;
      });
      return rows.show(ask.view, matching.slice(0, most));
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

/** Our vectors as Orama's vector index. */
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
  const getWhole = (id: number) => toDocument(rows.view, rows.at(id));
  // A search by vector alone reads this instead of calling `get`.
  const docs = new Proxy<AnyDocumentStore["docs"]>({}, { get: (_, id) => getWhole(Number(id)) });
  return {
    create: () => ({ docs }),
    get: (_store, id) => typeof id === "string" ? rows.findDocument(id) : getWhole(id),
    getMultiple(_store, ids) {
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

/** Orders by any property; rows without it come last, and equal ones stay in order of rank. */
function makeSorter(rows: FoundRows): ISorter<AnySorterStore> {
  return {
    create: () => ({}),
    sortBy(_store, found, { property, order }) {
      if (!Object.hasOwn(oramaSchema, property)) {
        throw new CtxError("USAGE", `Cannot sort by "${property}": there is no such property`);
      }
      const sign = order === "DESC" ? -1 : 1;
      const keyed = found.map((row) => {
        const value = readProperty(rows.view, rows.at(row[0]), property);
        return { row, key: typeof value === "number" ? value : value?.toString() };
      });
      return keyed.sort(({ key: a }, { key: b }) => {
        if (a === b) return 0;
        if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
        return a < b ? -sign : sign;
      }).map(({ row }) => row);
    },
    getSortableProperties: () => Object.keys(oramaSchema),
    getSortablePropertiesWithTypes: () => ({}),
    ...readOnly,
  };
}

const readOnly = { insert: refuse, store: refuse, remove: refuse, load: refuse, save: refuse };

function refuse(): never {
  throw new CtxError("USAGE", "Cannot change the index: entries reach it through the log", {
    hint: "ctx save",
  });
}
