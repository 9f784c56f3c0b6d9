// The sessions of other agents by their own ids of them, also of those that no transcript has told of
// yet: such a session is written down when something joins it first, and the import that finds its
// transcript goes on in it.

import { makeId } from "../core/id.ts";
import { findLiveConversation, readCaptures } from "./logs/capture_log.ts";
import type { SessionEvent, SessionMeta } from "./logs/session_log.ts";
import type { Store } from "./store.ts";

/** A conversation of an agent, and since when it is known. */
export interface AgentConversation {
  agent: string;
  conversation: string;
  ts: string;
}

/** The sessions of an agent by its own ids. */
export function findAgentSessions(store: Store, agent: string): Map<string, SessionMeta> {
  const found = new Map<string, SessionMeta>();
  for (const meta of store.readSessions().values()) {
    if (meta.source === agent && typeof meta.conversation === "string") {
      found.set(meta.conversation, meta);
    }
  }
  return found;
}

/** The event that makes a session of a conversation; without entries it shows in no list. */
export function toSessionEvent({ agent, conversation, ts }: AgentConversation): SessionEvent {
  const session_id = makeId("S", Date.parse(ts) || 0, `${agent}\0${conversation}`);
  return { event: "imported", session_id, ts, source: agent, conversation };
}

/**
 * The session of the agent behind an MCP client, so that what it saves joins what it is doing: of the
 * conversation that its hooks told of last, if one is live. Clients never get each other's.
 */
export async function joinLiveSession(
  store: Store,
  { client, now }: { client: string; now: number },
): Promise<string | undefined> {
  const agent = agentOf(client);
  if (agent === undefined) return undefined;
  const live = findLiveConversation(readCaptures(store), { agent, now });
  if (live === undefined) return undefined;
  const { conversation, since: ts } = live;
  const known = findAgentSessions(store, agent).get(conversation);
  if (known !== undefined) return known.session_id;
  const event = toSessionEvent({ agent, conversation, ts });
  await store.write("session start", (writer) => writer.appendSessionEvents([event]));
  return event.session_id;
}

/** The agent that a client's name in the protocol stands for. */
function agentOf(client: string): string | undefined {
  return Object.entries(clients).find(([, pattern]) => pattern.test(client))?.[0];
}

const clients: Record<string, RegExp> = {
  "claude-code": /^claude[-_ ]?code\b/i,
  codex: /^codex\b/i,
  opencode: /^opencode\b/i,
  gemini: /^gemini\b/i,
  cursor: /^cursor\b/i,
  qwen: /^qwen\b/i,
};
