// Inputs that several commands and processes take, said once.

import { enabled, flag, integer, naming, optionalText, text, withDefault } from "./shape.ts";

/** One session, to look at: also by its title. */
export const oneSession = naming("S or title", text("A session id or title, or current.", 1));

export const anySession = naming(
  "S",
  withDefault(text("all, current or a session id.", 1), "all"),
);

export const sinceTime = optionalText("Only from this time on (2026-11-15, 7d, yesterday).");

/** A page of a list: how many rows of it, and how many before them. */
export function pageInputs(
  rows: string,
  usual = 20,
): Record<"limit" | "offset", ReturnType<typeof integer>> {
  return {
    limit: integer(`${rows} to show.`, { min: 1, max: 1000, default: usual }),
    offset: integer(`${rows} to skip.`, { min: 0, default: 0 }),
  };
}

/** How much of an entry or a message is shown. */
export const readingFormats = ["full", "stripped", "user_only", "outline"] as const;
export type ReadingFormat = typeof readingFormats[number];

export const ownCollections = enabled("Include your own collections (--no-global to exclude).");

/** Whether messages are counted as a model has them. */
export const byTurns = flag("Count an agent's thinking, text and calls as one message.");
