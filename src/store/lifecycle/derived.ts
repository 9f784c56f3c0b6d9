// What must be forgotten with an entry, because it is the same message or was made from it: other
// revisions of a message that its agent changes in place, what an agent wrote later in the session to
// sum it up, the records that cite it, and what was said of these in a review.

import { type Entry, ownPools } from "../../core/entry.ts";
import { isRecord } from "../../core/rows/record.ts";
import { verdictNeedle, verdictOf } from "../../core/rows/verdict.ts";
import { toFewNeedles } from "../find.ts";
import type { Store } from "../store.ts";

/** Rows in which an agent sums up what came before them in the session. */
const summingUp: ReadonlySet<string> = new Set(["summary", "recap", "compaction"]);

/** Whether rows of a type sum up what came before them. */
export function sumsUp(type: string): boolean {
  return summingUp.has(type);
}

/** The ids of entries, beside the given, that go with them; in log order. */
export function findDerived(store: Store, ids: ReadonlySet<string>): string[] {
  const { messages, since, records } = readOrigins(store, ids);
  const kinds = [...summingUp].map((type) => JSON.stringify(type));
  const needles = [
    ...kinds,
    recordNeedle,
    verdictNeedle,
    ...(messages.size > 0 ? ['"revision":'] : []),
  ];
  const isSummary = ({ type, session_id, ts, source }: Entry): boolean => {
    const first = sumsUp(type) ? since.get(session_id ?? "") : undefined;
    return first !== undefined && ts >= first && source !== undefined;
  };
  const isMade = (entry: Entry): boolean =>
    entry.refs?.some((id) => ids.has(id)) === true
      ? isRecord(entry) || verdictOf(entry) !== undefined
      : isRecord(entry) && records.has(recordKey(entry));
  // What others made of it is theirs.
  return store.entries({ pools: ownPools, needles }).map(({ entry }) => entry)
    .filter((entry) => !ids.has(entry.id))
    .filter((entry) => isSummary(entry) || isMade(entry) || messages.has(findMessage(entry) ?? ""))
    .map(({ id }) => id).toArray();
}

/** What the line of every record contains. */
export const recordNeedle = '"record"';

/** What the revisions of a record have in common: they were made of the same evidence. */
export function recordKey({ session_id, type, refs }: Entry): string {
  return [session_id ?? "", type, refs?.[0] ?? ""].join("\0");
}

/** The messages of some entries, which records are among them, and by session when the first was said. */
function readOrigins(
  store: Store,
  ids: ReadonlySet<string>,
): { messages: Set<string>; since: Map<string, string>; records: Set<string> } {
  const records = new Set<string>();
  const messages = new Set<string>();
  const since = new Map<string, string>();
  for (const { entry } of store.rows({ needles: toFewNeedles(ids) })) {
    if (!ids.has(entry.id)) continue;
    if (isRecord(entry)) {
      records.add(recordKey(entry));
      continue;
    }
    const message = findMessage(entry);
    if (message !== undefined) messages.add(message);
    const { session_id: session, ts } = entry;
    if (session === undefined || sumsUp(entry.type)) continue;
    if (ts < (since.get(session) ?? "~")) since.set(session, ts);
  }
  return { messages, since, records };
}

/** What names the message of a row that its agent may change. */
function findMessage({ source }: Entry): string | undefined {
  if (source?.message === undefined || source.revision === undefined) return undefined;
  return [source.agent, source.conversation ?? "", source.message].join("\0");
}
