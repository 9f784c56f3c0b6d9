// One sync: where the own chain ends, others' rows in, own rows out, what is to be gone off this disk.
// Each step leaves files that the next sync goes on from, wherever this one dies.

import { CtxError } from "../../core/errors.ts";
import { findJson, isObject } from "../../core/json.ts";
import { findHolder, takeLock, tryTakeLock } from "../../disk/lock.ts";
import { readText } from "../../disk/text_files.ts";
import type { Store } from "../../store/store.ts";
import { isOrderShort } from "../../store/team/settle_order.ts";
import { askAgain } from "./asked_again.ts";
import { type Erased, eraseRows } from "./erase_rows.ts";
import { followOwn } from "./own_chain.ts";
import type { Gate } from "./gate.ts";
import { addPulled, type Pulled, pullRows } from "./pull_rows.ts";
import { type Pushed, pushRows } from "./push_rows.ts";
import type { SyncSession } from "./sync_session.ts";

export interface SyncReport {
  pulled: Pulled;
  pushed: Pushed;
  erased: Erased;
}

/** Syncs a store with its space; `gate` says what may leave. */
export async function syncStore(session: SyncSession, gate: Gate): Promise<SyncReport> {
  const { store } = session;
  // Rows that a power cut left outside the order would not be seen until something is written.
  if (isOrderShort(store.files, store.layout)) await store.write("sync", () => {});
  const first = await followOwn(session);
  const pulled = await pullRows(session);
  if (await askAgain(session, pulled)) addPulled(pulled, await pullRows(session));
  const pushed = await pushRows(session, { gate, chain: first }).catch(async (error) => {
    if (!(error instanceof CtxError) || error.code !== "REMOTE_FORKED") throw error;
    // A push of a killed sync may have landed only now; if not, following says so.
    session.state = await session.remote.state(session.me.writer);
    return await pushRows(session, { gate, chain: await followOwn(session) });
  });
  const erased = await eraseRows(session, { pulled, pushed });
  const synced = { ts: new Date(session.now()).toISOString() };
  const bytes = new TextEncoder().encode(JSON.stringify(synced) + "\n");
  store.files.makeDirectory(store.layout.team);
  store.files.replace(syncedPath(store), bytes, { sync: false });
  return { pulled, pushed, erased };
}

/** When the last sync came to its end; undefined when none did. */
export function readSynced(store: Pick<Store, "files" | "layout">): string | undefined {
  const value = findJson(readText(store.files, syncedPath(store)));
  return isObject(value) && typeof value.ts === "string" ? value.ts : undefined;
}

/** One sync of a store at a time; dispose of it when it is done. */
export async function lockSync(
  { files, layout }: Pick<Store, "files" | "layout">,
  { now, timeoutMs, command }: { now: () => number; timeoutMs: number; command: string },
): Promise<Disposable> {
  files.makeDirectory(layout.team);
  const holder = { pid: Deno.pid, command, since: new Date(now()).toISOString() };
  const path = `${layout.team}/.lock`;
  const lock = tryTakeLock(path, holder);
  if (lock !== undefined) return lock;
  const other = findHolder(path);
  // It goes on until somebody ends it: there is nothing to wait for.
  if (other?.command !== watchCommand) return await takeLock(path, { holder, timeoutMs });
  throw new CtxError(
    "STORE_LOCKED",
    `Cannot sync: process ${other.pid} (ctx ${watchCommand}) has been syncing this store since ${other.since}`,
    { hint: "it syncs new entries automatically; to sync by hand, stop that process first" },
  );
}

/** How a sync that stays is named where it holds the lock. */
export const watchCommand = "sync --watch";

function syncedPath({ layout }: Pick<Store, "layout">): string {
  return `${layout.team}/synced.json`;
}
