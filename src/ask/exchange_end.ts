// How the exchange of a row ended: the agent's last turn in it, and whether the user's next message
// rejects it. An attempt is not an answer when the outcome is known.

import type { Entry } from "../core/entry.ts";
import { type Exchange, toExchanges } from "../core/rows/exchanges.ts";
import { isRejection } from "../core/rows/rejection.ts";
import { typedWords } from "../core/voice/spans_of.ts";
import { getMessages } from "../read/session_messages.ts";
import type { Store } from "../store/store.ts";

export interface ExchangeEnd {
  /** The agent's last turn after the row; absent if there is none, or it no longer holds. */
  closing?: Entry;
  /** Whether the row is the agent's, and the user's next message rejects it. */
  isRejected: boolean;
}

/** Finds how the exchanges of some rows ended; rows outside sessions have no end. */
export async function readExchangeEnds(
  store: Store,
  rows: readonly Entry[],
): Promise<Map<Entry, ExchangeEnd>> {
  const ends = new Map<Entry, ExchangeEnd>();
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id ?? "");
  bySession.delete("");
  for (const [session, some] of bySession) {
    const messages = await getMessages(store, session).catch(() => []);
    const entries = messages.map(({ entry }) => entry);
    const exchanges = toExchanges(entries);
    for (const row of some) {
      const end = findEnd(row, { entries, exchanges });
      if (end !== undefined) ends.set(row, end);
    }
  }
  const closings = [...ends.values()].flatMap(({ closing }) => closing?.id ?? []);
  const found = store.find(closings);
  for (const end of ends.values()) {
    if (found.get(end.closing?.id ?? "")?.superseded_by !== undefined) delete end.closing;
  }
  return ends;
}

function findEnd(
  { id }: Entry,
  { entries, exchanges }: { entries: readonly Entry[]; exchanges: readonly Exchange[] },
): ExchangeEnd | undefined {
  const at = exchanges.findIndex((exchange) => rowsIn(exchange).some((row) => row?.id === id));
  // What a sub-agent did belongs to the exchange that it worked for.
  const own = exchanges.slice(0, at + 1).findLast(({ isSide }) => !isSide);
  if (own === undefined) return undefined;
  const said = own.turns.map(({ entry }) => entry).filter(({ role }) => role === "assistant");
  const closing = said.at(-1);
  const next = exchanges.slice(at + 1).find(({ isSide }) => !isSide)?.prompts[0];
  if (next !== undefined && isRejection(typedWords(next), closing?.text)) {
    return { isRejected: said.some((turn) => turn.id === id) };
  }
  const place = entries.findIndex((entry) => entry.id === id);
  const isLater = closing !== undefined && entries.indexOf(closing) > place;
  return { ...(isLater ? { closing } : {}), isRejected: false };
}

function rowsIn({ prompts, turns, runs }: Exchange): (Entry | undefined)[] {
  const steps = runs.flatMap(({ call, output }) => [call, output]);
  return [...prompts, ...turns.map(({ entry }) => entry), ...steps];
}
