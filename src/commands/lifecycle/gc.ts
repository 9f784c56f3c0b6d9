// `ctx gc`: removes what nobody can reach any more.

import { collectGarbage, diskUse, findGarbage } from "../../store/lifecycle/collect_garbage.ts";
import { define } from "../../command/command.ts";
import { example, findExamples, renderExamples } from "../../view/shown_entries.ts";
import * as s from "../../command/shape.ts";
import { countOf, toTable } from "../../command/view.ts";

export const gc = define({
  name: "gc",
  summary: "Delete forgotten data, orphaned index files and old traces.",
  description:
    "Deletes the data of forgotten entries from every file, unused index files, traces over the limit, and leftovers of interrupted writes. Other entries are never touched.",
  input: { dry_run: s.flag("List what would be deleted; change nothing.") },
  output: {
    removed: s.listOf(s.object({
      kind: s.oneOf(["forgotten", "tombstone", "index", "traces", "draft"]),
      path: s.text(),
      ...s.each(s.number(), "count", "bytes"),
    })),
    ...s.each(s.number(), "disk_bytes_before", "disk_bytes_after"),
    dry_run: s.boolean(),
    /** Of a dry run: some of the forgotten entries that could not be taken back any more. */
    examples: s.optional(s.listOf(example)),
  },
  effect: "destroy",
  question(_input, planned) {
    if (planned === undefined || planned.removed.length === 0) return undefined;
    const bytes = planned.removed.reduce((sum, item) => sum + item.bytes, 0);
    const forgotten = countForgotten(planned.removed);
    const lost = forgotten === 0
      ? ""
      : `; ${
        countOf(forgotten, "forgotten entry", "forgotten entries")
      } cannot be restored after that`;
    return `Remove ${countOf(bytes, "byte")} for good${lost}?`;
  },
  examples: [{ argv: ["forget", "--gc", "--dry-run"], about: "Show what would be deleted." }],
  async run(input, context) {
    const store = await context.openStore();
    const before = diskUse(store);
    const removed = input.dry_run ? findGarbage(store) : await collectGarbage(store);
    return {
      removed,
      disk_bytes_before: before,
      disk_bytes_after: input.dry_run ? before : diskUse(store),
      dry_run: input.dry_run,
      // Which entries, but not what they say: that was to be forgotten.
      ...(input.dry_run
        ? {
          examples: findExamples(store, [...store.readForgotten()]).map(
            ({ title: _title, ...rest }) => rest,
          ),
        }
        : {}),
    };
  },
  trace: (input) => ({ args: { ...input } }),
  render(data, view) {
    if (data.removed.length === 0) {
      return `Nothing to delete; ${view.size(data.disk_bytes_after)}.\n`;
    }
    const rows = data.removed.map((item) => [
      view.bold(item.kind),
      item.path,
      countOf(item.count, item.kind === "index" || item.kind === "traces" ? "file" : "line"),
      view.size(item.bytes),
    ]);
    const sum = data.dry_run
      ? `Would delete these; the store uses ${view.size(data.disk_bytes_before)}.`
      : `Removed; the store took ${view.size(data.disk_bytes_before)} and takes ${
        view.size(data.disk_bytes_after)
      }.`;
    const examples = renderExamples(
      { examples: data.examples ?? [], count: countForgotten(data.removed) },
      view,
    );
    return `${toTable(rows)}\n${examples}${sum}\n`;
  },
});

function countForgotten(removed: readonly { kind: string; count: number }[]): number {
  return removed.reduce((sum, { kind, count }) => sum + (kind === "forgotten" ? count : 0), 0);
}
