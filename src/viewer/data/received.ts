// The forms of what the page receives. Answers of commands have the types of the library; that one is
// an object at all, and everything around it, is looked at here.

import * as z from "zod/mini";

// The page's policy allows no code made from text, and trying would log an error in the browser.
z.config({ jitless: true });

/** The server that the page came from. */
export type Facts = z.infer<typeof facts>;

/** `page.json`. */
export const facts = z.object({
  workspace: z.string(),
  session: z.optional(z.string()),
  read_only: z.boolean(),
  version: z.string(),
});

/** The answer of a command. */
export const answer = z.looseObject({});

/** An error from the server; for commands that need confirmation, with what they would do. */
export const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.optional(z.string()),
  }),
  planned: z.optional(z.unknown()),
});

/** What of the store has changed, in an event. */
export const change = z.object({ changed: z.array(z.string()) });
