// When ctx last heard from each agent, for the page: by its hooks, which say that it is connected, and by
// the sessions that were imported of it.

import type { Context } from "../../command/command.ts";
import { compareText } from "../../core/text.ts";
import { captureStates, readCaptures } from "../../store/logs/capture_log.ts";
import { readSessionList } from "../session_list.ts";

/** An agent, and when it was heard of. */
export interface HeardAgent {
  agent: string;
  /** When a hook of it was called last; it is not connected by hooks where there is none. */
  heard?: string;
  /** When its last session ended. */
  last_session?: string;
  /** What went wrong the last time, unless it went well since. */
  problem?: string;
}

/** The agents of a store, those heard of last first. */
export async function readHeard(context: Context): Promise<{ agents: HeardAgent[] }> {
  const store = await context.openStore();
  const agents = new Map<string, HeardAgent>();
  for (const { source: agent, ended } of readSessionList(store)) {
    if (agent !== undefined && !agents.has(agent)) {
      agents.set(agent, { agent, last_session: ended });
    }
  }
  for (const { agent, heard, failure } of captureStates(readCaptures(store))) {
    const problem = failure === undefined ? {} : { problem: failure.problem ?? "a hook failed" };
    agents.set(agent, { ...agents.get(agent), agent, heard, ...problem });
  }
  return { agents: [...agents.values()].toSorted((a, b) => compareText(lastOf(b), lastOf(a))) };
}

function lastOf({ heard = "", last_session = "" }: HeardAgent): string {
  return heard > last_session ? heard : last_session;
}
