// Background work that is still to be done for a store: rows without vectors, and sessions whose
// records have not been derived. `ctx status` shows it, and an import that finds some starts it.

import type { Context } from "../../command/command.ts";
import { isLocked } from "../../disk/is_locked.ts";
import { countUnembedded } from "../../index/complete_vectors.ts";
import { readManifest } from "../../index/manifest.ts";
import { chooseSessions } from "../distil/due_sessions.ts";

/** Work that is in progress or due. */
export interface PendingWork {
  /** Whether a process is doing it now. */
  running: boolean;
  /** How many rows of the index should have a vector, and how many do. */
  rows: number;
  embedded: number;
  /** How many sessions have no records yet, or have continued since. */
  sessions: number;
}

/** So many sessions that went on wait for the next session start anyway. */
const fewSessions = 3;

/** Whether there is enough to do that people should see it. */
export function isMuch({ running, rows, embedded, sessions }: PendingWork): boolean {
  return embedded < rows || sessions > fewSessions || running && sessions > 0;
}

/** What is left to do. */
export async function findPending(context: Context): Promise<PendingWork> {
  const store = await context.openStore();
  const { files, layout } = store;
  const read = readManifest(files, layout);
  const segments = "manifest" in read ? read.manifest.segments : [];
  const isLocal = (await context.readConfig()).get("embedder.kind") === "local";
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
  const missing = isLocal ? countUnembedded(store) : 0;
  const sessions = chooseSessions(store, { now: context.now }, store.readSessions()).length;
  return { running: isLocked(layout.followLock), rows, embedded: rows - missing, sessions };
}
