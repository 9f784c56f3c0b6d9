// The shapes of what agents are given, before and after they are given it.

import * as s from "../../command/shape.ts";

/** A line of a block, with what the store knows of it. */
export const previewLine = s.object({
  /** What it is about where that is no entry: a file, a commit, `pins.md`, `summary.md`, `session`. */
  ...s.each(s.optional(s.text()), "id", "subject"),
  ...s.each(s.text(), "kind", "text"),
  tokens: s.number(),
  pinned: s.boolean(),
  /** `freshness` where its code has changed; `because`: why it is among what is sent. */
  ...s.each(s.optional(s.text()), "ts", "age", "freshness", "because"),
  /** Derived from a session: `ctx review reject` keeps it from being sent. */
  derived: s.optional(s.boolean()),
});
export type PreviewLine = s.ValueOf<typeof previewLine>;

/** A line that was given; without a text where its entry is gone. */
const givenLine = s.object({ id: s.text(), text: s.optional(s.text()), tokens: s.number() });
export type GivenLine = s.ValueOf<typeof givenLine>;

/** One time that something was given. */
export const given = s.object({
  /** `by`: the agent, or `mcp` for what was asked for; `event`: the moment, or the command. */
  ...s.each(s.text(), "ts", "by", "event"),
  ...s.each(s.optional(s.text()), "reason", "conversation", "query"),
  ...s.each(s.optional(s.text()), "trace_id", "suggestion_id"),
  /** What it cost: counted when it was given by a hook, an estimate from its trace otherwise. */
  tokens: s.number(),
  lines: s.listOf(givenLine),
});
export type Given = s.ValueOf<typeof given>;
