// The shape of an answer, on every surface.

import * as s from "../command/shape.ts";

/** One source: an entry that was read, and words that stand in it. */
export const answerSource = s.object({
  entry_id: s.text(),
  quote: s.text(),
  ...s.each(s.optional(s.text()), "collection", "document", "section", "session", "title", "ts"),
});
/** @internal */
export type SourceShape = typeof answerSource;
/** One source of an answer: an entry that was read, and words that stand in it. */
export type AnswerSource = s.ValueOf<SourceShape>;

/** The result of a question. */
export const answer = {
  answer: s.text(),
  sources: s.listOf(answerSource),
  /** Absent where nothing was found, and where one of our own lists answers. */
  confidence: s.optional(s.oneOf(["high", "medium", "low"])),
  evidence: s.object({
    ...s.each(s.number(), "score", "agreement", "margin", "coverage", "support", "dropped_sources"),
    /** Without a model: the score of the best row, and how near the nearest quote is. */
    ...s.each(s.optional(s.number()), "best", "near"),
  }),
  note: s.optional(s.text()),
  mode: s.oneOf(["llm", "extractive"]),
  model: s.optional(s.text()),
  stopped: s.optional(s.oneOf(["answered", "limit", "converged", "no_leads", "cap"])),
  /** Why the model could not be asked: the passages answer instead. */
  provider_error: s.optional(s.object({
    code: s.oneOf(["PROVIDER_FAILED", "PROVIDER_TIMEOUT", "PROVIDER_MISSING"]),
    message: s.text(),
    hint: s.optional(s.text()),
    retryable: s.boolean(),
  })),
  usage: s.object({
    ...s.each(s.number(), "model_calls", "tool_calls", "input_tokens", "output_tokens"),
    total_tokens: s.number(),
    estimated: s.boolean(),
  }),
  steps: s.optional(s.listOf(s.text())),
  trace_id: s.optional(s.text()),
};
/** @internal */
export type AnswerShapes = typeof answer;
/** The result of a question: the answer, its sources, how sure it is, and what it took. */
export type Answer = s.ObjectOf<AnswerShapes>;

/** A source in one line for people. */
export function describeSource(source: AnswerSource): string {
  const place = source.collection
    ? `${source.collection}: ${source.document}${source.section ? ` → "${source.section}"` : ""}`
    : [source.ts?.slice(0, 10), source.title, source.session].filter(Boolean).join(" · ");
  return [source.entry_id, place].filter(Boolean).join("  ");
}
