// What a subscription asks for, as a shape in the results of `subscribe` and `subscriptions`.

import { deliveryWays, patternTypes } from "../../../core/row_kinds.ts";
import { toShellWord } from "../../../core/text.ts";
import * as s from "../../../command/shape.ts";

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

/** What an agent has to know of webhooks that the user has not allowed. */
export function noteWaiting(
  items: readonly { url?: string; approved?: boolean }[],
): { notes?: string[] } {
  const urls = new Set(items.flatMap(({ url, approved }) => approved === false ? url ?? [] : []));
  const notes = [...urls].map((url) =>
    `Nothing is sent to ${url} until the user allows it: ctx trust ${toShellWord(url)}`
  );
  return notes.length > 0 ? { notes } : {};
}
