// What `ctx save` and `ctx edit` stored, on a terminal: what it is, its first words, how to undo it.

import { countOf, type View } from "../command/view.ts";

/** Tells of an entry that was just written. */
export async function toSavedScreen(id: string, view: View): Promise<string> {
  const entry = (await view.openStore?.())?.find([id]).get(id)?.row?.entry;
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
