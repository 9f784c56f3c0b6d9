// The shapes of what people are shown of records: lines to review, rules, sentences of a summary.

import * as s from "../../command/shape.ts";

/** A line to say yes or no to. */
export const reviewLine = s.object({
  /** `id` is the newest record that says it. */
  ...s.each(s.text(), "id", "ts", "type", "text"),
  /** Why it may be worth remembering; the entries that it comes from. */
  ...s.each(s.listOf(s.text()), "why", "evidence"),
  /** In how many sessions it was said. */
  sessions: s.number(),
  ...s.each(s.optional(s.text()), "session_id", "project"),
  files: s.optional(s.listOf(s.text())),
});
export type ReviewLine = s.ValueOf<typeof reviewLine>;

/** A demand that lasts, with where it was said. */
export const rule = s.object({
  /** The newest record of it: forgetting that forgets what it says; when and how it was last said. */
  ...s.each(s.text(), "id", "ts", "text"),
  kind: s.oneOf(["instruction", "correction", "preference", "saved"]),
  /** In how many sessions it was said. */
  sessions: s.number(),
  first: s.text(),
  /** The prompts that say it, newest first; what else it was called. */
  ...s.each(s.listOf(s.text()), "evidence", "also"),
  /** What took its place, and the agent that saved it, where that was not the user. */
  ...s.each(s.optional(s.text()), "project", "superseded_by", "saved_by"),
});
export type Rule = s.ValueOf<typeof rule>;

/** What an item tells, in the order in which a session tells it. */
export const summaryKinds = ["asked", "decided", "done", "fixed", "open"] as const;

/** One sentence or two of a summary. */
export const summaryItem = s.object({
  /** The record that it is from, and the local day on which it happened. */
  ...s.each(s.text(), "id", "day", "ts", "text"),
  session_id: s.optional(s.text()),
  kind: s.oneOf(summaryKinds),
  /** The entries that it rests on. */
  refs: s.listOf(s.text()),
  superseded_by: s.optional(s.text()),
});
export type SummaryItem = s.ValueOf<typeof summaryItem>;
