// Sessions as lists show them: what the events say, and what their entries add up to.

import { compareText } from "../core/text.ts";
import type { CatalogSession } from "../store/catalog_sessions.ts";
import {
  firstUserLine,
  isSession,
  readSessionCatalog,
  sessionTitle,
} from "../store/session_catalog.ts";
import type { Store } from "../store/store.ts";

export type SessionRow =
  & Required<Pick<CatalogSession, "id" | "title" | "project" | "started" | "ended">>
  & Pick<CatalogSession, "message_count" | "estimated_tokens">
  & Pick<CatalogSession, "source" | "branch" | "parent" | "author">
  & { open: boolean; files_touched: number; first_user_line: string };

/** All sessions, newest first; ties by id. */
export function readSessionList(store: Store): SessionRow[] {
  const rows = [...readSessionCatalog(store).values()]
    .filter(isSession)
    .map((session) => toRow(session, store.layout.workspace));
  return rows.sort((a, b) => compareText(b.ended, a.ended) || compareText(a.id, b.id));
}

/** What names no project was in the workspace. */
function toRow(session: CatalogSession, workspace: string): SessionRow {
  const started = session.started ?? session.opened ?? "";
  return {
    id: session.id,
    title: sessionTitle(session),
    project: session.project ?? workspace,
    source: session.source,
    branch: session.branch,
    parent: session.parent,
    ...(session.author === undefined ? {} : { author: session.author }),
    started,
    ended: session.ended ?? session.closed ?? started,
    open: session.opened !== undefined && session.closed === undefined,
    message_count: session.message_count,
    estimated_tokens: session.estimated_tokens,
    files_touched: session.files.length,
    first_user_line: firstUserLine(session),
  };
}
