// What must be forgotten with an entry, because it is the same message or was made from it: other
// revisions of a message that its agent changes in place, and what an agent wrote later in the
// session to sum it up.

import type { Entry } from "../../core/entry.ts";
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
  const messages = new Set<string>();
  /** By session: when the first of what goes was said. */
  const since = new Map<string, string>();
  for (const { entry } of store.rows({ needles: toFewNeedles(ids) })) {
    if (!ids.has(entry.id)) continue;
    const message = findMessage(entry);
    if (message !== undefined) messages.add(message);
    const { session_id: session, ts } = entry;
    if (session === undefined || sumsUp(entry.type)) continue;
    if (ts < (since.get(session) ?? "~")) since.set(session, ts);
  }
  if (messages.size === 0 && since.size === 0) return [];
  const derived: string[] = [];
  const kinds = [...summingUp].map((type) => JSON.stringify(type));
  const revised = messages.size > 0 ? ['"revision":'] : [];
  for (const { entry } of store.entries({ needles: [...kinds, ...revised] })) {
    if (ids.has(entry.id)) continue;
    const first = sumsUp(entry.type) ? since.get(entry.session_id ?? "") : undefined;
    const isSummary = first !== undefined && entry.ts >= first && entry.source !== undefined;
    if (isSummary || messages.has(findMessage(entry) ?? "")) derived.push(entry.id);
  }
  return derived;
}

/** What names the message of a row that its agent may change. */
function findMessage({ source }: Entry): string | undefined {
  if (source?.message === undefined || source.revision === undefined) return undefined;
  return [source.agent, source.conversation ?? "", source.message].join("\0");
}
