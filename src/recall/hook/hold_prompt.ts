// Called when a prompt is given (`UserPromptSubmit`, Gemini's `BeforeAgent`): the agent's transcript may
// not have it yet, or not be there at all, so the words are held until a capture finds them there.
// On the way of every prompt: no import, no lock, nothing heavy.

import type { HookCall } from "./hook_call.ts";
import { diskFiles } from "../../disk/files.ts";
import { layoutOf, refuseLinks } from "../../disk/layout.ts";
import { logCapture } from "../../store/logs/capture_log.ts";
import { holdWords } from "../../store/logs/held_words.ts";
import { refuseNewer } from "../../store/state.ts";

/**
 * Holds the prompt of a hook's message and notes that its session is live. Returns in words what was
 * done; throws what went wrong.
 */
export function holdPrompt(
  { agent, event, conversation, prompt }: HookCall,
  { workspace, now }: { workspace: string; now: number },
): string {
  if (conversation === undefined) return "the message names no conversation";
  const store = { files: diskFiles, layout: layoutOf(workspace) };
  refuseLinks(store.layout);
  refuseNewer(store.files, store.layout);
  logCapture(store, { event: "live", agent, hook: event || undefined, conversation, now });
  if (prompt === undefined) return "the message has no text";
  holdWords(store, { agent, conversation, role: "user", text: prompt, now });
  return "the prompt is kept";
}
