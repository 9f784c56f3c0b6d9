// Sessions among the ids that `get` is given, and the messages around an entry. Loaded only for those.

import type { Entry } from "../core/entry.ts";
import { rowsOf } from "../store/find.ts";
import type { Store } from "../store/store.ts";
import { kindOf, withoutEmpty } from "../command/brief.ts";
import { findEntries } from "./find_entries.ts";
import { type LoadedSession, loadSessions } from "./session_messages.ts";
import { showLoaded, type ShownSession, type ShowOptions } from "./show_sessions.ts";

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
  join<T extends Got>(got: T): T & { sessions: ShownSession[] };
}

/** Shows the sessions that ids name, in their order, within one budget. */
export async function getSessions(
  store: Store,
  ids: readonly string[],
  options: GetOptions,
): Promise<GotSessions> {
  const { format, expand, before = 2, after = 2, isPiped, max_tokens: most } = options;
  const { workspace } = store.layout;
  const budget = most ?? (isPiped ? Infinity : usualTokens);
  const places = await findPlaces(store, ids, options);
  const wanted = new Set(places.values().map(({ session }) => session));
  const found = await loadSessions(store, [...wanted], { orNone: true });
  const loaded = new Map(found.map((one) => [one.session.id, one]));
  const sessions: ShownSession[] = [];
  const skipped: string[] = [];
  const others: string[] = [];
  let spent = 0;
  for (const id of ids) {
    const place = places.get(id);
    const session = place && loaded.get(place.session);
    if (session === undefined) {
      others.push(id);
      continue;
    }
    const left = Math.max(1, budget - spent);
    const max_tokens = skipped.length > 0 ? 1 : left === Infinity ? undefined : left;
    const window = { format, before, after, max_tokens, workspace };
    const shown = showLoaded([session], {
      ...window,
      expand: numberOf(place?.entry, session) ?? expand,
    });
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

/** A session that is meant, and the entry in it that is. */
interface PlaceInSession {
  session: string;
  entry?: Entry;
}

/** The sessions that ids may name, and those of the entries whose surroundings are asked for. */
async function findPlaces(
  store: Store,
  ids: readonly string[],
  { before, after, session }: GetOptions,
): Promise<Map<string, PlaceInSession>> {
  const isWindow = before !== undefined || after !== undefined;
  const isAsked = (own: string | undefined): boolean => session === "all" || session === own;
  const found = await findEntries(store, ids.filter((id) => !id.startsWith("S-")));
  const places = new Map<string, PlaceInSession>();
  for (const id of ids) {
    const rows = rowsOf(found.get(id)).filter(({ entry }) => isAsked(entry.session_id));
    const entry = rows[0]?.entry;
    const own = entry === undefined ? id : isWindow ? entry.session_id : undefined;
    if (own === undefined || own.startsWith("H-") || !isAsked(own)) continue;
    places.set(id, { session: own, entry });
  }
  return places;
}

function numberOf(entry: Entry | undefined, { messages }: LoadedSession): number | undefined {
  return messages.find((message) => message.entry.id === entry?.id)?.number ?? entry?.index;
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
        author: message.author,
        truncated: message.truncated,
        text: message.content,
      })
    ),
  });
}
