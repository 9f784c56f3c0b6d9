// The trial of what context is worth: the sessions so far, and the looks at them. Looks are written
// when a session has ended, in the background; showing the trial writes nothing.

import type { Entry } from "../../core/entry.ts";
import type { Store } from "../../store/store.ts";
import {
  appendTrial,
  readTrial,
  type TrialCoin,
  type TrialLook,
  type Verdict,
} from "../../store/logs/trial_log.ts";
import {
  type Judgement,
  judgeSessions,
  looks,
  type TrialSession,
  verdictOf,
} from "./judge_trial.ts";
import { findCosts } from "./session_costs.ts";

export interface Trial {
  sessions: TrialSession[];
  looks: TrialLook[];
  verdict?: Verdict;
  /** What the sessions so far say; it ends the trial only at a look. */
  judgement?: Judgement;
}

/** Reads the trial of a store: sessions whose agent was heard from after the coin. */
export function readTrialState(store: Store): Trial {
  const rows = readTrial(store);
  const made = rows.filter((row) => row.event === "look");
  const sessions = measureSessions(store, rows.filter((row) => row.event === "coin"));
  const { verdict } = made.at(-1) ?? {};
  const judgement = judgeSessions(sessions);
  return {
    sessions,
    looks: made,
    ...(verdict === undefined ? {} : { verdict }),
    ...(judgement === undefined ? {} : { judgement }),
  };
}

/** Looks at the trial if there are enough sessions for the next look. */
export async function lookAtTrial(store: Store, nowMs: number): Promise<void> {
  const rows = readTrial(store);
  const made = rows.filter((row) => row.event === "look");
  const due = looks[made.length];
  const tossed = rows.length - made.length;
  if (made.at(-1)?.verdict !== undefined || due === undefined || tossed < due.sessions) return;
  const { sessions, judgement } = readTrialState(store);
  if (sessions.length < due.sessions || judgement === undefined) return;
  const verdict = verdictOf(judgement, made.length);
  await appendTrial(store, {
    ts: new Date(nowMs).toISOString(),
    event: "look",
    sessions: sessions.length,
    p: judgement.p,
    ...(verdict === undefined ? {} : { verdict }),
  });
}

function measureSessions(store: Store, coins: readonly TrialCoin[]): TrialSession[] {
  const keyOf = (agent: string, conversation: string): string => `${agent}\0${conversation}`;
  const rows = new Map<string, { coin: TrialCoin; entries: Entry[] }>();
  for (const coin of coins) {
    const key = keyOf(coin.agent, coin.conversation);
    if (!rows.has(key)) rows.set(key, { coin, entries: [] });
  }
  if (rows.size === 0) return [];
  for (const { entry } of store.entries()) {
    const { agent, conversation } = entry.source ?? {};
    if (agent === undefined || conversation === undefined) continue;
    const found = rows.get(keyOf(agent, conversation));
    if (found !== undefined && entry.ts >= found.coin.ts) found.entries.push(entry);
  }
  return [...rows.values()].flatMap(({ coin: { withheld }, entries }) => {
    const costs = findCosts(entries.sort((a, b) => a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0));
    return costs === undefined ? [] : { withheld, costs };
  });
}
