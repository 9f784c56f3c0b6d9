// What was done to the user's own settings is noted beside them: a workspace's log may come with a
// clone, and nothing in it may change what is the user's.

import { configFiles } from "../config/load_config.ts";
import { type Act, readActs } from "../store/logs/act_log.ts";
import type { ActPlace } from "../store/logs/act_place.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";

/** The user's log; undefined for served callers, who see no settings of the user, and without a home. */
export function findOwnActs({ files, env, surface }: Context): ActPlace | undefined {
  const [own] = configFiles(undefined, env);
  if (own === undefined || (surface !== "cli" && surface !== "library")) return undefined;
  return { files, layout: { acts: own.path.replace(/[^/]*$/, "acts.ndjson") } };
}

/** All acts that count in a workspace, oldest first. */
export function readAllActs(store: Store, context: Context): Act[] {
  const place = findOwnActs(context);
  const own = place === undefined ? [] : readActs(place)
    .filter(({ user, workspace }) => user && workspace === store.layout.workspace);
  const shared = readActs(store).filter(({ user }) => !user);
  if (own.length === 0) return shared;
  return [...shared, ...own].sort((a, b) => a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0);
}
