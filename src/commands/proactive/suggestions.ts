// `ctx suggestions`: what was suggested, to whom, and what came of it.

import { triggerTypes } from "../../core/row_kinds.ts";
import { CtxError } from "../../core/errors.ts";
import { parseWhen } from "../../core/time/parse_when.ts";
import { toLine } from "../../core/text.ts";
import type { ListedSuggestion } from "../../recall/edit/deliver/list_suggestions.ts";
import {
  findTriggerType,
  suggestionStates,
  type TriggerType,
} from "../../recall/edit/suggestion_log.ts";
import { minuteOf } from "../../command/brief.ts";
import { define } from "../../command/command.ts";
import { resolveSession } from "../../command/session_scope.ts";
import { pageInputs, sinceTime } from "../../command/inputs.ts";
import * as s from "../../command/shape.ts";
import { suggestionsShape, toSuggestionsScreen } from "../../view/suggestions_screen.ts";

export const suggestions = define({
  name: "suggestions",
  summary: "List past suggestions and whether they were used.",
  description:
    "Newest first. A suggestion is pending until it is polled or its webhook accepts it; one that you or a hook asked for is shown at once. It is used when one of its items was used, dismissed when all were dismissed (`ctx suggest feedback`). Items of forgotten entries are removed; the others keep their numbers (`item`).",
  input: {
    status: s.optional(s.oneOf(suggestionStates, "Only this status.")),
    session: s.naming(
      "S or new",
      s.withDefault(s.text("all, current or a session id.", 1), "all"),
    ),
    trigger: s.optionalText("Only this trigger: file, symbol, activity or time."),
    since: sinceTime,
    ...pageInputs("Suggestions"),
  },
  output: suggestionsShape,
  list: {
    of: "suggestions",
    columns: ["id", "created_at", "status", "trigger", "title", "session_id", "subscription_id"],
  },
  effect: "read",
  tool: "context_suggestions",
  examples: [
    {
      argv: ["suggest", "list", "--status", "pending"],
      about: "List suggestions that have not been shown yet.",
    },
  ],
  async run({ status, session, trigger, since, limit, offset }, context) {
    const store = await context.openStore();
    // A server lists this command at every start and seldom runs it.
    const { listSuggestions } = await import("../../recall/edit/deliver/list_suggestions.ts");
    const { total, suggestions } = listSuggestions(store, {
      status,
      session: resolveSession(session, store, context),
      trigger: trigger === undefined ? undefined : parseTrigger(trigger),
      since: since && parseWhen(since, context.now()),
      limit,
      offset,
    });
    return {
      total,
      offset,
      suggestions: suggestions.map((row) => ({ ...row, title: titleOf(row) })),
    };
  },
  brief({ total, suggestions }) {
    return {
      total,
      suggestions: suggestions.map((
        { id, created_at, status, trigger, used_item_index, suggestions },
      ) => ({
        id,
        created_at: minuteOf(created_at),
        status,
        trigger: `${trigger.type} ${trigger.source}`,
        ...(used_item_index === undefined ? {} : { used_item_index }),
        // Numbered as feedback takes them.
        summary: suggestions.map(({ item, title }) =>
          `${item}. ${toLine(title, 100)}${item - 1 === used_item_index ? " (used)" : ""}`
        ).join("\n"),
      })),
    };
  },
  render: toSuggestionsScreen,
});

/** Its first item, and how many more there are. */
function titleOf({ suggestions: [first, ...more] }: ListedSuggestion): string {
  if (first === undefined) return "";
  return more.length === 0 ? first.title : `${first.title} (and ${more.length} more)`;
}

function parseTrigger(said: string): TriggerType {
  const type = findTriggerType(said);
  if (type !== undefined) return type;
  throw new CtxError("USAGE", `Unknown trigger "${said.slice(0, 80)}"`, {
    hint: `one of ${triggerTypes.join(", ")}`,
  });
}
