// Which of the guards that were broken bind here and now: approved by the user, and not let pass by them.
// Each breach is noted.

import type { Context } from "../../command/command.ts";
import { diskFiles } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { isApproved } from "../../guard/approved_guard.ts";
import type { Breach, Guard } from "../../guard/guard_kinds.ts";
import {
  type GuardEvent,
  hasPass,
  lineDigest,
  logGuard,
  readGuardLog,
} from "../../guard/guard_log.ts";
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
  const events = readEvents(store);
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
      (guard.mode !== "shadow" && isApproved(trust, layout.workspace, guard) &&
        !await isAside(guard, context));
    const isPassed = isBinding && !guard.isOwn && hasPass(events, guard.id, now);
    await note(store, {
      event: isPassed ? "passed" : "caught",
      guard: guard.id,
      mode: isBinding ? guard.mode : "shadow",
      what: breach.what,
      found: breach.found,
      session: call.conversation,
      file: breach.file,
      line: isBinding && breach.line !== undefined ? lineDigest(breach.line) : undefined,
      now,
    });
    if (isBinding && !isPassed) binding.push(breach);
  }
  return binding;
}

/** Whether a guard was made of an entry that the user put aside since. */
async function isAside({ entry: id }: Guard, context: Context): Promise<boolean> {
  if (id === undefined) return false;
  const store = await context.openStore();
  const quarantine = await store.findQuarantine();
  return quarantine?.holds(store.find([id]).get(id)?.row?.entry ?? {}) === true;
}

interface Place {
  files: typeof diskFiles;
  layout: Layout;
}

/** What a check said holds, whether its log can be read and written or not. */
function readEvents(store: Place): GuardEvent[] {
  try {
    return readGuardLog(store);
  } catch {
    return [];
  }
}

async function note(store: Place, event: Parameters<typeof logGuard>[1]): Promise<void> {
  try {
    await logGuard(store, event);
  } catch {
    // Read-only, or full.
  }
}
