// Called when a prompt is given (`UserPromptSubmit`, Gemini's `BeforeAgent`): the agent's transcript may
// not have it yet, or not be there at all, so the words are held until a capture finds them there.
// On the way of every prompt: no import, no lock, nothing heavy.

import type { HookCall } from "./hook_call.ts";
import { logCapture } from "../../store/logs/capture_log.ts";
import { holdWords } from "../../store/logs/held_words.ts";
import type { Store } from "../../store/store.ts";

/**
 * Holds the prompt of a hook's message and notes that its session is live. Returns in words what was
 * done; throws what went wrong.
 */
export async function holdPrompt(
  { agent, event, conversation, prompt }: HookCall,
  { store, now }: { store: Store; now: number },
): Promise<string> {
  if (conversation === undefined) return "the message names no conversation";
  await logCapture(store, { event: "live", agent, hook: event || undefined, conversation, now });
  if (prompt === undefined) return "the message has no text";
  await holdWords(store, { agent, conversation, role: "user", text: prompt, now });
  return "the prompt is kept";
}
