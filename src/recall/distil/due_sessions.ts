// Which sessions went on since their records were derived.

import { memorySources } from "../../core/entry.ts";
import { isSecondHand } from "../../core/voice/not_the_user.ts";
import type { CatalogSession } from "../../store/catalog_sessions.ts";
import { readSessionCatalog } from "../../store/session_catalog.ts";
import type { SessionMeta } from "../../store/logs/session_log.ts";
import type { Store } from "../../store/store.ts";
import type { RecordDraft } from "./distil_session.ts";

/** What to distil, and for how long at most. */
export interface DistilOptions {
  /** Only these, whether they changed or not; otherwise all that went on since. */
  sessions?: readonly string[];
  limitMs?: number;
  now: () => number;
  /** Also those that did not change since. */
  isForced?: boolean;
  dryRun?: boolean;
  signal?: AbortSignal;
}

/** What was done. */
export interface Distilled {
  sessions: number;
  /** Records that are new, or say something else than before. */
  written: RecordDraft[];
  /** Records that no longer follow from their session. */
  removed: string[];
  /** Sessions for which there was no time. */
  waiting: number;
}

/** Another number makes the records of all sessions anew: the rules have changed. */
export const rulesVersion = 14;

/** Sessions that went on since they were distilled, and what is noted of all sessions. */
export interface DueSessions {
  chosen: CatalogSession[];
  marks: ReadonlyMap<string, SessionMeta>;
}

/** The sessions to distil, those that went on last first. */
export function chooseSessions(
  store: Store,
  options: DistilOptions,
  marks: ReadonlyMap<string, SessionMeta>,
): CatalogSession[] {
  const catalog = readSessionCatalog(store);
  const named = options.sessions === undefined ? undefined : new Set(options.sessions);
  return [...catalog.values()]
    // Records of other members' sessions come from their own stores; files of the project, which a clone
    // brings along, and what another tool remembers must not speak for the user.
    .filter(({ id, message_count: count, author, source }) =>
      count > 0 && author === undefined && !isSecondHand(source) &&
      !memorySources.has(source ?? "") && (named?.has(id) ?? true)
    )
    .filter((session) =>
      options.isForced === true || marks.get(session.id)?.distilled !== toMark(session)
    )
    .toSorted((a, b) => (a.ended ?? "") < (b.ended ?? "") ? 1 : -1);
}

/** What a session was when it was distilled: its messages, their length and the last one's time. */
export function toMark({ message_count, estimated_tokens, ended }: CatalogSession): string {
  return [rulesVersion, message_count, estimated_tokens, ended ?? ""].join(":");
}
