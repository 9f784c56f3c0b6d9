// The shape of one suggestion in the results of `suggest` and `poll`.

import { suggestionTypes } from "./signals/suggestion.ts";
import * as s from "../table/shape.ts";

/** The fields of a suggestion, as a schema's shape. */
export const suggestedItem = {
  type: s.oneOf(suggestionTypes),
  title: s.text(),
  summary: s.text(),
  relevance_score: s.number(),
  entity_id: s.text(),
  reason: s.text(),
  action: s.optional(s.text()),
};
