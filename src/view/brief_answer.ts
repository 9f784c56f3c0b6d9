// A search as agents get it: five rows cost less than 400 tokens with all that is around them, five
// exchanges less than 450. What a
// row has beyond its words takes from the room of its words. Pure.

import { isObject } from "../core/json.ts";
import { isStale } from "../code/fresh/freshness.ts";
import { shareProject, withoutShared } from "../core/rows/share_project.ts";
import { toLine } from "../core/text.ts";
import { countTokens } from "../core/tokens.ts";
import { dayOf, kindOf, withoutEmpty } from "../command/brief.ts";
import { encode } from "../command/execute.ts";
import { termsOf } from "../search/rank/terms_of.ts";
import type { Coverage } from "../search/request.ts";
import type { FoundRow, ShownEntry } from "../search/row_shape.ts";
import { snippetOf } from "../search/snippet.ts";

/** The tokens of one row, the fewest that its words get, and the most of its session's title. */
const rowTokens = 72;
const leastTextTokens = 10;
/** How many other rows of their exchanges the first results quote, and what each may cost then. */
const cards = [{ quotes: 2, tokens: 108 }, { quotes: 1, tokens: 80 }, { quotes: 1, tokens: 80 }];
const quoteTokens = 12;
const titleTokens = 5;

/** A row, with how its session is called in it, and whether it says which one that is. */
export type BriefSource = ShownEntry & Pick<FoundRow, "snippet" | "score_final"> & {
  session?: { title: string; size: string };
  isTwin?: boolean;
};

export interface BriefAnswer {
  query: string;
  total: number;
  matches?: number;
  copies?: number;
  over_budget: number;
  results: BriefSource[];
  facets?: unknown;
  retrieval: {
    coverage: Coverage;
    corrected?: Record<string, string>;
    notes: string[];
    warnings?: unknown;
    provider_error?: unknown;
  };
}

/** The answer with brief rows; without rows it says what was searched. */
export function briefAnswer(data: BriefAnswer): object {
  const { total, matches, copies, over_budget, facets, results, retrieval } = data;
  const { coverage, corrected, notes, warnings, provider_error: failure } = retrieval;
  const grouped = matches !== undefined;
  const { session_title, session_tokens, rows: told } = tellSessions(results, grouped);
  const { project, rows } = shareProject(told);
  return {
    hits: results.length,
    total,
    matches,
    copies,
    ...(over_budget > 0 ? { over_budget } : {}),
    ...(results.length > 0 ? {} : {
      searched: coverage.entries,
      ...(coverage.below_floor > 0 ? { too_weak: coverage.below_floor } : {}),
      near: coverage.nearest_terms,
      removed_by_filter: coverage.removed_by_filter,
    }),
    corrected,
    // The last of the notes says the same.
    notes: corrected ? notes.slice(0, -1) : notes,
    warnings,
    // The notes say the rest.
    provider_error: isObject(failure) ? failure.code : undefined,
    project,
    session_title,
    session_tokens,
    results: rows.map(briefRow(data.query, { corrected, grouped })),
    facets,
  };
}

/**
 * Rows with the title of their session, and its size where it is named first; what all of them are in
 * is told once. Groups tell theirs in full.
 */
function tellSessions(
  rows: readonly BriefSource[],
  grouped: boolean,
): { session_title?: string; session_tokens?: number; rows: BriefSource[] } {
  if (grouped) return { rows: [...rows] };
  const [first] = rows;
  const isShared = rows.length > 1 && rows.every((row) => row.session_id === first.session_id);
  const seen = new Set<string>();
  const ids = new Set<string>();
  const twins = new Set(rows.flatMap(({ id }) => ids.has(id) ? id : (ids.add(id), [])));
  const told = rows.map((row) => {
    const { id, session_id, session_title: title, session_tokens: tokens = 0 } = row;
    const twin = twins.has(id) ? { isTwin: true } : {};
    if (isShared || session_id === undefined || !title) return { ...row, ...twin };
    const size = seen.has(session_id) ? "" : ` (${sizeInWords(tokens)})`;
    seen.add(session_id);
    return { ...row, ...twin, session: { title, size } };
  });
  if (!isShared) return { rows: told };
  const { session_title, session_tokens } = first;
  return { session_title: session_title && toLine(session_title, 80), session_tokens, rows: told };
}

function sizeInWords(tokens: number): string {
  return `${tokens < 1000 ? tokens : `${Math.round(tokens / 1000)}k`} tokens`;
}

/** Makes rows brief: what it is, when, and the words around what was looked for. */
export function briefRow(
  query: string,
  { corrected = {}, grouped }: { corrected?: Record<string, string>; grouped?: boolean } = {},
): (row: BriefSource, place?: number) => object {
  const words = [query, ...Object.values(corrected)].join(" ");
  const weights = new Map(termsOf(words).map(({ term }) => [term, term.length]));
  return (row, place = 0) => {
    const { id, ts, collection, document, section, superseded_by, caution, explain } = row;
    const { project, more_in_session, like, session_id, session_title, session_tokens } = row;
    const head = { id, ts: dayOf(ts), kind: kindOf(row) };
    const freshness = isStale(row.freshness) ? row.freshness : undefined;
    const { author, superseded_author } = row;
    const warned = { superseded_by, superseded_author, freshness, author, caution };
    const where = { project, collection, document, section, ...warned };
    // A row that stands for its session tells which, and one of those that share an id; others are on
    // the way to it by their id.
    const group = grouped ? { session_id, session_title, session_tokens } : {};
    const own = row.isTwin ? { session_id } : {};
    const message_index = row.message_index || undefined;
    const counts = { message_index, more_in_session, like: like?.count };
    const score = Math.round(row.score_final * 100) / 100;
    const measure = (fields: object): number =>
      countTokens(encode({ ...head, ...fields, score, text: "" }));
    const bare = withoutEmpty({ ...where, ...group, ...own, ...counts });
    const { message_index: _number, ...facts } = bare;
    const card = cards[place] ?? { quotes: 0, tokens: rowTokens };
    const also = (row.quotes ?? []).slice(0, card.quotes).map((quote) => {
      const words = cutWords(quote, { weights, tokens: quoteTokens });
      return `${quote.id} ${kindOf(quote)}: ${words}`;
    });
    const toText = (fields: object, most: number): string => {
      const tokens = Math.max(leastTextTokens, most - measure(fields));
      return cutWords(row, { weights, tokens });
    };
    const last = { score, ...(explain ? { explain } : {}) };
    // What is warned of takes the room of quotes.
    while (also.length > 0 && measure({ ...facts, also }) > card.tokens - leastTextTokens) {
      also.pop();
    }
    if (also.length > 0) {
      // What was asked tells more than where in which session it stands.
      return { ...head, ...facts, text: toText({ ...facts, also }, card.tokens), also, ...last };
    }
    const session = nameSession(row.session, rowTokens - leastTextTokens - 2 - measure(bare));
    const rest = session === undefined ? bare : { ...bare, session };
    // Names cost more than the estimate says.
    const most = session === undefined ? rowTokens : rowTokens - 2;
    return { ...head, ...rest, text: toText(rest, most), ...last };
  };
}

/** The tokens that each of these rows costs in the answer. */
export function briefMeasureOf(
  rows: readonly BriefSource[],
  { query, ...options }: { query: string; corrected?: Record<string, string>; grouped: boolean },
): (row: BriefSource) => number {
  const { rows: told } = tellSessions(rows, options.grouped);
  const [toBrief, own] = [briefRow(query, options), withoutShared(told)];
  const costs = new Map(rows.map((row, i) => [row, countTokens(encode(toBrief(own(told[i]), i)))]));
  return (row) => costs.get(row) ?? 0;
}

/** How a session is called within some tokens; undefined where there is no room for it. */
function nameSession(session: BriefSource["session"], room: number): string | undefined {
  if (session === undefined) return undefined;
  const { title, size } = session;
  const most = Math.min(titleTokens, room - countTokens(`,"session":"${size}"`));
  let chars = 40;
  let name = toLine(title, chars);
  while (tokensOf(name) > most && chars > 8) name = atWords(toLine(title, chars -= 4));
  return tokensOf(name) > most ? undefined : `${name}${size}`;
}

/** The title and the best part of the snippet, within some tokens. */
function cutWords(
  { title, snippet }: { title?: string; snippet: string },
  { weights, tokens }: { weights: ReadonlyMap<string, number>; tokens: number },
): string {
  const inner = snippet.replace(/^…|…$/g, "");
  const whole = title && !inner.startsWith(title) ? `${title}: ${inner}` : inner;
  let chars = tokens * 5;
  let text = whole;
  // A decision under the question that it answers is what is looked for, not the question.
  const cut = sizeOf(whole) > tokens && hasAll(inner, title ?? "", weights) ? inner : whole;
  while (sizeOf(text) > tokens && chars > 8) {
    text = atWords(snippetOf(cut, weights, chars));
    chars = Math.floor(chars * 0.9);
  }
  // What the snippet itself left out is told too, unless it was cut away.
  const before = cut === inner && snippet.startsWith("…") && !text.startsWith("…") ? "…" : "";
  return `${before}${text}${snippet.endsWith("…") && !text.endsWith("…") ? "…" : ""}`;
}

/** Whether a text has all the words of a search that its title has. */
function hasAll(text: string, title: string, weights: ReadonlyMap<string, number>): boolean {
  const own = new Set(termsOf(text).map(({ term }) => term));
  return termsOf(title).every(({ term }) => !weights.has(term) || own.has(term));
}

/** Its tokens as they go over the wire. */
function sizeOf(text: string): number {
  return tokensOf(encode(text));
}

/**
 * At least the tokens of some text. The estimate is for prose: hashes and code cost up to twice that,
 * and scripts and signs that tokenizers take apart much more.
 */
function tokensOf(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const dense = text.match(/[\w\-+/=]*\d[\w\-+/=]*/g) ?? [];
  const denseChars = dense.reduce((sum, word) => sum + word.length, 0);
  const apart = count(/[\u0590-\u1fff]/g) / 2 + count(/[\u0300-\u036f]/g) * 2.5 +
    count(/[\u200d\u2190-\u2bff\ud800-\udfff\ufe0f]/g);
  const marks = count(/[{}[\]()<>|"'`\\=;:#$%&*]/g);
  const atLeast = (text.length - denseChars) / 6 + denseChars / 1.5 + marks / 2 + apart;
  return Math.max(countTokens(text), Math.ceil(atLeast));
}

/** A cut in a word is moved to the word's end or beginning; scripts without spaces are cut anywhere. */
function atWords(text: string): string {
  return text.replace(/^…[^\s\u3040-\u9fff]{1,15}\s+/, "…")
    .replace(/\s+[^\s\u3040-\u9fff]{1,15}…$/, "…");
}
