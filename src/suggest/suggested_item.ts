// The shape of one suggestion in the results of `suggest` and `poll`.

import { suggestionTypes } from "./signals/suggestion.ts";
import * as s from "../table/shape.ts";

/** The fields of a suggestion, as a schema's shape. */
export const suggestedItem = {
  type: s.oneOf(suggestionTypes),
  ...s.each(s.text(), "title", "summary", "entity_id", "reason"),
  relevance_score: s.number(),
  action: s.optional(s.text()),
};
