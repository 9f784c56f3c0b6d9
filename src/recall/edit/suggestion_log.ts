// The log of suggestions and feedback: `suggestions.ndjson`, append-only. Polling, SSE and webhooks
// read it by cursor. What an entry says is not copied here: readers fill it in from the store, so
// that what was forgotten is forgotten here too.

import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readLines } from "../../disk/lines.ts";
import { triggerTypes } from "../../core/row_kinds.ts";
import type { feedback, loggedItem, suggested, trigger } from "../../formats/proactive_row.ts";
import type { RowOf } from "../../formats/row_schema.ts";

export type LoggedItem = RowOf<typeof loggedItem>;

/** One of `triggerTypes`. */
export type TriggerType = typeof triggerTypes[number];

/** Other words for them: of logs of older versions, and of other tools. */
const otherTriggers: Record<string, TriggerType> = {
  entry: "activity",
  file_change: "file",
  symbol_focus: "symbol",
};

/** The trigger that a word means, or undefined. */
export function findTriggerType(said: string): TriggerType | undefined {
  return Object.hasOwn(otherTriggers, said)
    ? otherTriggers[said]
    : triggerTypes.find((type) => type === said);
}

/** What a suggestion was made for. */
export type Trigger = Omit<RowOf<typeof trigger>, "type"> & { type: TriggerType };

export type SuggestedEvent = Omit<RowOf<typeof suggested>, "trigger"> & { trigger: Trigger };

/** Whether an item was of use. */
export type Verdict = "used" | "dismissed";

export type FeedbackEvent = RowOf<typeof feedback>;

export const suggestionStates = ["pending", "shown", "used", "dismissed"] as const;
/** One of `suggestionStates`. */
export type SuggestionState = typeof suggestionStates[number];

/** A line of the log. */
export type SuggestionEvent = SuggestedEvent | FeedbackEvent;

/** An event and where the log goes on after it. */
export interface LoggedEvent<E extends SuggestionEvent = SuggestionEvent> {
  event: E;
  cursor: number;
}

/** The events from a cursor on, in order; lines that are none are passed over. */
export function* readSuggestionEvents(
  files: Files,
  layout: Layout,
  options: { from?: number; needles?: string[] } = {},
): Generator<LoggedEvent> {
  for (const { offset, bytes } of readLines(files, layout.suggestions, options)) {
    const event = parseEvent(bytes);
    if (event !== undefined) yield { event, cursor: offset + bytes.length + 1 };
  }
}

/** A suggestion, where the log goes on after it, and the last verdicts on its items. */
export interface JudgedSuggestion extends LoggedEvent<SuggestedEvent> {
  verdicts: Map<number, Verdict>;
}

/** All suggestions with the verdicts on them, in the order of the log. */
export function readJudged(
  files: Files,
  layout: Layout,
  options: { needles?: string[] } = {},
): JudgedSuggestion[] {
  const made = new Map<string, LoggedEvent<SuggestedEvent>>();
  const verdicts = new Map<string, Map<number, Verdict>>();
  for (const { event, cursor } of readSuggestionEvents(files, layout, options)) {
    if (event.event === "suggested") {
      made.set(event.id, { event, cursor });
      continue;
    }
    const known = verdicts.get(event.id) ?? new Map();
    verdicts.set(event.id, known);
    for (const { item } of event.items) known.set(item, event.verdict);
  }
  return [...made].map(([id, one]) => ({ ...one, verdicts: verdicts.get(id) ?? new Map() }));
}

/** The suggestion of that id with the verdicts on its items, or undefined. */
export function findSuggestion(
  files: Files,
  layout: Layout,
  id: string,
): JudgedSuggestion | undefined {
  return readJudged(files, layout, { needles: [JSON.stringify(id)] })
    .find(({ event }) => event.id === id);
}

/** What came of the items: used when one was, dismissed when all were. */
export function judge(
  items: number,
  verdicts: ReadonlyMap<number, Verdict>,
): { status?: "used" | "dismissed"; used?: number } {
  const used = [...verdicts].filter(([, verdict]) => verdict === "used").map(([item]) => item);
  if (used.length > 0) return { status: "used", used: Math.min(...used) - 1 };
  return verdicts.size === items ? { status: "dismissed" } : {};
}

function parseEvent(bytes: Uint8Array): SuggestionEvent | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    const known = (value?.event === "suggested" || value?.event === "feedback") &&
      typeof value.id === "string" && Array.isArray(value.items);
    if (!known || value.event === "feedback") return known ? value : undefined;
    const type = findTriggerType(value.trigger?.type) ?? "activity";
    return { ...value, trigger: { ...value.trigger, type } };
  } catch {
    return undefined;
  }
}
