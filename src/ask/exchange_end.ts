// How the exchange of a row ended: the agent's last turn in it, and whether the user's next message
// rejects it. An attempt is not an answer when the outcome is known.

import type { Entry } from "../core/entry.ts";
import { rejection } from "../core/rows/rejection.ts";
import { typedWords } from "../core/voice/spans_of.ts";
import { getMessages } from "../read/session_messages.ts";
import type { Store } from "../store/store.ts";

/** The end of an exchange. */
export interface ExchangeEnd {
  /** The agent's last turn after the row; absent if there is none, or the user rejected it. */
  closing?: Entry;
  /** Whether the row is the agent's, and the user's next message rejects it. */
  isRejected: boolean;
}

/** Finds how the exchanges of some rows ended, by the rows' ids; rows outside sessions have none. */
export async function readExchangeEnds(
  store: Store,
  rows: readonly Entry[],
): Promise<Map<string, ExchangeEnd>> {
  const ends = new Map<string, ExchangeEnd>();
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id ?? "");
  bySession.delete("");
  for (const [session, some] of bySession) {
    const messages = await getMessages(store, session).catch(() => []);
    const entries = messages.map(({ entry }) => entry);
    for (const row of some) {
      const at = entries.findIndex(({ id }) => id === row.id);
      if (at >= 0) ends.set(row.id, endOf(entries, at));
    }
  }
  return ends;
}

function endOf(entries: readonly Entry[], at: number): ExchangeEnd {
  const rest = entries.slice(at + 1);
  const next = rest.findIndex(isPrompt);
  const closing = (next < 0 ? rest : rest.slice(0, next)).findLast(isAgentTurn);
  if (next >= 0 && rejection.test(typedWords(rest[next]))) {
    return { isRejected: isAgentTurn(entries[at]) };
  }
  return { ...(closing === undefined ? {} : { closing }), isRejected: false };
}

function isPrompt({ role, type, sidechain }: Entry): boolean {
  return role === "user" && type === "turn" && sidechain !== true;
}

function isAgentTurn({ role, type, sidechain }: Entry): boolean {
  return role === "assistant" && type === "turn" && sidechain !== true;
}
