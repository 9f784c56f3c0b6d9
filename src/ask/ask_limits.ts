// What limits a question, as `ask`, `chat` and `mcp agent` take it.

import { ownCollections } from "../command/inputs.ts";
import { list, type ObjectOf, optionalText, text, withDefault } from "../command/shape.ts";

/** The fields, the same on every surface. */
export const askLimits = {
  collections: list("Only documents of this collection."),
  session: withDefault(text("Only this session: all, current or an id.", 1), "all"),
  project: optionalText("Only this project."),
  global: ownCollections,
  model: optionalText("Use this model instead of the configured one."),
};

/** The values given for `askLimits`. */
export type AskLimits = ObjectOf<typeof askLimits>;
