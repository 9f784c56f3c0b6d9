// `ctx feedback`: what came of a suggestion. Changes later scores of that kind of item.

import { CtxError } from "../../core/errors.ts";
import {
  type FeedbackEvent,
  findSuggestion,
  judge,
  readSuggestionEvents,
  type SuggestionState,
  suggestionStates,
} from "../../recall/edit/suggestion_log.ts";
import type { Store } from "../../store/store.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";

export const feedback = define({
  name: "feedback",
  summary: "Mark a suggestion as used or dismissed.",
  description:
    "Feedback raises or lowers later scores of the item and of similar ones. Without --item it applies to all items. Repeating it changes nothing; the other verdict replaces the first.",
  input: {
    suggestion: s.naming("G", s.text("The suggestion's id (G-…), or last.", 1)),
    verdict: s.oneOf(["used", "dismissed"], "Whether it helped."),
    item: s.optionalInteger("The item's number, from 1.", { min: 1 }),
  },
  output: {
    suggestion_id: s.text(),
    verdict: s.oneOf(["used", "dismissed"]),
    items: s.listOf(s.object({ item: s.number(), type: s.text(), entity_id: s.text() })),
    changed: s.number(),
    status: s.oneOf(suggestionStates),
    used_item_index: s.optional(s.number()),
  },
  positional: ["suggestion", "verdict"],
  effect: "write",
  tool: "suggestion_feedback",
  examples: [
    {
      argv: ["suggest", "feedback", "G-1m45p0q40xmpks001", "used", "--item", "1"],
      about: "Mark a suggestion as useful.",
    },
  ],
  async run(input, context) {
    const store = await context.openStore();
    return await store.write("feedback", (writer) => {
      const id = input.suggestion === "last"
        ? findLast(store) ?? input.suggestion
        : input.suggestion;
      const found = findSuggestion(store.files, store.layout, id);
      if (found === undefined) {
        throw new CtxError("NOT_FOUND", `Cannot find the suggestion "${input.suggestion}"`, {
          hint: "ctx suggest list shows them; empty suggestions are not stored",
        });
      }
      const { items } = found.event;
      const numbers = input.item === undefined ? items.map((_, i) => i + 1) : [input.item];
      if (items[numbers[0] - 1] === undefined) {
        throw new CtxError(
          "USAGE",
          `Cannot give feedback on item ${input.item}: ${id} has ${items.length}`,
        );
      }
      const changed = numbers.filter((item) => found.verdicts.get(item) !== input.verdict);
      const event: FeedbackEvent = {
        event: "feedback",
        id,
        ts: new Date(context.now()).toISOString(),
        verdict: input.verdict,
        items: changed.map((item) => {
          const { type, entity_id, relevance_score, kind } = items[item - 1];
          const replaces = found.verdicts.get(item);
          const before = replaces ? { replaces } : {};
          return { item, type, entity_id, relevance_score, kind, ...before };
        }),
      };
      if (changed.length > 0) writer.appendRows(store.layout.suggestions, [event]);
      for (const item of changed) found.verdicts.set(item, input.verdict);
      const { status: judged, used } = judge(items.length, found.verdicts);
      const status: SuggestionState = judged ?? "shown";
      return {
        suggestion_id: id,
        verdict: input.verdict,
        items: numbers.map((item) => {
          const { type, entity_id } = items[item - 1];
          return { item, type, entity_id };
        }),
        changed: changed.length,
        status,
        ...(used === undefined ? {} : { used_item_index: used }),
      };
    });
  },
  render(data) {
    if (data.changed === 0) return `Already ${data.verdict}.\n`;
    return `${countOf(data.changed, "item")} marked ${data.verdict}.\n`;
  },
});

/** The newest suggestion. */
function findLast({ files, layout }: Store): string | undefined {
  let last: string | undefined;
  for (const { event } of readSuggestionEvents(files, layout, { needles: ['"suggested"'] })) {
    if (event.event === "suggested") last = event.id;
  }
  return last;
}
