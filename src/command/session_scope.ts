// Which session and which projects a command means: `--session` before CTX_SESSION before the one in
// the state, so that two agents in one workspace never overwrite each other's.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";
import type { Reach } from "./project_list.ts";

/** The current session, or undefined when none is open. */
export function findCurrentSession(store: Store, context: Context): string | undefined {
  return context.env("CTX_SESSION") || store.readSessionId() || undefined;
}

/** The session that is named, or the current one for `current` or nothing. */
export function findNamedSession(
  option: string | undefined,
  store: Store,
  context: Context,
): string | undefined {
  return option === undefined || option === "current" ? findCurrentSession(store, context) : option;
}

/** `all` gives undefined, `current` the current session's id, anything else is an id. */
export function resolveSession(
  option: string,
  store: Store,
  context: Context,
): string | undefined {
  if (option === "all") return undefined;
  if (option !== "current") return option;
  const current = findCurrentSession(store, context);
  if (current === undefined) {
    throw new CtxError("NOT_FOUND", "Cannot use the current session: none is open", {
      hint: "ctx session start",
    });
  }
  return current;
}

/** The id that names one session: `current` is resolved, anything else is an id. */
export function sessionNameOf(option: string, store: Store, context: Context): string {
  return resolveSession(option, store, context) ?? option;
}

/** Opens what is to be looked at: the store here, or that of every project; the list of them loads only then. */
export async function openReach(context: Context, all: boolean): Promise<Reach> {
  if (!all) return { store: await context.openStore() };
  return await (await import("./project_list.ts")).openEveryProject(context);
}
