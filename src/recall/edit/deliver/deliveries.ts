// What a subscription has to be told, read from the one log by cursor. Polling, SSE and webhooks all
// read through here, so that they cannot disagree.

import { authorOf } from "../../../core/entry.ts";
import { firstLine, toLine } from "../../../core/text.ts";
import type { Store } from "../../../store/store.ts";
import { type DeliveredItem, type Delivery, entryUrl } from "../suggested_item.ts";
import type { Subscription } from "./subscription.ts";
import { describeEntry } from "../signals/describe_entry.ts";
import { type LoggedItem, readSuggestionEvents } from "../suggestion_log.ts";

/** The deliveries after a cursor, oldest first. */
export function readDeliveries(
  store: Store,
  subscription: Pick<Subscription, "id">,
  options: { from: number; limit: number },
): Delivery[] {
  const deliveries: Delivery[] = [];
  const needles = [JSON.stringify(subscription.id)];
  const events = readSuggestionEvents(store.files, store.layout, { from: options.from, needles });
  for (const { event, cursor } of events) {
    if (event.event !== "suggested" || event.subscription_id !== subscription.id) continue;
    const suggestions = fillItems(store, event.items);
    const { id, ts, session_id, trigger } = event;
    deliveries.push({
      id,
      ts,
      created_at: ts,
      ...(session_id === undefined ? {} : { session_id }),
      subscription_id: subscription.id,
      cursor,
      trigger,
      suggestions,
    });
    if (deliveries.length === options.limit) break;
  }
  return deliveries;
}

/** Items with their words; those whose entry was forgotten since are left out. */
export function fillItems(store: Store, items: LoggedItem[]): DeliveredItem[] {
  const missing = items.filter((item) => item.summary === undefined).map((item) => item.entity_id);
  const found = missing.length > 0 ? store.find(missing) : new Map<string, never>();
  return items.flatMap((item): DeliveredItem[] => {
    const { type, entity_id, relevance_score, reason, title, summary, action } = item;
    const rest = { relevance_score, entity_id, reason };
    if (title !== undefined && summary !== undefined) {
      return [{ type, title, summary, ...rest, ...(action ? { action } : {}) }];
    }
    const hit = found.get(entity_id);
    const row = hit?.forgotten ? undefined : hit?.row;
    if (row === undefined) return [];
    const { entry } = row;
    const described = title === undefined ? describeEntry(entry, authorOf(row)) : undefined;
    return [{
      type,
      title: title ?? described?.title ?? entry.title ?? firstLine(entry.text, 80),
      summary: described?.summary ?? toLine(entry.text, 160),
      ...rest,
      action: action ?? `ctx get ${entity_id}`,
      action_url: entryUrl(entity_id),
    }];
  });
}
