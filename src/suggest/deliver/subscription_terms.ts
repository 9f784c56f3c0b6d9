// What a subscription asks for, as a shape in the results of `subscribe` and `subscriptions`.

import * as z from "zod/mini";
import { deliveryWays, patternTypes } from "./subscription.ts";

/** The terms of a subscription, as a schema's shape. */
export const subscriptionTerms = {
  patterns: z.array(z.object({ type: z.enum(patternTypes), pattern: z.string() })),
  via: z.enum(deliveryWays),
  url: z.optional(z.string()),
  min_score: z.number(),
  max: z.number(),
  cooldown_ms: z.number(),
};
