// Suggestions as they stand: what was suggested, whether somebody has seen it, and what came of it.
// Told from the two logs; nothing else is kept.

import type { Store } from "../../../store/store.ts";
import { fillItems } from "./deliveries.ts";
import type { DeliveredItem } from "../suggested_item.ts";
import { readSubscriptions } from "./subscription.ts";
import {
  judge,
  readJudged,
  type SuggestedEvent,
  type SuggestionState,
  type TriggerType,
  type Verdict,
} from "../suggestion_log.ts";

export interface ListedSuggestion {
  id: string;
  created_at: string;
  status: SuggestionState;
  session_id?: string;
  subscription_id?: string;
  trigger: { type: TriggerType; source: string };
  /** The item that was used, counted from 0. */
  used_item_index?: number;
  latency_ms: number;
  suggestions: ListedItem[];
}

/** An item with its number, as feedback takes it, and what was said of it. */
export interface ListedItem extends DeliveredItem {
  item: number;
  verdict?: Verdict;
}

export interface SuggestionFilter {
  status?: SuggestionState;
  session?: string;
  trigger?: TriggerType;
  since?: string;
  offset: number;
  limit: number;
}

/** The suggestions that a filter lets through, newest first, and how many there are. */
export function listSuggestions(
  store: Store,
  filter: SuggestionFilter,
): { total: number; suggestions: ListedSuggestion[] } {
  const found = readStates(store).filter(({ event, status }) =>
    (filter.status === undefined || status === filter.status) &&
    (filter.session === undefined || event.session_id === filter.session) &&
    (filter.trigger === undefined || event.trigger.type === filter.trigger) &&
    (filter.since === undefined || event.ts >= filter.since)
  ).reverse();
  const page = found.slice(filter.offset, filter.offset + filter.limit);
  return {
    total: found.length,
    suggestions: page.map(({ event, status, used, verdicts }) => {
      const { id, ts, session_id, subscription_id, trigger, latency_ms, items } = event;
      return {
        id,
        created_at: ts,
        status,
        ...(session_id === undefined ? {} : { session_id }),
        ...(subscription_id === undefined ? {} : { subscription_id }),
        trigger: { type: trigger.type, source: trigger.source },
        ...(used === undefined ? {} : { used_item_index: used }),
        latency_ms,
        suggestions: withNumbers(fillItems(store, items), { items, verdicts }),
      };
    }),
  };
}

/** Those that are left, with their numbers: items whose entry was forgotten keep theirs. */
function withNumbers(
  left: DeliveredItem[],
  { items, verdicts }: {
    items: SuggestedEvent["items"];
    verdicts: ReadonlyMap<number, Verdict>;
  },
): ListedItem[] {
  let at = 0;
  return left.map((row) => {
    while (items[at].entity_id !== row.entity_id) at++;
    const item = ++at;
    const verdict = verdicts.get(item);
    return { ...row, item, ...(verdict === undefined ? {} : { verdict }) };
  });
}

/** All suggestions in the order of the log, with what became of each. */
function readStates({ files, layout }: Store) {
  const subscriptions = readSubscriptions(files, layout);
  return readJudged(files, layout).map(({ event, cursor, verdicts }) => {
    const { status, used } = judge(event.items.length, verdicts);
    const served = subscriptions.get(event.subscription_id ?? "")?.cursor ?? cursor;
    const state: SuggestionState = status ?? (cursor > served ? "pending" : "shown");
    return { event, status: state, used, verdicts };
  });
}
