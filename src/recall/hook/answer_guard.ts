// Answers a hook before a tool runs where the workspace has guards: whether the command or edit breaks a
// rule that the user made binding. What fails here, or takes long, never stops an agent. Where there are
// no guards, all that it costs is a look for their file.

import type { Context } from "../../command/command.ts";
import { diskFiles } from "../../disk/files.ts";
import { findWorkspace, type Layout, layoutOf } from "../../disk/layout.ts";
import type { Breach } from "../../guard/guard_kinds.ts";
import type { HookCall } from "./hook_call.ts";

/** What to print so that it does not happen or the user is asked; undefined where it may go on. */
export async function answerGuard(call: HookCall, context: Context): Promise<string | undefined> {
  const workspace = findWorkspace(context);
  if (workspace === undefined) return undefined;
  const layout = layoutOf(workspace);
  if (diskFiles.findSize(layout.guards) === undefined) return undefined;
  const { readGuards } = await import("../../guard/guard_file.ts");
  const { findBreaches } = await import("./check_call.ts");
  const { guards } = await readGuards(diskFiles, layout);
  const breaches = await findBreaches(guards, { call, workspace, context });
  if (breaches.length === 0) return undefined;
  return await answerBreaches(breaches, { call, layout, context });
}

async function answerBreaches(
  breaches: readonly Breach[],
  { call, layout, context }: { call: HookCall; layout: Layout; context: Context },
): Promise<string | undefined> {
  const [{ judgeBreaches }, words] = await Promise.all([
    import("./judge_breaches.ts"),
    import("../../guard/guard_words.ts"),
  ]);
  const binding = await judgeBreaches(breaches, { call, layout, context });
  if (binding.length === 0) return undefined;
  const mode = binding.some(({ guard }) => guard.mode === "deny") ? "deny" : "ask";
  const form = words.guardForm(call);
  return words.toGuardAnswer(form, { event: call.event, mode, words: words.guardWords(binding) });
}
