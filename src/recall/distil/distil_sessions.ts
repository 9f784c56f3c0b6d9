// Brings the records of sessions up to what was said in them: looks which sessions went on since they
// were distilled, derives their records, writes what differs. Doing it twice writes nothing, and what
// derives them is loaded only where a session went on.

import type { Store } from "../../store/store.ts";
import { chooseSessions, type Distilled, type DistilOptions } from "./due_sessions.ts";

/**
 * Distils sessions; the newest first, where time is short. Long ones are taken in stretches, and at
 * least one is done however short the time: what is begun goes on from there next time.
 */
export async function distilSessions(store: Store, options: DistilOptions): Promise<Distilled> {
  const until = options.now() + (options.limitMs ?? Infinity);
  const marks = store.readSessions();
  const chosen = chooseSessions(store, options, marks);
  if (chosen.length === 0) return { sessions: 0, written: [], removed: [], waiting: 0 };
  const { deriveRecords } = await import("./derive_records.ts");
  return await deriveRecords(store, { chosen, marks }, { ...options, until });
}
