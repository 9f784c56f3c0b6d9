// The agent as author: who did the work knows best what it came to. Where the user agreed
// (`distil.ask_agent`), an agent that ends a turn after real work is asked once per session, in few
// words, to save what a later session needs. Not before a compaction: no agent's hook can ask there.

import type { Config } from "../../config/merged_config.ts";
import { countTokens } from "../../core/tokens.ts";
import { toNeedles } from "../../store/find.ts";
import { appendInjection } from "../../store/logs/injection_log.ts";
import type { Store } from "../../store/store.ts";
import { isPrompt } from "../../core/rows/exchanges.ts";

/** Who is asked, as its hook says. */
export interface AuthorCall {
  agent: string;
  /** The agent's own name of the event. */
  event: string;
  conversation?: string;
}

/** What is asked; at most 120 tokens. */
export const authorText =
  "ctx: before you continue, save what a later session needs with save_memory, one short entry each, " +
  "at most five. type: decision (chosen, why, rejected), outcome (done, final values, tests), " +
  "fix (symptom, cause, remedy), preference (what the user asked for) or open (left to do). " +
  "Use words that a later question would use; name files and commands. Only what is certain; " +
  "if there is nothing, save nothing.";

/**
 * What to print so that the agent takes the text as its next task; undefined where its hook cannot
 * ask: only at the end of a turn, and not in every agent.
 */
export function toAuthorAnswer({ agent, event }: AuthorCall, text: string): string | undefined {
  const decision = event === "Stop" && ["claude-code", "codex", "qwen"].includes(agent)
    ? "block"
    : event === "AfterAgent" && agent === "gemini"
    ? "deny"
    : undefined;
  return decision && JSON.stringify({ decision, reason: text }) + "\n";
}

/** The mark of such rows in the log of what agents were given. */
export const authorReason = "author";

/** What the hook prints to ask the agent, noted as given; undefined when it is not to be asked. */
export async function authorRequest(
  store: Store,
  call: AuthorCall,
  { config, nowMs }: { config: Config; nowMs: number },
): Promise<string | undefined> {
  const answer = toAuthorAnswer(call, authorText);
  if (!config.get("distil.ask_agent") || call.conversation === undefined) return undefined;
  if (answer === undefined) return undefined;
  const session = findSession(store, call);
  if (session === undefined || session.isAsked || !hasWork(store, session.id)) return undefined;
  const ts = new Date(nowMs).toISOString();
  await store.write(
    "hook",
    (writer) =>
      writer.appendSessionEvents([{ event: "asked", session_id: session.id, ts, asked: ts }]),
  );
  await appendInjection(store, {
    ts,
    agent: call.agent,
    conversation: call.conversation,
    event: call.event,
    reason: authorReason,
    lines: [],
    tokens: countTokens(authorText),
  });
  return answer;
}

function findSession(
  store: Store,
  { agent, conversation }: AuthorCall,
): { id: string; isAsked: boolean } | undefined {
  for (const meta of store.readSessions().values()) {
    if (meta.source !== agent || meta.conversation !== conversation) continue;
    return { id: meta.session_id, isAsked: typeof meta.asked === "string" };
  }
  return undefined;
}

/** Whether something was done that is worth a note: files changed, or a longer talk. */
function hasWork(store: Store, sessionId: string): boolean {
  let prompts = 0;
  let edits = 0;
  for (const { entry } of store.entries({ needles: toNeedles([sessionId]) })) {
    if (entry.session_id !== sessionId) continue;
    if (isPrompt(entry)) prompts++;
    if (entry.type === "tool_call" && entry.tool?.effect === "edit") edits++;
  }
  return (edits > 0 && prompts >= minPrompts.withEdits) || prompts >= minPrompts.withoutEdits;
}

const minPrompts = { withEdits: 2, withoutEdits: 5 };
