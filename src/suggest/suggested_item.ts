// The shape of one suggestion in the results of `suggest` and `poll`.

import * as z from "zod/mini";
import { suggestionTypes } from "./signals/suggestion.ts";

/** The fields of a suggestion, as a schema's shape. */
export const suggestedItem = {
  type: z.enum(suggestionTypes),
  title: z.string(),
  summary: z.string(),
  relevance_score: z.number(),
  entity_id: z.string(),
  reason: z.string(),
  action: z.optional(z.string()),
};
