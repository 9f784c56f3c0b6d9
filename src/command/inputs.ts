// Inputs that several commands and processes take, said once.

import { enabled, flag, naming, text, withDefault } from "./shape.ts";

/** One session, to look at: also by its title. */
export const oneSession = naming("S or title", text("A session's id or title, or current.", 1));

/** One session or all of them. */
export const anySession = naming(
  "S",
  withDefault(text("all, current or a session's id.", 1), "all"),
);

/** How much of an entry or a message is shown. */
export const readingFormats = ["full", "stripped", "user_only", "outline"] as const;
/** One of `readingFormats`. */
export type ReadingFormat = typeof readingFormats[number];

/** Whether the user's own collections count. */
export const ownCollections = enabled("Your own collections too; --no-global leaves them out.");

/** Whether messages are counted as a model has them. */
export const byTurns = flag("Count what an agent thought, said and called at once as one message.");
