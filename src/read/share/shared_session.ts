// A session as it is handed on: its head, its messages with the outputs of their calls, and the
// sessions it started. Everything in it went through `toShared`.

import { outlineSession } from "../overview/outline_session.ts";
import type { SessionAt } from "../overview/session_places.ts";
import { getMessages } from "../session_messages.ts";
import type { Entry } from "../../core/entry.ts";
import { shareEntry, toShared } from "./shared_text.ts";

/** A message, what its calls gave back, and the sessions that it started. */
export interface SharedMessage {
  number: number;
  entry: Entry;
  outputs: Entry[];
  agents: SharedSession[];
}

export interface SharedSession {
  id: string;
  title: string;
  /** What is known of it, as pairs of name and value. */
  facts: [string, string][];
  messages: SharedMessage[];
  /** The sessions it started, where it is not known which message did. */
  agents: SharedSession[];
}

/** Reads a session and those it started; throws NOT_FOUND when there is none. */
export async function readShared(
  at: SessionAt,
  { home, told = new Set() }: { home?: string; told?: Set<string> },
): Promise<SharedSession> {
  told.add(at.id);
  const outline = await outlineSession(at, 100);
  const { title, source, project, branch, models, started, ended, total } = outline;
  const facts: [string, string | undefined][] = [
    ["project", project],
    ["agent", source],
    ["model", models.join(", ")],
    ["branch", branch],
    ["from", started],
    ["to", ended],
    ["messages", String(total)],
    ["session", at.id],
  ];
  const messages = withOutputs(
    (await getMessages(at.view, at.id))
      .map(({ number, entry }) => ({ number, entry: shareEntry(entry, home) })),
  );
  const agents: SharedSession[] = [];
  for (const agent of outline.agents) {
    // Whoever wrote the log may have two sessions start each other.
    if (agent.message_count === 0 || told.has(agent.session_id)) continue;
    const session = await readShared({ ...at, id: agent.session_id }, { home, told });
    const starter = messages.find(({ number }) => number === agent.at);
    (starter?.agents ?? agents).push(session);
  }
  return {
    ...toShared({ title }, home),
    id: at.id,
    facts: toShared(
      facts.flatMap(([name, value]): [string, string][] => value ? [[name, value]] : []),
      home,
    ),
    messages,
    agents,
  };
}

function withOutputs(messages: readonly { number: number; entry: Entry }[]): SharedMessage[] {
  const calls = new Map<unknown, SharedMessage>();
  const found: SharedMessage[] = [];
  for (const { number, entry } of messages) {
    const id = entry.tool?.call_id;
    const call = entry.type === "tool_output" && id !== undefined ? calls.get(id) : undefined;
    if (call !== undefined) {
      call.outputs.push(entry);
      continue;
    }
    const message = { number, entry, outputs: [], agents: [] };
    if (entry.type === "tool_call" && id !== undefined) calls.set(id, message);
    found.push(message);
  }
  return found;
}

/** How many entries it has, with those of the sessions that it started. */
export function countShared({ messages, agents }: SharedSession): number {
  const own = messages.reduce((sum, { outputs }) => sum + 1 + outputs.length, 0);
  const started = [...messages.flatMap((message) => message.agents), ...agents];
  return started.reduce((sum, session) => sum + countShared(session), own);
}
