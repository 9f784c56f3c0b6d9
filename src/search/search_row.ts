// From a ranked row to what is shown of it, and of the session it is in: the title and size, and the
// number of the row, from the columns of the index and the catalog of sessions.

import { authorOf, type Entry, type Pool, pools } from "../core/entry.ts";
import { summaryOf } from "../core/rows/entry_summary.ts";
import { isRecord } from "../core/rows/record.ts";
import { withoutHeader } from "../core/text.ts";
import { contentOf } from "../core/rows/tool_content.ts";
import { findRows } from "../index/liveness.ts";
import { type Corpus, locate } from "../index/segment/corpus.ts";
import { keyword } from "../index/segment/keyword.ts";
import { forEachRow } from "../index/segment/postings.ts";
import { rowFlags } from "../index/segment/segment_format.ts";
import type { CatalogSession } from "../store/catalog_sessions.ts";
import type { Store } from "../store/store.ts";
import type { CorpusView } from "./corpus_view.ts";
import type { explainRow } from "./explain_row.ts";
import type { RankedRow, Ranking } from "./rank/rank.ts";
import { roundScore } from "./rank/ranking.ts";
import type { SearchRow } from "./row_shape.ts";
import { snippetOf } from "./snippet.ts";

export interface RowParts {
  corpus: Corpus;
  ranking: Ranking;
  /** What each term of the query weighs, for all rows together. */
  termWeights: ReadonlyMap<string, number>;
  entry: Entry;
  /** The rows that say the same, and some of their ids. */
  like?: { count: number; ids: string[] };
  /** With groups: how many more rows of its session match. */
  more: number;
  /** Given, the row says how its score came about. */
  explain?: typeof explainRow;
  /** Given, a message is shown by these words of it alone. */
  ownWords?: (entry: Entry) => string;
}

/** Makes one row of the answer; fields that an entry does not have are left out. */
export function toSearchRow(row: RankedRow, parts: RowParts): SearchRow {
  const { corpus, ranking, termWeights, entry, like, more, explain, ownWords } = parts;
  const { segment, segmentNumber, row: number } = locate(corpus, row.global);
  const superseded = corpus.liveness.superseded[segmentNumber]?.has(number)
    ? corpus.findReplacement(row.global)
    : undefined;
  const author = authorOf({ entry, pool: segment.pool });
  return {
    id: entry.id,
    ts: entry.ts,
    type: entry.type,
    role: entry.role,
    ...(entry.project === undefined ? {} : { project: entry.project }),
    ...(entry.session_id === undefined ? {} : { session_id: entry.session_id }),
    ...(entry.title === undefined ? {} : { title: entry.title }),
    summary: summaryOf(entry),
    snippet: snippetOf(
      ownWords && entry.type === "turn" ? ownWords(entry) : shownText(entry),
      termWeights,
    ),
    ...(entry.source === undefined ? {} : { source: { ...entry.source } }),
    pool: segment.pool,
    rank_source: row.source,
    score_lex: roundScore(row.lexical),
    score_vec: row.cosine === undefined ? null : roundScore(row.cosine),
    score_final: row.final,
    ...(entry.index === undefined ? {} : { message_index: entry.index }),
    ...documentOf(entry),
    ...(author === undefined ? {} : { author }),
    ...(entry.saved_by === undefined ? {} : { saved_by: entry.saved_by }),
    ...(superseded === undefined ? {} : { superseded_by: superseded.id }),
    ...(superseded?.author === undefined ? {} : { superseded_author: superseded.author }),
    ...(like ? { like } : {}),
    ...(more > 0 ? { more_in_session: more } : {}),
    estimated_tokens: segment.tokens(number),
    ...(explain ? { explain: explain(entry, row, ranking) } : {}),
  };
}

/** How long a quoted row of a card is, about; all of them are as long as two. */
const quoteChars = 160;
const cardChars = 2 * quoteChars;
/** A shorter piece of a row says nothing. */
const leastChars = 40;

/** Adds a row of the exchange beside the best one, in short; not where those before it leave no room. */
export function addQuote(
  quotes: NonNullable<SearchRow["quotes"]>,
  entry: Entry,
  termWeights: ReadonlyMap<string, number>,
): void {
  const used = quotes.reduce((sum, { snippet }) => sum + snippet.length, 0);
  const room = quotes.length < 2 ? quoteChars : Math.min(quoteChars, cardChars - used);
  if (room < leastChars) return;
  const { id, role, type } = entry;
  quotes.push({ id, role, type, snippet: snippetOf(shownText(entry), termWeights, room) });
}

/** What a snippet is cut from: what a call contains follows its text, an output has no header. */
function shownText(entry: Entry): string {
  const content = contentOf(entry);
  return content === "" ? withoutHeader(entry.text) : `${entry.text}\n${content}`;
}

/** Where a section of a document is; nothing for other entries. */
function documentOf(entry: Entry): Pick<SearchRow, "collection" | "document" | "section" | "line"> {
  const { collection, document, section, line } = entry;
  if (typeof collection !== "string" || typeof document !== "string") return {};
  return {
    collection,
    document,
    ...(typeof section === "string" ? { section } : {}),
    ...(typeof line === "number" ? { line } : {}),
  };
}

export interface MadeRow {
  row: SearchRow;
  rank: RankedRow;
  entry: Entry;
}

/** The rows with their numbers in their sessions, where they do not have them already. */
export function withNumbers(made: readonly MadeRow[], view: CorpusView): SearchRow[] {
  const sessions = sessionsOf(made.filter(({ entry }) => entry.index === undefined), view);
  return made.map((one) => {
    const { row, entry } = one;
    if (entry.index !== undefined) return row;
    const session = sessions.get(entry.session_id ?? "");
    return { ...row, ...placeOf(one, { session, view }) };
  });
}

/** The same, with their project, and the title and size of their session. */
export async function withSessions(
  made: readonly MadeRow[],
  view: CorpusView,
): Promise<SearchRow[]> {
  // Most searches are not told of sessions: those do not load it.
  const { sessionTitle } = await import("../store/session_catalog.ts");
  const sessions = sessionsOf(made, view);
  const metas = await findMetas(sessions, view);
  return made.map((one) => {
    const { row, entry } = one;
    const id = entry.session_id ?? "";
    const [meta, session] = [metas.get(id), sessions.get(id)];
    return {
      ...row,
      ...(row.source || !meta?.source ? {} : { source: { agent: meta.source } }),
      project: entry.project ?? meta?.project ?? row.project,
      ...(session && { session_title: meta === undefined ? "" : sessionTitle(meta) }),
      ...(session && { session_tokens: session.tokens }),
      ...placeOf(one, { session, view }),
    };
  });
}

/**
 * What was found of sessions, for as long as the rows and the log of sessions stay the same: a server
 * tells of the same ones again and again.
 */
const foundMetas = new WeakMap<Corpus, { mark: string; metas: Map<string, CatalogSession> }>();

async function findMetas(
  sessions: ReadonlyMap<string, RowSession>,
  { corpus, index: { store } }: CorpusView,
): Promise<ReadonlyMap<string, CatalogSession>> {
  const mark = store.markSessions();
  const kept = foundMetas.get(corpus);
  const metas = kept?.mark === mark ? kept.metas : new Map<string, CatalogSession>();
  foundMetas.set(corpus, { mark, metas });
  const unknown = new Map([...sessions].filter(([id]) => !metas.has(id)));
  if (unknown.size === 0) return metas;
  const { findSessions } = await import("../store/session_catalog.ts");
  const found = findSessions(store, [...unknown.keys()]) ?? await describe(unknown, store);
  for (const [id, meta] of found) metas.set(id, meta);
  return metas;
}

/** What is known of sessions, from their rows alone. */
async function describe(
  sessions: ReadonlyMap<string, RowSession>,
  store: Store,
): Promise<Map<string, CatalogSession>> {
  const { describeSession } = await import("../store/catalog_sessions.ts");
  return new Map(
    [...sessions].map(([id, session]) => [id, describeSession(store, id, session.rows())]),
  );
}

/** The sessions of some rows, each once. */
function sessionsOf(made: readonly MadeRow[], view: CorpusView): Map<string, RowSession> {
  const ids = new Set(made.flatMap(({ entry }) => entry.session_id ?? []));
  return new Map([...ids].map((id) => [id, new RowSession(view, id)]));
}

/** The number of a row in its session; a record has the number and the agent of its first evidence. */
function placeOf(
  { rank, entry }: MadeRow,
  { session, view }: { session?: RowSession; view: CorpusView },
): Pick<SearchRow, "message_index" | "source"> {
  const numberOf = (global: number, { index }: Entry): number =>
    index ?? session?.numberOf(global) ?? 0;
  if (!isRecord(entry)) return { message_index: numberOf(rank.global, entry) };
  const { corpus, index: { log } } = view;
  const [first] = (entry.refs ?? []).slice(0, 1)
    .flatMap((id) => view.read(() => [...findRows(corpus, log, id)]))
    .filter((global) => session?.has(global));
  if (first === undefined) return { message_index: 0 };
  const evidence = view.readEntry(first);
  const agent = entry.source?.agent ?? evidence.source?.agent;
  return { message_index: numberOf(first, evidence), ...(agent ? { source: { agent } } : {}) };
}

/** The messages of one session: its rows that count, but for what was made of it. */
class RowSession {
  readonly #view: CorpusView;
  readonly #globals: number[] = [];
  /** Those that have the numbers which their producer gave them. */
  readonly #numbered: number[] = [];
  tokens = 0;

  constructor(view: CorpusView, id: string) {
    this.#view = view;
    const { segments, bases, liveness } = view.corpus;
    view.read(() =>
      segments.forEach((segment, i) => {
        const postings = segment.findPostings(keyword("session", id));
        if (postings === undefined) return;
        forEachRow(postings.bytes, (row) => {
          if (liveness.dead[i]?.has(row) || segment.flags(row) & rowFlags.record) return;
          this.#globals.push(bases[i] + row);
          if (segment.isNumbered(row)) this.#numbered.push(bases[i] + row);
          this.tokens += segment.tokens(row);
        });
      })
    );
  }

  /** Its messages in log order. */
  rows(): { entry: Entry; pool: Pool }[] {
    const rows = this.#globals.map((global) => {
      const { segment: { pool } } = locate(this.#view.corpus, global);
      return { entry: this.#view.readEntry(global), pool };
    });
    return rows.sort((a, b) => pools.indexOf(a.pool) - pools.indexOf(b.pool));
  }

  /** Whether a row is one of its messages. */
  has(global: number): boolean {
    return this.#globals.includes(global);
  }

  /**
   * The number by which `show`, `read` and `scan` know a row without one of its own: its place in time,
   * or that of the message it follows; undefined for what is no message.
   */
  numberOf(global: number): number | undefined {
    if (!this.has(global)) return undefined;
    const isBefore = (other: number): boolean =>
      this.#timeOf(other) < this.#timeOf(global) ||
      (this.#timeOf(other) === this.#timeOf(global) && other < global);
    if (this.#numbered.length === 0) return this.#globals.filter(isBefore).length + 1;
    const numbers = this.#numbered.toSorted((a, b) => this.#timeOf(a) - this.#timeOf(b) || a - b);
    const followed = numbers.findLast((other) => this.#timeOf(other) <= this.#timeOf(global));
    return this.#view.readEntry(followed ?? numbers[0]).index;
  }

  #timeOf(global: number): number {
    const { segment, row } = locate(this.#view.corpus, global);
    return segment.time(row);
  }
}
