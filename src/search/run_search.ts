// The search: from a request to rows. Uses the index when there is a sound one and reads the logs
// when there is not; both give the same rows.

import { IndexDamage } from "../disk/byte_source.ts";
import { type CodeRows, mayBeOnCode } from "../code/fresh/entry_edits.ts";
import { mayHoldEdits, maySpeakOfCode } from "../code/fresh/may_speak_of_code.ts";
import type { Entry } from "../core/entry.ts";
import { type Corpus, isSuperseded } from "../index/segment/corpus.ts";
import type { Embedder } from "../index/vectors/embedder.ts";
import { findRows } from "../index/liveness.ts";
import { type LogReader, RowAltered } from "../index/log_reader.ts";
import { type IndexLag, openWithoutIndex, type SearchIndex } from "../index/search_index.ts";
import type { Store } from "../store/store.ts";
import { CorpusView } from "./corpus_view.ts";
import { coverageOf, unknownOf } from "./coverage.ts";
import { keepsKeyword, mayHoldStrangers, rowsWithKeyword } from "./filter.ts";
import { askOrama, countValues, findKeys } from "./ask_orama.ts";
import { SearchAsk } from "./search_ask.ts";
import { type PlannedSearch, planSearch } from "./plan_search.ts";
import { asksForWish, isQuestion } from "./rank/asks_for.ts";
import type { Exchanges } from "./rank/row_exchanges.ts";
import { countWords, type QueryTerm } from "./rank/plan_terms.ts";
import type { RankedRow, Ranking, RankStale } from "./rank/rank.ts";
import { weights } from "./rank/ranking.ts";
import { topScores } from "./rank/row_confidence.ts";
import type { SearchAnswer, SearchRequest, UnknownWords } from "./request.ts";
import type { SearchRow } from "./row_shape.ts";
import { addQuote, type MadeRow, toSearchRow, withNumbers, withSessions } from "./search_row.ts";
import { findSimilarity } from "./similarity.ts";
import type { Query } from "./query.ts";
import type { CodeLook, FoundGlobals } from "./stale/look_at_code.ts";
import { closeIndex, useIndex } from "./use_index.ts";

export interface SearchOptions {
  warn?: (message: string) => void;
  /** The configured embedder, when it is not the local one. */
  embedder?: Embedder;
  /** Whether the local one is configured: few rows without an index are then embedded on the spot. */
  isLocal?: boolean;
  /** Which of the entries that are found are wanted at all: others are neither shown nor counted. */
  keeps?: (entry: Entry, found: FoundEntry) => boolean;
}

/** What a ranking knows of an entry: how much of the query it has, and whether it was replaced. */
export interface FoundEntry {
  share: number;
  isSuperseded: boolean;
}

/** Searches a store. Zero rows is an answer, and its coverage says what was searched. */
export async function search(
  store: Store,
  request: SearchRequest,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  const warn = options.warn ?? (() => {});
  const planned = await planSearch(request, store);
  try {
    return await searchIndex(useIndex(store, warn), planned, options);
  } catch (error) {
    if (!(error instanceof IndexDamage)) throw error;
    closeIndex(store);
    return await searchAgain(store, planned, { ...options, warn, damage: error });
  }
}

/**
 * A log that was rewritten while it was read (compact, gc, forget) makes the index look damaged:
 * the index as it is now is tried once more, then the logs themselves, until one read holds.
 */
async function searchAgain(
  store: Store,
  planned: PlannedSearch,
  options: SearchOptions & { warn: (message: string) => void; damage: IndexDamage },
): Promise<SearchAnswer> {
  let { damage } = options;
  for (let attempt = 1;; attempt++) {
    try {
      if (attempt === 1) {
        return await searchIndex(useIndex(store, options.warn), planned, options);
      }
      using scan = openWithoutIndex(store);
      // The warning below already covers the switch to lexical.
      const answer = await searchIndex(scan, planned, { ...options, warn: undefined });
      if (attempt > 2) return answer;
      if (damage instanceof RowAltered) {
        const note =
          `${damage.message}: searched without the index; to rebuild it: ctx reindex --full`;
        return { ...answer, notes: [...answer.notes, note] };
      }
      options.warn("the index is damaged: searched without it; to rebuild it: ctx reindex --full");
      return answer;
    } catch (error) {
      if (!(error instanceof IndexDamage) || attempt >= maxAttempts) throw error;
      damage = error;
      closeIndex(store);
    }
  }
}

/** More rewrites than this during one search are not chance. */
const maxAttempts = 8;

/** Runs a planned search on an open index. */
export async function searchIndex(
  index: SearchIndex,
  planned: PlannedSearch,
  options: SearchOptions = {},
): Promise<SearchAnswer> {
  using _held = index.hold();
  await index.load();
  const { request, query, plan } = planned;
  const { facets = [], unit, offset, k } = request;
  const view = new CorpusView(index, {
    ...query,
    keepsKeyword: facets.length > 0 ? undefined : keepsKeyword(plan),
  });
  const { corpus } = view;
  const similarity = await findSimilarity(index, { ...options, corpus, request, query });
  const { branch, vector } = similarity;
  const bySession = unit === "session";
  // The second row tells how sure the first is.
  const limit = Math.max(2, offset + k);
  const asks = {
    query,
    branch,
    vector,
    limit,
    pinned: findPins(corpus, index.log, request.pins),
    ownSession: makeOwnSession(corpus, request.current_session),
    ...findKeys(view, request),
    explain: request.explain,
    uncounted: options.keeps !== undefined,
    listsMatches: facets.length > 0 || bySession,
  };
  const askRows = (rankStale?: RankStale, collected?: number) =>
    askOrama(new SearchAsk(view, { ...asks, rankStale, collected }), planned);
  const { fresh: filters = false } = request;
  const tells = filters || request.freshness;
  let ranked: number[] = [];
  const globalsOf = (rows: readonly RankedRow[]) => rows.map(({ global }) => global);
  const asked = await askRows(tells ? (rows) => (ranked = globalsOf(rows), rows) : undefined);
  const shown = globalsOf(asked.hits);
  // What stands before a page may fall onto it.
  const last = offset === 0 ? undefined : shown.at(-1);
  const all = globalsOf(asked.ranking.rows);
  const page = last === undefined ? shown : all.slice(0, all.indexOf(last) + 1);
  ranked = ranked.slice(0, mostLookedAt * Math.max(limit, weights.pool));
  using code = tells ? await findCode(view, { page, ranked, filters }) : undefined;
  const { ask, hits, copies, mates, joined, ranking } = code?.rankStale
    ? await askRows(code.rankStale, asked.ranking.collected)
    : asked;
  const unseen = ranking.total > 0 || request.unasked || request.exact
    ? undefined
    : await findUnseen(corpus, ranking);
  const unknown = request.correctable ?? unseen ?? { terms: unknownOf(ranking) };
  const spelled = unknown.terms.length > 0 && !request.exact
    ? await (await import("./spell_query.ts")).spellQuery(index, query, unknown)
    : undefined;
  if (spelled !== undefined) {
    const corrected = { ...query, text: spelled.text };
    const again = { ...planned, query: corrected, request: { ...request, exact: true } };
    const answer = await searchIndex(index, again, options);
    // A word of rows that filters leave out helps nobody.
    if (answer.total > 0) return toCorrected(answer, spelled.words);
  }
  const explain = request.explain ? (await import("./explain_row.ts")).explainRow : undefined;
  const termWeights = new Map(ranking.terms.map(({ term, idf }) => [term, idf]));
  const { keeps } = options;
  const kept = keeps === undefined
    ? hits
    : hits.filter(({ global, share }) =>
      keeps(view.readEntry(global), { share, isSuperseded: isSuperseded(corpus, global) })
    );
  // Who did not ask is told what somebody says, not what they quote.
  const ownWords = request.unasked && kept.length > 0
    ? (await import("../core/voice/spans_of.ts")).ownWords
    : undefined;
  const quotesOf = asks.exchanges === undefined || request.quotes === false
    ? undefined
    : await makeQuotes(view, {
      hits: kept,
      query: query.text,
      terms: ask.terms,
      termWeights,
      exchanges: asks.exchanges,
      passes: ranking.passes,
      code,
    });
  const made = await Promise.all(kept.map(async (rank) => {
    const entry = view.readEntry(rank.global);
    const more = (ranking.keyCounts?.get(rank.key ?? 0) ?? 1) - 1;
    const like = copies.get(rank.key);
    const parts = { corpus, ranking, termWeights, entry, explain, like, more, ownWords };
    const shown = toSearchRow(rank, parts);
    const project = shown.project ?? index.store.layout.workspace;
    const quotes = await quotesOf?.(rank, mates.get(rank.key) ?? []);
    const row = { ...shown, project, ...quotes, ...await code?.find(entry, rank.global) };
    return { row, rank, entry };
  }));
  const rows = await tellSessions(made, { view, request });
  // A hook that finds nothing says nothing: what was searched is for those who asked.
  const explainsNothing = ranking.total === 0 && !request.unasked;
  const coverage = coverageOf(corpus, ranking, { plan, full: explainsNothing });
  if (explainsNothing) {
    coverage.nearest_terms = await findNearest(index, coverage.unknown_terms);
  }
  const strangers = mayHoldStrangers(corpus, plan)
    ? (await import("./strangers.ts")).findStrangers(corpus, plan)
    : [];
  const lag = index.lag();
  const empty = query.times && !request.unasked
    ? (await import("./query_notes.ts")).findEmptyTime(corpus, query.times)
    : undefined;
  return {
    hits: rows.length,
    // Of groups it is not known which are left out as a whole.
    total: bySession ? ranking.keyCounts?.size ?? 0 : ranking.total - (code?.dropped ?? 0),
    rows,
    top: topScores(ranking.rows),
    branch,
    engine: index.isEmpty ? "scan" : "index",
    index: lag,
    candidates: ranking.candidates,
    coverage,
    unseen,
    notes: [
      ...query.notes,
      ...await notesOf(query, { terms: ask.terms, lag }),
      ...similarity.notes,
    ],
    provider_error: similarity.provider_error,
    ...(strangers.length > 0 ? { strangers } : {}),
    ...(empty ? { empty_time: empty } : {}),
    ...(facets.length > 0 ? { facets: await countValues(ask, facets) } : {}),
    ...(copies.size > 0
      ? { copies: copies.values().reduce((sum, { count }) => sum + count, 0) }
      : {}),
    ...(joined > 0 ? { joined } : {}),
    ...(bySession ? { matches: ranking.total } : {}),
  };
}

/** What is known of the code under the rows of a page; nothing where none may speak of code. */
async function findCode(view: CorpusView, found: FoundGlobals): Promise<CodeLook | undefined> {
  const { page, ranked, filters } = found;
  const { store, log } = view.index;
  const isWorth = filters && mayHoldEdits(store) ||
    maySpeakOfCode(store, (filters ? ranked : page).map((row) => view.readEntry(row)));
  if (!isWorth) return undefined;
  const rows: CodeRows = {
    corpus: view.corpus,
    readEntry: (global) => view.readEntry(global),
    findGlobals: (id) => findRows(view.corpus, log, id),
  };
  if (!filters && !mayBeOnCode(page, rows)) return undefined;
  return (await import("./stale/look_at_code.ts")).lookAtCode(store, rows, found);
}

/** Makes the quotes of an exchange; undefined where every row stands alone. */
async function makeQuotes(
  view: CorpusView,
  { hits, query, terms, termWeights, exchanges, passes, code }: {
    hits: readonly RankedRow[];
    query: string;
    terms: readonly QueryTerm[];
    termWeights: ReadonlyMap<string, number>;
    exchanges: Exchanges;
    passes: Ranking["passes"];
    code?: CodeLook;
  },
): Promise<
  | ((best: RankedRow, mates: readonly RankedRow[]) => Promise<Pick<SearchRow, "quotes">>)
  | undefined
> {
  if (hits.every(({ global }) => exchanges.of(global) < 0)) return undefined;
  const { chooseQuotes } = await import("./card/choose_quotes.ts");
  const asked = { asksForWish: asksForWish(terms), isQuestion: isQuestion(query) };
  const readEntry = (global: number) => view.readEntry(global);
  const rows = { corpus: view.corpus, readEntry, passes };
  return async (best, mates) => {
    const prompt = exchanges.of(best.global);
    if (prompt < 0) return {};
    const found = { best, mates, prompt, ...asked };
    const quotes: SearchRow["quotes"] = [];
    for (const row of view.read(() => chooseQuotes(rows, found))) {
      const entry = readEntry(row);
      if (await code?.keeps(entry, row) !== false) addQuote(quotes, entry, termWeights);
    }
    return quotes.length > 0 ? { quotes } : {};
  };
}

/** Rows with what is to be told of their sessions; what nobody asked for is not told. */
async function tellSessions(
  made: MadeRow[],
  { view, request }: { view: CorpusView; request: SearchRequest },
): Promise<SearchRow[]> {
  if (request.sessions) return await withSessions(made, view);
  return request.unasked ? made.map(({ row }) => row) : withNumbers(made, view);
}

/** An answer to other words than were asked for, which says so. */
async function toCorrected(
  answer: SearchAnswer,
  corrected: Record<string, string>,
): Promise<SearchAnswer> {
  const { correctionNote } = await import("./query_notes.ts");
  return { ...answer, corrected, notes: [...answer.notes, correctionNote(corrected)] };
}

/** Where rows are looked for until a page is full, the code of so many times its rows is looked at. */
const mostLookedAt = 8;

function findPins(
  corpus: Corpus,
  log: LogReader,
  pins: ReadonlySet<string> | undefined,
): ReadonlySet<number> {
  return new Set([...pins ?? []].flatMap((id) => [...findRows(corpus, log, id)]));
}

function makeOwnSession(
  corpus: Corpus,
  session: string | undefined,
): ((segmentNumber: number, row: number) => boolean) | undefined {
  if (session === undefined) return undefined;
  const sets = corpus.segments.map((segment) => rowsWithKeyword(segment, "session", [session]));
  return (segment, row) => sets[segment][row] === 1;
}

/** What a search that found nothing does not know. */
async function findUnseen(corpus: Corpus, { terms }: Ranking): Promise<UnknownWords> {
  const { unseenTerms } = await import("./spelling/nearest.ts");
  return { terms: unseenTerms(corpus, terms), vainWords: countWords(terms) };
}

async function findNearest(
  index: SearchIndex,
  unknown: string[],
): Promise<Record<string, string[]> | undefined> {
  const { guessable, nearestTerms } = await import("./spelling/nearest.ts");
  const letters = new Set(guessable(unknown).map((term) => term[0]));
  if (letters.size === 0) return undefined;
  const view = new CorpusView(index, { keeps: (term) => letters.has(term[0]) });
  return nearestTerms(view.corpus, unknown, (global) => view.readEntry(global));
}

async function notesOf(query: Query, { terms, lag }: { terms: SearchAsk["terms"]; lag: IndexLag }) {
  const notes: string[] = [];
  if (terms.every(({ term }) => query.times?.terms.has(term))) {
    notes.push((await import("./query_notes.ts")).wordlessNote(query));
  }
  if (lag.tail_bytes > noteworthyBytes) {
    notes.push("much of the history is not indexed yet: run ctx reindex for faster search");
  }
  return notes;
}

const noteworthyBytes = 16 << 20;
