// Notes what a command did, for `ctx undo`: whose it was is the session that the caller is in. Appended
// without a lock; an act that cannot be written fails nothing.

import { makeId } from "../core/id.ts";
import { redactValue } from "../core/redact/redact.ts";
import type { ActDraft } from "../store/logs/act_log.ts";
import { actLog, type ActPlace } from "../store/logs/act_place.ts";
import { appendRedacted } from "../store/logs/append_row.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";
import { findCurrentSession } from "./session_scope.ts";

/** Appends an act and returns its id. */
export function recordAct(
  store: Store,
  context: Context,
  draft: ActDraft,
  { files, layout }: ActPlace = store,
): string {
  const session = findCurrentSession(store, context);
  const now = context.now();
  const act_id = makeId("A", now, `${draft.act}\0${context.seed()}`);
  try {
    const act = {
      act_id,
      ts: new Date(now).toISOString(),
      ...draft,
      ...(session === undefined ? {} : { session_id: session }),
      surface: context.surface,
      ...(context.agent === undefined ? {} : { agent: context.agent }),
    };
    appendRedacted(files, actLog(layout), redactValue(act).value);
  } catch {
    // What was done stands; it is only not known here.
  }
  return act_id;
}
