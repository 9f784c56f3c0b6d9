// What a subscription asks for, as a shape in the results of `subscribe` and `subscriptions`.

import { deliveryWays, patternTypes } from "./subscription.ts";
import * as s from "../../table/shape.ts";

/** The terms of a subscription, as a schema's shape. */
export const subscriptionTerms = {
  patterns: s.listOf(s.object({
    type: s.oneOf(patternTypes),
    pattern: s.text(),
    priority: s.optional(s.number()),
  })),
  via: s.oneOf(deliveryWays),
  url: s.optional(s.text()),
  ...s.each(s.number(), "min_score", "max", "cooldown_ms"),
};
