// Sessions among the ids that `get` is given, and the messages around an entry. Loaded only for those.

import { CtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { kindOf, withoutEmpty } from "../table/brief.ts";
import { findEntries } from "./find_entries.ts";
import { getMessages } from "./session_messages.ts";
import {
  type ShownSession,
  type ShownSessions,
  type ShowOptions,
  showSessions,
} from "./show_sessions.ts";

/** What a session may cost unless a budget is given: what clients take of one answer. */
const usualTokens = 20_000;

/** What is asked for. */
export interface GetOptions extends Pick<ShowOptions, "format" | "expand" | "max_tokens"> {
  before?: number;
  after?: number;
  /** Only this session, unless it is `all`. */
  session: string;
  isPiped?: boolean;
}

/** What was read, beside entries. */
interface Got {
  skipped_ids: string[];
  estimated_tokens: number;
}

/** The sessions that were meant, the other ids, and what is left of the budget for these. */
export interface GotSessions {
  others: string[];
  left?: number;
  /** The result with the sessions in it. */
  join<T extends Got>(got: T): T & { sessions: ShownSession[] };
}

/** Shows the sessions that ids name, in their order, within one budget. */
export async function getSessions(
  store: Store,
  ids: readonly string[],
  options: GetOptions,
): Promise<GotSessions> {
  const { format, expand, before = 2, after = 2, isPiped, max_tokens: most } = options;
  const budget = most ?? (isPiped ? Infinity : usualTokens);
  const sessions: ShownSession[] = [];
  const skipped: string[] = [];
  const others: string[] = [];
  let spent = 0;
  for (const id of ids) {
    const place = await findPlace(store, id, options);
    const left = Math.max(1, budget - spent);
    const max_tokens = skipped.length > 0 ? 1 : left === Infinity ? undefined : left;
    const window = { format, before, after, max_tokens, expand: place?.message ?? expand };
    const shown = place && await findShown(store, place.session, window);
    if (shown === undefined) {
      others.push(id);
      continue;
    }
    sessions.push(...shown.sessions);
    skipped.push(...shown.skipped_ids);
    spent += shown.estimated_tokens;
  }
  return {
    others,
    left: most === undefined ? undefined : Math.max(0, most - spent),
    join: (got) => ({
      ...got,
      sessions,
      skipped_ids: [...skipped, ...got.skipped_ids],
      estimated_tokens: spent + got.estimated_tokens,
    }),
  };
}

/** The session that an id names, and the message in it where it is an entry's; else undefined. */
async function findPlace(
  store: Store,
  id: string,
  { before, after, session }: GetOptions,
): Promise<{ session: string; message?: number } | undefined> {
  const hit = id.startsWith("S-") ? undefined : (await findEntries(store, [id])).get(id);
  const entry = hit?.forgotten ? undefined : hit?.row?.entry;
  const isWindow = before !== undefined || after !== undefined;
  const own = entry === undefined ? id : isWindow ? entry.session_id : undefined;
  if (own === undefined || own.startsWith("H-")) return undefined;
  if (session !== "all" && session !== own) return undefined;
  if (entry === undefined) return { session: own };
  const messages = await getMessages(store, own);
  const message = messages.find((one) => one.entry.id === id)?.number ?? entry.index;
  return { session: own, message };
}

async function findShown(
  store: Store,
  id: string,
  options: ShowOptions,
): Promise<ShownSessions | undefined> {
  try {
    return await showSessions(store, [id], options);
  } catch (error) {
    if (error instanceof CtxError && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** A session with the messages that are read, and where there are more. */
export function briefSession(session: ShownSession): object {
  const { id, title, project, source, files, more_files, has_more_before, has_more_after } =
    session;
  return withoutEmpty({
    id,
    title,
    project,
    source,
    total: session.total,
    has_more_before,
    has_more_after,
    files,
    more_files,
    messages: session.messages.map((message) =>
      withoutEmpty({
        index: message.index,
        kind: kindOf(message),
        truncated: message.truncated,
        text: message.content,
      })
    ),
  });
}
