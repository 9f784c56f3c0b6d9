// Writes the trace of a call: from `execute`, for every surface, also when the call failed.

import { toCtxError } from "../core/errors.ts";
import { appendTrace } from "../store/logs/trace_log.ts";
import type { Context, TraceFacts } from "./command.ts";

/** Appends a trace; a store that is missing or cannot be written to has none. */
export async function writeTrace(
  context: Context,
  call: { command: string; facts: TraceFacts; durationMs: number; error?: unknown },
): Promise<void> {
  const store = await context.openStore().catch(() => undefined);
  if (store === undefined) return;
  const { files, layout } = store;
  const failure = call.error === undefined ? undefined : toCtxError(call.error);
  const { now, seed } = context;
  appendTrace({ files, layout, now: () => now(), random: () => seed() }, {
    command: call.command,
    ranking: [],
    ...call.facts,
    state_revision: store.readState().revision,
    duration_ms: Math.round(call.durationMs * 100) / 100,
    ok: failure === undefined,
    ...(failure ? { error: { code: failure.code, message: failure.message } } : {}),
    surface: context.surface,
  });
}
