// The shape of an answer of `ctx why`, without what it takes to find one.

import * as s from "../../command/shape.ts";

/** Words of a session. */
const said = s.object(s.each(s.text(), "id", "ts", "text"));
export type Said = s.ValueOf<typeof said>;

/** The matching lines of a file, or the commit. */
const evidence = s.object({
  kind: s.oneOf(["lines", "commit"]),
  ...s.each(s.optional(s.text()), "path", "id"),
  ...s.each(s.optional(s.number()), "added", "removed"),
});
export type Evidence = s.ValueOf<typeof evidence>;

/** Whose some lines or a commit are. */
export const whyRow = s.object({
  /** `lines` as `12` or `12-18,20`. */
  ...s.each(s.optional(s.text()), "path", "lines", "commit", "subject", "author", "committed"),
  /** `id` is the entry with the edit, `ts` when it was. */
  ...s.each(s.optional(s.text()), "session_id", "title", "agent", "id", "ts"),
  /** Known by the lines themselves, or by their commit. */
  by: s.optional(s.oneOf(["line", "commit"])),
  confidence: s.number(),
  /** There is no such file or commit. */
  missing: s.optional(s.boolean()),
  /** `note`: where the history ends, what git is in the middle of. */
  ...s.each(s.optional(s.text()), "because", "hint", "note"),
  prompt: s.optional(said),
  /** What was asked before its other edits, where that is something else. */
  other_prompts: s.optional(s.listOf(said)),
  decisions: s.listOf(said),
  evidence: s.listOf(evidence),
  others: s.listOf(s.object({ session_id: s.text(), lines: s.number() })),
});
export type WhyAnswer = s.ValueOf<typeof whyRow>;
