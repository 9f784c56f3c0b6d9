// The shapes of what is said about commits, for the commands that say it. Loads nothing of git.

import * as s from "../../command/shape.ts";

/** The kinds of lines, in the order of the text. */
export const noteKinds = ["asked", "decision", "dead_end", "open"] as const;
export type NoteKind = typeof noteKinds[number];

/** One line, in the words of an entry. */
const note = s.object({
  kind: s.oneOf(noteKinds),
  /** `at` is the message of the session that shows it. */
  ...s.each(s.text(), "id", "ts", "session_id", "at", "text"),
  /** The commits that it belongs to, the oldest first. */
  commits: s.listOf(s.text()),
  /** What took its place, or which files of its commit it is about. */
  because: s.optional(s.text()),
});
export type Note = s.ValueOf<typeof note>;

/** What reviewers of some commits should know. */
export const pullRequest = {
  /** `title` is what the only commit calls itself, or the range; `because` why there is nothing. */
  ...s.each(s.optional(s.text()), "base", "base_commit", "head", "title", "because"),
  /** Commits without merges; how many come from no session; lines that had no place in the text. */
  ...s.each(s.number(), "commits", "unattributed", "merges", "left_out"),
  sessions: s.listOf(s.object({
    id: s.text(),
    agent: s.optional(s.text()),
    commits: s.listOf(s.text()),
  })),
  results: s.listOf(note),
  notes: s.optional(s.listOf(s.text())),
  /** The Markdown, or the page. */
  text: s.text(),
};
export type PullRequest = s.ObjectOf<typeof pullRequest>;

/** A commit, a pull request or a branch, and who wrote it. */
const knownChange = s.object({
  kind: s.oneOf(["branch", "pull_request", "commit"]),
  /** The branch, `#12`, or the start of the commit's hash. */
  ...s.each(s.text(), "name", "commit", "subject", "author", "ts"),
  /** What `ctx pr` takes for it; none for the first commit, which there is nothing to compare with. */
  range: s.optional(s.text()),
  /** How many commits it has; of branches and pull requests not more than are looked at. */
  commits: s.number(),
  /** The sessions that wrote it; none is known where it is empty. */
  sessions: s.listOf(s.object({ ...s.each(s.text(), "id", "title"), agent: s.optional(s.text()) })),
});
export type KnownChange = s.ValueOf<typeof knownChange>;

/** What there is to describe, or why there is nothing to look at. */
export const listedChanges = {
  changes: s.listOf(knownChange),
  because: s.optional(s.text()),
};
export type ListedChanges = s.ObjectOf<typeof listedChanges>;

const sessionCommit = s.object({
  ...s.each(s.text(), "commit", "subject"),
  /** When it was written, unknown outside of the history of HEAD; the message that tells of it. */
  ...s.each(s.optional(s.text()), "ts", "id"),
  /** Its files that the session wrote, from the repository's root. */
  files: s.listOf(s.text()),
  on_head: s.boolean(),
});
export type SessionCommit = s.ValueOf<typeof sessionCommit>;

const sessionPull = s.object({
  number: s.number(),
  /** The message that it was opened by, or the commit that names it. */
  ...s.each(s.optional(s.text()), "url", "id", "commit"),
});
export type SessionPull = s.ValueOf<typeof sessionPull>;

/** What came out of a session; `because` says why the history was not looked at. */
export const outcomeOfSession = {
  commits: s.listOf(sessionCommit),
  pulls: s.listOf(sessionPull),
  because: s.optional(s.text()),
};
export type SessionCommits = s.ObjectOf<typeof outcomeOfSession>;
