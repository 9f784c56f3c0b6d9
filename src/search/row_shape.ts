// A row that a search found, on every surface: the one description of it. What ranks makes it without
// `confidence`, `caution`, `marks` and `expand` (`SearchRow`), the search command adds these.

import { type CodeChange, freshnessNames } from "../code/fresh/freshness.ts";
import * as s from "../command/shape.ts";
import { pools } from "../core/entry.ts";
import { confidences } from "./rank/row_confidence.ts";
import type { Step } from "./rank/steps.ts";

function rowShape() {
  return s.object({
    ...s.each(s.text(), "id", "ts", "type", "role", "summary", "snippet"),
    ...s.each(s.optional(s.text()), "project", "session_id", "session_title"),
    ...s.each(s.optional(s.text()), "title", "collection", "document", "section"),
    /** Of a section of a document: where it begins. */
    line: s.optional(s.number()),
    ...s.each(s.optional(s.text()), "superseded_by", "caution", "workspace"),
    ...s.each(s.optional(s.text()), "author", "saved_by", "superseded_author"),
    freshness: s.optional(s.oneOf(freshnessNames)),
    changed: s.optional(s.objectLike<CodeChange>()),
    source: s.optional(s.openObject({ agent: s.text() })),
    pool: s.oneOf(pools),
    rank_source: s.oneOf(["lexical", "vector", "hybrid"]),
    confidence: s.oneOf(confidences),
    ...s.each(s.number(), "score_lex", "score_final", "estimated_tokens"),
    score_vec: s.nullable(s.number()),
    ...s.each(s.optional(s.number()), "session_tokens", "message_index", "more_in_session"),
    /** Places of what was searched for: the first character and the one after the last. */
    marks: s.optional(s.object({ title: s.optional(places()), snippet: places() })),
    /** Of an exchange: other rows that were quoted, the most telling first. */
    quotes: s.optional(s.listOf(s.object(s.each(s.text(), "id", "role", "type", "snippet")))),
    like: s.optional(s.object({ count: s.number(), ids: s.listOf(s.text()) })),
    expand: s.object({ timeline: s.text(), get: s.text() }),
    explain: s.optional(s.objectLike<RowExplanation>()),
  });
}

export function foundRow(): ReturnType<typeof rowShape> {
  return rowShape();
}

export type FoundRow = s.ValueOf<ReturnType<typeof foundRow>>;
/** One row of an answer, without what the search command adds to it. */
export type SearchRow = Omit<FoundRow, "confidence" | "caution" | "marks" | "expand">;

/** An entry as lists show it: what it is, and what else is known of it. */
export type ShownEntry = Pick<FoundRow, "id" | "ts" | "type" | "role"> & Partial<FoundRow>;

/** What one term gave to one row. */
export interface TermExplanation {
  term: string;
  kind: "word" | "whole" | "character";
  df: number;
  idf: number;
  /** Occurrences by field. */
  tf: Record<string, number>;
  contribution: number;
}

export interface RowExplanation {
  /** The score, from 0 on: one after the other they give `score_final`, rounded to six decimals. */
  steps: Step[];
  /** The first step, by terms. */
  terms: TermExplanation[];
  /** What neighbouring turns added to the lexical score. */
  context: number;
  /** The share of the query's information that the row matches; the floor is judged on it. */
  matched_share: number;
  floor: number;
  /** The lexical score that a perfect row would have. */
  ideal: number;
  /** Every factor, 1 where it does not apply. */
  boosts: Record<string, number>;
  later?: number;
  /** What rows around it and records that cite it added, in all and each. */
  lent: number;
  lent_by: Record<string, number>;
  vector?: { similarity: number; weight: number };
}

function places() {
  return s.listOf(s.listOf(s.number()));
}
