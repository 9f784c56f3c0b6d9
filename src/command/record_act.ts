// Notes what a command did, for `ctx undo`: whose it was is the session that the caller is in.

import { type ActDraft, type ActPlace, appendAct } from "../store/logs/act_log.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";
import { findCurrentSession } from "./session_scope.ts";

/** Appends an act and returns its id. */
export function recordAct(
  store: Store,
  context: Context,
  draft: ActDraft,
  place: ActPlace = store,
): string {
  const session = findCurrentSession(store, context);
  return appendAct(place, {
    ...draft,
    ...(session === undefined ? {} : { session_id: session }),
    surface: context.surface,
    ...(context.agent === undefined ? {} : { agent: context.agent }),
    now: context.now(),
    seed: context.seed(),
  });
}
