// A search as agents get it: five rows cost less than 400 tokens with all that is around them. What a
// row has beyond its words takes from the room of its words. Pure.

import { isObject } from "../core/json.ts";
import { shareProject, withoutShared } from "../core/rows/share_project.ts";
import { countTokens } from "../core/tokens.ts";
import { dayOf, kindOf, withoutEmpty } from "../table/brief.ts";
import { encode } from "../table/execute.ts";
import { termsOf } from "./rank/terms_of.ts";
import type { Coverage, SearchRow } from "./request.ts";
import { snippetOf } from "./snippet.ts";

/** The tokens of one row, and the fewest that its words get. */
const rowTokens = 62;
const leastTextTokens = 10;

/** What is needed of a row. */
export type BriefSource =
  & Pick<SearchRow, "id" | "ts" | "type" | "title" | "snippet" | "score_final">
  & Pick<SearchRow, "collection" | "document" | "section" | "superseded_by" | "explain">
  & Pick<SearchRow, "more_in_session" | "like" | "project" | "message_index">
  & Pick<SearchRow, "session_id" | "session_title" | "session_tokens">
  & { role: string; caution?: string };

/** What is needed of an answer. */
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
  const { project, rows } = shareProject(results);
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
    // Groups have counted what they stand for.
    results: rows.map(briefRow(data.query, { corrected, grouped: matches !== undefined })),
    facets,
  };
}

/** Makes rows brief: what it is, when, and the words around what was looked for. */
export function briefRow(
  query: string,
  { corrected = {}, grouped }: { corrected?: Record<string, string>; grouped?: boolean } = {},
): (row: BriefSource) => object {
  const words = [query, ...Object.values(corrected)].join(" ");
  const weights = new Map(termsOf(words).map(({ term }) => [term, term.length]));
  return (row) => {
    const { id, ts, collection, document, section, superseded_by, caution, explain } = row;
    const { project, more_in_session, like, session_id, session_title, session_tokens } = row;
    const head = { id, ts: dayOf(ts), kind: kindOf(row) };
    const where = { project, collection, document, section, superseded_by, caution };
    // A row that stands for its session tells which; others are on the way to it by their id.
    const session = grouped ? { session_id, session_title, session_tokens } : {};
    const message_index = row.message_index || undefined;
    const counts = { message_index, more_in_session, like: like?.count };
    const rest = withoutEmpty({ ...where, ...session, ...counts });
    const score = Math.round(row.score_final * 100) / 100;
    const spent = countTokens(encode({ ...head, ...rest, score, text: "" }));
    const text = cutWords(row, { weights, tokens: Math.max(leastTextTokens, rowTokens - spent) });
    return { ...head, ...rest, text, score, ...(explain ? { explain } : {}) };
  };
}

/** The tokens that each of these rows costs in the answer. */
export function briefMeasureOf(
  rows: readonly BriefSource[],
  { query, ...options }: { query: string; corrected?: Record<string, string>; grouped: boolean },
): (row: BriefSource) => number {
  const [toBrief, own] = [briefRow(query, options), withoutShared(rows)];
  return (row) => countTokens(encode(toBrief(own(row))));
}

/** The title and the best part of the snippet, within some tokens. */
function cutWords(
  { title, snippet }: BriefSource,
  { weights, tokens }: { weights: ReadonlyMap<string, number>; tokens: number },
): string {
  const inner = snippet.replace(/^…|…$/g, "");
  const whole = title && !inner.startsWith(title) ? `${title}: ${inner}` : inner;
  let chars = tokens * 5;
  let text = whole;
  while (sizeOf(text) > tokens && chars > 8) {
    text = atWords(snippetOf(whole, weights, chars));
    chars = Math.floor(chars * 0.9);
  }
  // What the snippet itself left out is told too, unless it was cut away.
  const before = whole === inner && snippet.startsWith("…") && !text.startsWith("…") ? "…" : "";
  return `${before}${text}${snippet.endsWith("…") && !text.endsWith("…") ? "…" : ""}`;
}

/** Its tokens as they go over the wire. The estimate is for prose: hashes and code cost up to twice that. */
function sizeOf(text: string): number {
  const wire = encode(text);
  const dense = wire.match(/[\w\-+/=]*\d[\w\-+/=]*/g) ?? [];
  const marks = wire.match(/[{}[\]()<>|"'`\\=;:#$%&*]/g) ?? [];
  const denseChars = dense.reduce((sum, word) => sum + word.length, 0);
  const atLeast = (wire.length - denseChars) / 6 + denseChars / 1.5 + marks.length / 2;
  return Math.max(countTokens(wire), Math.ceil(atLeast));
}

/** A cut in a word is moved to the word's end or beginning. */
function atWords(text: string): string {
  return text.replace(/^…\S{1,15}\s+/, "…").replace(/\s+\S{1,15}…$/, "…");
}
