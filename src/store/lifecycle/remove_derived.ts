// Removing what is derived and may repeat the text of entries: `index/` and left-over drafts. All of
// it can be made again. What cannot be looked at or removed is an error that says what is at stake.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";

/** Where the derived files are. */
export interface DerivedPlace {
  files: Files;
  layout: Pick<Layout, "index" | "root">;
}

/** Removes the index. Before entries are erased, too: where it cannot go, nothing else may. */
export function removeIndex(place: DerivedPlace): void {
  const { files, layout } = place;
  guard(place, `Cannot erase: "${layout.index}" may contain the text and cannot be removed`, () => {
    for (const path of files.listTree(layout.index)) files.remove(path);
  });
}

export function removeDerived(place: DerivedPlace): void {
  removeIndex(place);
  const { files, layout } = place;
  // Files only: a directory of that name is somebody else's.
  for (const path of files.listTree(layout.root)) {
    if (/^\/[^/]*\.tmp$/.test(path.slice(layout.root.length))) files.remove(path);
  }
}

/** The files of the index; throws DENIED when it cannot be seen what is there. */
export function listIndex(place: DerivedPlace): string[] {
  const { files, layout } = place;
  const message = `Cannot read "${layout.index}", which may contain the text of entries`;
  return guard(place, message, () => files.listTree(layout.index));
}

function guard<T>({ layout }: DerivedPlace, message: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof CtxError) || error.code !== "DENIED") throw error;
    const path = layout.index;
    throw new CtxError("DENIED", message, {
      hint: `no entry was changed; make "${path}" readable and writable or remove it, ` +
        "then run the same command again",
      cause: error,
    });
  }
}
