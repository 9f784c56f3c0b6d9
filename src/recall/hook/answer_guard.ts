// Answers a hook before a tool runs where the workspace has guards: whether the command or edit breaks a
// rule that the user made binding. What fails here, or takes long, never stops an agent. Where there are
// no guards, all that it costs is a look for their file.

import type { Context } from "../../command/command.ts";
import { CtxError } from "../../core/errors.ts";
import { diskFiles } from "../../disk/files.ts";
import { findWorkspace, type Layout, layoutOf } from "../../disk/layout.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import type { HookCall } from "./hook_call.ts";

/** What to print so that it does not happen or the user is asked; undefined where it may go on. */
export async function answerGuard(call: HookCall, context: Context): Promise<string | undefined> {
  const workspace = findWorkspace(context);
  if (workspace === undefined) return undefined;
  const layout = layoutOf(workspace);
  if (diskFiles.findSize(layout.guards) === undefined) return undefined;
  const { readHolding } = await import("../../guard/guard_file.ts");
  const { findBreaches } = await import("./check_call.ts");
  let guards: Guard[];
  let fault: string | undefined;
  try {
    ({ guards, fault } = await readHolding(diskFiles, layout, context.env));
  } catch (error) {
    return await answerBroken(call, error);
  }
  const breaches = await findBreaches(guards, { call, workspace, context });
  const answer = breaches.length === 0
    ? undefined
    : await answerBreaches(breaches, { call, layout, context, fault });
  if (answer !== undefined || fault === undefined) return answer;
  return (await import("../../guard/guard_words.ts")).toBrokenAnswer(call, fault);
}

/** Tells the user that no guard holds; the agent goes on. */
async function answerBroken(call: HookCall, error: unknown): Promise<string | undefined> {
  const { toBrokenAnswer } = await import("../../guard/guard_words.ts");
  const answer = error instanceof CtxError ? toBrokenAnswer(call, error.message) : undefined;
  if (answer === undefined) throw error;
  return answer;
}

async function answerBreaches(
  breaches: readonly Breach[],
  { call, layout, context, fault }: {
    call: HookCall;
    layout: Layout;
    context: Context;
    fault?: string;
  },
): Promise<string | undefined> {
  const [{ judgeBreaches }, words] = await Promise.all([
    import("./judge_breaches.ts"),
    import("../../guard/guard_words.ts"),
  ]);
  const binding = await judgeBreaches(breaches, { call, layout, context });
  if (binding.length === 0) return undefined;
  const mode = binding.some(({ guard }) => guard.mode === "deny") ? "deny" : "ask";
  const form = words.guardForm(call);
  const said = [
    words.guardWords(binding),
    ...(fault === undefined ? [] : [words.brokenWords(fault)]),
  ];
  return words.toGuardAnswer(form, { event: call.event, mode, words: said.join("\n") });
}
