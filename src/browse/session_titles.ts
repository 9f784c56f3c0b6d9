// The titles of sessions, for screens that show entries of several.

import { readSessionCatalog } from "./session_catalog.ts";
import type { Store } from "../store/store.ts";

/** The title of each session that has one. */
export function readSessionTitles(store: Store): Map<string, string> {
  const titles = new Map<string, string>();
  for (const { id, title, first_user_line } of readSessionCatalog(store).values()) {
    const shown = title ?? first_user_line;
    if (shown) titles.set(id, shown);
  }
  return titles;
}
