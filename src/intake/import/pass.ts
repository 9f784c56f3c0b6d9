// One pass over one source. What reads its sessions is loaded when there are new ones: a hook looks at
// every start, and mostly finds none.

import { Tally } from "../sources/problem_tally.ts";
import { chooseSessions, knownSessions, type PassOptions, sum } from "./choose_sessions.ts";
import { type Receipt, toReceipt } from "./receipt.ts";

/** Imports what is new in one source. */
export async function runPass(options: PassOptions): Promise<Receipt> {
  const { store, source } = options;
  const tally = new Tally();
  const skipped: Record<string, number> = {};
  const wanted = await chooseSessions(options, { tally, skipped });
  const sessions_seen = wanted.length + sum(Object.values(skipped));
  if (wanted.length > 0) {
    const { readSessions } = await import("./read_sessions.ts");
    const sessions = store.readSessions();
    const known = knownSessions(sessions, source.name);
    return await readSessions(options, { wanted, sessions_seen, sessions, known, skipped, tally });
  }
  return toReceipt(tally, {
    source: source.name,
    roots: options.roots,
    sessions_seen,
    sessions_imported: 0,
    entries: 0,
    entries_known: 0,
    superseded: 0,
    forgotten: 0,
    sessions_skipped: skipped,
    redactions: 0,
  });
}
