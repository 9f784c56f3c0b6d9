// The shape of an answer, on every surface.

import * as z from "zod/mini";

/** One source: an entry that was read, and words that stand in it. */
export const answerSource = z.object({
  entry_id: z.string(),
  quote: z.string(),
  collection: z.optional(z.string()),
  document: z.optional(z.string()),
  section: z.optional(z.string()),
  session: z.optional(z.string()),
  title: z.optional(z.string()),
  ts: z.optional(z.string()),
});
/** One source. */
export type AnswerSource = z.output<typeof answerSource>;

/** The result of a question. */
export const answer = z.object({
  answer: z.string(),
  sources: z.array(answerSource),
  confidence: z.enum(["high", "medium", "low"]),
  evidence: z.object({
    score: z.number(),
    agreement: z.number(),
    margin: z.number(),
    coverage: z.number(),
    support: z.number(),
    dropped_sources: z.number(),
  }),
  note: z.optional(z.string()),
  mode: z.enum(["llm", "extractive"]),
  model: z.optional(z.string()),
  stopped: z.optional(z.enum(["answered", "limit", "converged", "no_leads", "cap"])),
  /** Why the model could not be asked: the passages answer instead. */
  provider_error: z.optional(z.object({
    code: z.enum(["PROVIDER_FAILED", "PROVIDER_TIMEOUT", "PROVIDER_MISSING"]),
    message: z.string(),
    hint: z.optional(z.string()),
    retryable: z.boolean(),
  })),
  usage: z.object({
    model_calls: z.number(),
    tool_calls: z.number(),
    input_tokens: z.number(),
    output_tokens: z.number(),
    total_tokens: z.number(),
    estimated: z.boolean(),
  }),
  steps: z.optional(z.array(z.string())),
  trace_id: z.optional(z.string()),
});
/** The result of a question. */
export type Answer = z.output<typeof answer>;

/** A source in one line for people. */
export function describeSource(source: AnswerSource): string {
  const place = source.collection
    ? `${source.collection}: ${source.document}${source.section ? ` → "${source.section}"` : ""}`
    : [source.ts?.slice(0, 10), source.title, source.session].filter(Boolean).join(" · ");
  return [source.entry_id, place].filter(Boolean).join("  ");
}
