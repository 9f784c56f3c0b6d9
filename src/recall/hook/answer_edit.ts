// Answers the hook before an edit: what the replaced lines were decided for, and a few lines about the
// file. Apart from the other moments: it runs before every edit and loads nothing of theirs.

import type { Context } from "../../command/command.ts";
import { toFields } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import { agentOfTranscript, findCommand, findHookSubject } from "../edit/hook_edit.ts";
import { answerPreEdit } from "../edit/pre_edit.ts";
import { readSuggestSettings } from "../edit/suggest_settings.ts";
import { warnEdit } from "../live/warn_edit.ts";
import { toHookAnswer } from "./hook_answer.ts";
import { compactionMark, type HookCall } from "./hook_call.ts";

/** What to print; undefined when there is nothing to say. */
export async function answerEdit(
  call: HookCall,
  context: Context,
  maxTokens: number,
): Promise<string | undefined> {
  // Codex tells of every command: most show no file and change none.
  const hasSubject = findHookSubject(call.message) !== undefined;
  if (!hasSubject) {
    const { mayChangeFiles } = await import("../live/shell_edits.ts");
    if (!mayChangeFiles(findCommand(call.message) ?? "")) return undefined;
  }
  const store = await context.openStore();
  const config = await context.readConfig();
  const settings = readSuggestSettings(config);
  if (!settings.enabled) return undefined;
  const { refusal, note = "" } = settings.collisions
    ? await warnEdit(call, { store, context })
    : {};
  if (refusal !== undefined || !takesContext(call)) return refusal;
  const noteOnly = (): string | undefined => note === "" ? undefined : toHookAnswer(call, note);
  if (!hasSubject) return noteOnly();
  const every = config.get("inject.trial");
  if (every > 0) {
    const { isWithheld } = await import("./toss_coin.ts");
    if (await isWithheld(call, context, { every, tosses: false })) return noteOnly();
  }
  const { text: hints } = await answerPreEdit(call.message, {
    store,
    now: context.now,
    random: context.seed,
    cwd: context.cwd,
    settings,
    maxTokens,
    async cite(edited) {
      const { citeLines } = await import("../../code/why/cite_lines.ts");
      return await citeLines(store, { ...edited, nowMs: context.now() });
    },
  });
  const text = note + hints;
  const { conversation } = call;
  const isMarked = conversation !== undefined &&
    store.files.findSize(compactionMark(store.layout.held, conversation)) !== undefined;
  if (isMarked) return await answerLost(call, { context, store, text });
  return text === "" ? undefined : toHookAnswer(call, text);
}

/** Whether an agent takes context at this moment: Gemini and Qwen Code take none before a tool. */
function takesContext({ event, transcript }: HookCall): boolean {
  return event !== "BeforeTool" &&
    (event !== "PreToolUse" || agentOfTranscript(transcript) !== "qwen");
}

/** The same after what a summary lacks; a sub-agent has lost nothing. */
async function answerLost(
  call: HookCall,
  { context, store, text }: { context: Context; store: Store; text: string },
): Promise<string | undefined> {
  const isSide = toFields(call.message).agent_id !== undefined;
  const { takeCompactBlock } = await import("./compact_block.ts");
  const lost = isSide ? undefined : await takeCompactBlock(call, context);
  if (lost === undefined || lost.block.text === "") {
    return text === "" ? undefined : toHookAnswer(call, text);
  }
  const { giveBlock } = await import("./give_block.ts");
  const block = { ...lost.block, text: lost.block.text + text };
  return await giveBlock(store, { ...call, agent: lost.agent }, { block, nowMs: context.now() });
}
