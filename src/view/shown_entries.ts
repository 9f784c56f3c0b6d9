// A few of the entries that a command is about to take away, so that whoever agrees knows of what.

import { firstLine } from "../core/text.ts";
import type { Store } from "../store/store.ts";
import * as s from "../command/shape.ts";
import type { View } from "../command/view.ts";

export const example = s.object({
  ...s.each(s.text(), "id", "ts", "type"),
  title: s.optional(s.text()),
});
export type Example = s.ValueOf<typeof example>;

const maxExamples = 5;
const maxTitleChars = 100;

/** Some of the entries: all of a few, the last of many, the last one first. */
export function findExamples(store: Store, ids: readonly string[]): Example[] {
  const shown = ids.length <= maxExamples ? ids : ids.slice(-maxExamples).reverse();
  const found = store.find(shown);
  return shown.flatMap((id) => {
    const entry = found.get(id)?.row?.entry;
    if (entry === undefined) return [];
    const title = entry.title ?? entry.summary ?? entry.text;
    return [{ id, ts: entry.ts, type: entry.type, title: firstLine(title, maxTitleChars) }];
  });
}

/** The examples as lines, and how many more there are. */
export function renderExamples(
  { examples, count }: { examples: readonly Example[]; count: number },
  view: View,
): string {
  if (examples.length === 0) return "";
  const rows = examples.map(({ id, ts, type, title = "" }) => [
    `  ${view.bold(id)}`,
    view.time(ts),
    type,
    title,
  ]);
  const more = count - examples.length;
  return `${view.table(rows)}\n${more > 0 ? `  … and ${view.count(more)} more\n` : ""}`;
}
