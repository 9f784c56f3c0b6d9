// Called when a prompt is given (`UserPromptSubmit`, Gemini's `BeforeAgent`): the agent's transcript may
// not have it yet, or not be there at all, so the words are held until a capture finds them there.
// On the way of every prompt: no import, no lock, nothing heavy.

import type { HookCall } from "../../recall/hook/hook_call.ts";
import { diskFiles } from "../../disk/files.ts";
import { findWorkspace, layoutOf, refuseLinks } from "../../disk/layout.ts";
import { logCapture } from "../../store/logs/capture_log.ts";
import { holdWords } from "../../store/logs/held_words.ts";
import { refuseNewer } from "../../store/state.ts";

/**
 * Holds the prompt of a hook's message and notes that its session is live. Returns in words what was
 * done; throws what went wrong. `cwd` counts where the message names no directory.
 */
export function holdPrompt(call: HookCall, cwd: string): string {
  const { agent, event, conversation, prompt, cwd: said } = call;
  const workspace = findWorkspace({ cwd: said ?? cwd });
  if (workspace === undefined) return `no store in ${said ?? cwd} or above`;
  if (conversation === undefined) return "the message names no conversation";
  const store = { files: diskFiles, layout: layoutOf(workspace) };
  refuseLinks(store.layout);
  refuseNewer(store.files, store.layout);
  const now = Date.now();
  logCapture(store, { event: "live", agent, hook: event || undefined, conversation, now });
  if (prompt === undefined) return "no words in the message";
  holdWords(store, { agent, conversation, role: "user", text: prompt, now });
  return "the words are held";
}
