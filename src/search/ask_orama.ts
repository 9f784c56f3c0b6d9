// What a search asks of Orama: the rows of its page, one of each session or of those that say the same,
// and how often values occur. The index component ranks (orama.ts), the rest is Orama's engine.

import { search } from "@orama/orama";
import type { SearchIndex } from "../index/search_index.ts";
import { CorpusView } from "./corpus_view.ts";
import { whereOf } from "./filter.ts";
import { SearchAsk } from "./search_ask.ts";
import { type Database, makeOrama } from "./orama.ts";
import type { PlannedSearch } from "./plan_search.ts";
import { CopyKeys } from "./rank/copy_keys.ts";
import { Exchanges } from "./rank/row_exchanges.ts";
import { sessionKeys } from "./rank/session_keys.ts";
import type { RankedRow, Ranking, RowKeys } from "./rank/rank.ts";
import type { FacetCounts, SearchRequest } from "./request.ts";
import type { FoundRow } from "./row_document.ts";

export interface FoundPage {
  ask: SearchAsk;
  ranking: Ranking;
  /** The rows of the page. */
  hits: RankedRow[];
  /** By key, the rows that say what the first of them says. */
  copies: Map<number | undefined, Copies>;
  /** By key, the other rows of its exchange, best first. */
  mates: Map<number | undefined, RankedRow[]>;
  /** Of the rows that were ranked, those that are in the exchange of a better one. */
  joined: number;
}

/** How many rows say the same as one that is shown, and some of their ids. */
export interface Copies {
  count: number;
  ids: string[];
}

/** The ids that are told of the rows like one. */
const mostIds = 5;

const run = search<Database, FoundRow>;

/** Has Orama search. A search by vector too is one by text: our index ranks by words, vector or both. */
export async function askOrama(
  ask: SearchAsk,
  { request: { offset, k, unit }, query, plan }: PlannedSearch,
): Promise<FoundPage> {
  const { keys, exchanges } = ask.options;
  const page = await run(databaseOf(ask.view.index), {
    term: query.text || " ",
    where: whereOf(plan),
    offset,
    limit: k,
    relevance: ask,
    ...(keys ? { distinctOn: "group" } : {}),
    ...(keys && unit !== "session" ? { groupBy: { properties: ["group"] } } : {}),
  });
  if (ask.ranking === undefined) throw new Error("Orama did not rank");
  const copies = new Map<number | undefined, Copies>();
  const mates = new Map<number | undefined, RankedRow[]>();
  let joined = 0;
  for (const { result } of page.groups ?? []) {
    const ranks = result.map(({ document }) => document.rank);
    const found = Map.groupBy(ranks, ({ global }) => exchanges?.of(global) ?? global);
    const [[{ key }, ...own], ...others] = found.values();
    joined += ranks.length - found.size;
    if (own.length > 0) mates.set(key, own);
    if (others.length === 0) continue;
    const ids = others.slice(0, mostIds).map(([{ global }]) => ask.view.readEntry(global).id);
    copies.set(key, { count: others.length, ids });
  }
  const hits = page.hits.map(({ document }) => document.rank);
  return { ask, ranking: ask.ranking, hits, copies, mates, joined };
}

/** Has Orama count the values of the rows that match; of equally frequent ones the latest comes first. */
export async function countValues(
  { view, options, ranking }: SearchAsk,
  names: readonly string[],
): Promise<FacetCounts> {
  if (names.length === 0) return {};
  const listed = ranking?.matching.toReversed();
  const { facets = {} } = await run(databaseOf(view.index), {
    term: " ",
    preflight: true,
    relevance: new SearchAsk(view, { query: options.query, listed }),
    facets: Object.fromEntries(names.map((name) => [name, { limit: Infinity }])),
  });
  return facets;
}

/** By what rows are one: their session, their exchange, or what they say. */
export function findKeys(
  view: CorpusView,
  { unit = "row", fold, offset, k }: SearchRequest,
): { keys?: RowKeys; exchanges?: Exchanges } {
  if (unit === "session") return { keys: sessionKeys(view.corpus) };
  const copies = fold ? new CopyKeys(view, Math.max(2, offset + k)) : undefined;
  if (unit === "row") return { keys: copies };
  const exchanges = new Exchanges(view.corpus);
  return { keys: exchangeKeys(exchanges, copies), exchanges };
}

/** The database of an open index; it lives as long. */
function databaseOf(index: SearchIndex): Database {
  let database = databases.get(index);
  if (database === undefined) {
    database = makeOrama((text) => new CorpusView(index, { text }));
    databases.set(index, database);
  }
  return database;
}

const databases = new WeakMap<SearchIndex, Database>();

/** The keys of exchanges; where copies are folded, one whose ranked rows all are in another is that one. */
function exchangeKeys(exchanges: Exchanges, copies?: CopyKeys): RowKeys {
  return {
    keysOf(ranked) {
      const found = Map.groupBy(ranked, ({ global }) => exchanges.of(global));
      const heads = [...found.values()].map(([best]) => best);
      const like = copies?.keysOf(heads);
      const shown = new Map<number, RankedRow[][]>();
      const keys = new Map([...found].map(([exchange, rows], i) => {
        const others = shown.get(like?.[i] ?? exchange) ?? [];
        const same = others.find((other) => copies?.areCopies(rows, other));
        if (same === undefined) shown.set(like?.[i] ?? exchange, [...others, rows]);
        return [exchange, (same ?? rows)[0].global];
      }));
      return ranked.map(({ global }) => keys.get(exchanges.of(global)) ?? global);
    },
    mostTimes: 8,
  };
}
