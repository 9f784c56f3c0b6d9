// The files that a session has touched lately: what it is doing, when nobody says.

import type { Store } from "../../store/store.ts";
import { findInWorkspace } from "./graph/workspace_path.ts";

const maxFiles = 8;

/** The newest files of a session first; files outside of the workspace are left out. */
export function findSessionFiles(store: Store, session: string | undefined): string[] {
  if (session === undefined) return [];
  const { workspace } = store.layout;
  const found = new Set<string>();
  for (const place of store.readSession(session).reverse()) {
    for (const file of store.findRowAt(place)?.files ?? []) {
      const path = findInWorkspace(file, { workspace, cwd: workspace })?.path;
      if (path !== undefined) found.add(path);
    }
    if (found.size >= maxFiles) break;
  }
  return [...found].slice(0, maxFiles);
}
