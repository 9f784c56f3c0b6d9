// What `ctx save` and `ctx edit` stored, on a terminal: what it is, its first words, how to undo it.

import type { Store } from "../store/store.ts";
import { countOf, type View } from "../command/view.ts";

/** Tells of an entry that was just written. */
export function toSavedScreen(
  id: string,
  { store, view }: { store: Store; view: View },
): string {
  const entry = store.find([id]).get(id)?.row?.entry;
  if (entry === undefined) return `${id}\n`;
  const { type, title, text, session_id, supersedes } = entry;
  const facts = [
    countOf(text.length, "character"),
    ...(session_id === undefined ? [] : [`in session ${session_id}`]),
    ...(supersedes === undefined ? [] : [`corrects ${supersedes}`]),
  ];
  const words = title === undefined ? text : `${title}: ${text}`;
  return [
    `${view.good("✓")} Saved ${type} ${view.bold(id)}`,
    `  ${view.cut(words, view.width - 2)}`,
    view.wrap(view.dim(`${facts.join(" · ")} · undo: ctx undo`), { indent: "  " }),
  ].join("\n") + "\n";
}
