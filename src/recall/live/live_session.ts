// The shape of a session that is at work, and of the files that it changed within the hour.

import * as s from "../../command/shape.ts";

const liveFile = s.object({
  /** Its lines as they were counted then, from 1: "3-9, 20". */
  ...s.each(s.text(), "path", "lines", "last"),
  /** The worktree, where it is not the workspace itself. */
  worktree: s.optional(s.text()),
});
export type LiveFile = s.ValueOf<typeof liveFile>;

export const liveSession = s.object({
  /** The agent's own id of it; when it was last heard of. */
  ...s.each(s.text(), "conversation", "agent", "title", "last"),
  /** Our id, once it has one. */
  id: s.optional(s.text()),
  /** The last one first. */
  files: s.listOf(liveFile),
});
export type LiveSession = s.ValueOf<typeof liveSession>;
