// Which of the guards that were broken bind here and now: approved by the user, and not let pass by them.
// Each breach is noted.

import type { Context } from "../../command/command.ts";
import { diskFiles } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { isApproved } from "../../guard/approved_guard.ts";
import type { Breach } from "../../guard/guard_kinds.ts";
import { hasPass, logGuard, readGuardLog } from "../../guard/guard_log.ts";
import type { HookCall } from "./hook_call.ts";

/** The breaches that stop something. With `since`, a guard that spoke after it in this session is quiet. */
export async function judgeBreaches(
  breaches: readonly Breach[],
  { call, layout, context, since }: {
    call: HookCall;
    layout: Layout;
    context: Context;
    since?: string;
  },
): Promise<Breach[]> {
  const { trust } = await context.readConfig();
  const store = { files: diskFiles, layout };
  const events = readGuardLog(store);
  const now = context.now();
  const binding: Breach[] = [];
  for (const breach of breaches) {
    const { guard } = breach;
    const hasSpoken = since !== undefined &&
      events.some((one) =>
        one.guard === guard.id && one.session === call.conversation && one.ts > since
      );
    if (hasSpoken) continue;
    const isBinding = guard.isOwn === true ||
      (guard.mode !== "shadow" && isApproved(trust, layout.workspace, guard));
    const isPassed = isBinding && hasPass(events, guard.id, now);
    await logGuard(store, {
      event: isPassed ? "passed" : "caught",
      guard: guard.id,
      mode: isBinding ? guard.mode : "shadow",
      what: breach.what,
      found: breach.found,
      session: call.conversation,
      now,
    });
    if (isBinding && !isPassed) binding.push(breach);
  }
  return binding;
}
