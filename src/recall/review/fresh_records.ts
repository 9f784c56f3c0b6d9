// Records as they would be if every session were distilled now: those that are stored, and those of
// sessions that went on since, derived for this answer only and not written.

import { distilSessions } from "../distil/distil_sessions.ts";
import { listRecords, type RecordFilter, type RecordRow } from "../distil/list_records.ts";
import type { Store } from "../../store/store.ts";

/** Records, and what was missing of them in the store. */
export interface FreshRecords {
  rows: RecordRow[];
  /** Sessions whose records were derived for this. */
  derived: number;
  /** Sessions for which there was no time: what they came to is missing. */
  waiting: number;
}

/** How long an answer may wait for sessions that are not distilled. */
const limitMs = 5000;

/**
 * The records that a filter lets through, newest first. Where sessions are named, those of them, and
 * with `withLoose` also what was saved outside of sessions.
 */
export async function readFreshRecords(
  store: Store,
  { sessions, withLoose = false, now, signal, ...filter }: RecordFilter & {
    sessions?: readonly string[];
    withLoose?: boolean;
    now: () => number;
    signal: AbortSignal;
  },
): Promise<FreshRecords> {
  const found = await distilSessions(store, { sessions, now, signal, limitMs, dryRun: true });
  const rows = listRecords(store, filter, found);
  const wanted = sessions === undefined ? undefined : new Set(sessions);
  return {
    rows: rows.filter(({ session_id }) =>
      wanted === undefined || (session_id === undefined ? withLoose : wanted.has(session_id))
    ),
    derived: found.sessions,
    waiting: found.waiting,
  };
}

/** What a reader of an answer should know of the sessions it rests on; nothing when all are stored. */
export function noteFresh({ derived, waiting }: Omit<FreshRecords, "rows">): string[] {
  const of = (count: number): string => `${count} session${count === 1 ? "" : "s"}`;
  return [
    ...(derived > 0
      ? [
        `${
          of(derived)
        } without records yet: read for this answer; to keep the records: ctx records --derive`,
      ]
      : []),
    ...(waiting > 0
      ? [`${of(waiting)} without records yet, left out; to include them: ctx records --derive`]
      : []),
  ];
}
