// The session that something saved joins by itself: the current one, unless it was only left open.

import { pools } from "../core/entry.ts";
import { findIdTime } from "../core/id.ts";
import { isRecord } from "../core/rows/record.ts";
import type { Context } from "../command/command.ts";
import { findCurrentSession } from "../command/session_scope.ts";
import { findKeptSessions } from "../store/catalog_file.ts";
import { toNeedles } from "../store/find.ts";
import type { Store } from "../store/store.ts";

/** A session in which nothing happened for so long was left open. */
export const idleHours = 12;

/** The session to join, or undefined; warns where one is open and is not joined. */
export async function findJoinedSession(
  store: Store,
  context: Context,
): Promise<string | undefined> {
  const id = findCurrentSession(store, context);
  const since = context.now() - idleHours * 3_600_000;
  // What the environment names is meant, and what was opened just now need not be looked up.
  if (id === undefined || context.env("CTX_SESSION") || (findIdTime(id) ?? 0) > since) return id;
  const last = findLastUse(store, id);
  if (last === "" || Date.parse(last) > since) return id;
  const { ageOf } = await import("../core/time/age_of.ts");
  context.warn(
    `the open session ${id} was last used ${
      ageOf(last, context.now())
    }, so this was saved outside it ` +
      "(--session current joins it; ctx session end closes it)",
  );
  return undefined;
}

/** When something happened in a session last: by the catalog, and the rows that it does not cover. */
function findLastUse(store: Store, id: string): string {
  const kept = findKeptSessions(store, [id]);
  const times = [kept?.sessions[0]?.ended ?? "", store.readSessions().get(id)?.opened ?? ""];
  const from = Object.fromEntries(pools.map((pool) => [pool, kept?.covered[pool]?.bytes ?? 0]));
  for (const { entry } of store.entries({ from, needles: toNeedles([id]) })) {
    if (entry.session_id === id && !isRecord(entry)) times.push(entry.ts);
  }
  return times.reduce((last, time) => time > last ? time : last);
}
