// What is remembered of earlier suggestions: what was shown where and when, and what came of it. Read
// from the end of the log: what is far back was shown in sessions that ended long ago.

import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import {
  type FeedbackEvent,
  readSuggestionEvents,
  type SuggestedEvent,
  type SuggestionEvent,
  type Verdict,
} from "./suggestion_log.ts";
import type { SuggestionType } from "./signals/suggestion.ts";

/** How often something was used and dismissed. */
export interface Tally {
  used: number;
  dismissed: number;
}

/** The memory as plain data. */
export interface SuggestionMemory {
  /** How far the log is in it. */
  offset: number;
  /** What a line must have to be read; without it, all are. */
  needles?: string[];
  kinds: Record<string, Tally>;
  entities: Record<string, Tally>;
  /** The newest verdicts by type: time and whether it was used. */
  verdicts: Partial<Record<SuggestionType, [ts: number, used: boolean][]>>;
  /** By session: what was shown, and as what. */
  shown: Record<string, Record<string, string>>;
  /** By session and trigger: when it last gave something. */
  triggers: Record<string, number>;
}

const keptVerdicts = 50;
/** What is read of the log: some hundred suggestions. A hook reads it before every edit. */
const tailBytes = 256 << 10;

/** Reads the memory; for one session or subscription, what was shown to others is passed over. */
export function readMemory(files: Files, layout: Layout, scope?: string): SuggestionMemory {
  const offset = Math.max(0, (files.findSize(layout.suggestions) ?? 0) - tailBytes);
  const own = scope === undefined ? "" : JSON.stringify(scope);
  // Lines are searched for plain characters.
  const needles = /^[ -~]+$/.test(own) ? [own, '"event":"feedback"'] : undefined;
  return catchUp({ ...emptyMemory(), offset, needles }, { files, layout });
}

/** Takes in the events that were logged since a memory was read. */
export function catchUp(
  memory: SuggestionMemory,
  { files, layout }: { files: Files; layout: Layout },
): SuggestionMemory {
  const { offset: from, needles } = memory;
  for (const { event, cursor } of readSuggestionEvents(files, layout, { from, needles })) {
    foldEvent(memory, event);
    memory.offset = cursor;
  }
  return memory;
}

export function emptyMemory(): SuggestionMemory {
  return { offset: 0, kinds: {}, entities: {}, verdicts: {}, shown: {}, triggers: {} };
}

export function foldEvent(memory: SuggestionMemory, event: SuggestionEvent): void {
  if (event.event === "suggested") foldSuggested(memory, event);
  else foldFeedback(memory, event);
}

/** The key of a trigger in a session or a subscription. */
export function triggerKey(scope: string | undefined, source: string): string {
  return `${scope ?? ""}\n${source}`;
}

function foldSuggested(memory: SuggestionMemory, event: SuggestedEvent): void {
  const scope = event.subscription_id ?? event.session_id;
  memory.triggers[triggerKey(scope, event.trigger.source)] = Date.parse(event.ts);
  if (scope === undefined) return;
  const shown = memory.shown[scope] ??= {};
  for (const item of event.items) shown[item.entity_id] = item.fingerprint;
}

function foldFeedback(memory: SuggestionMemory, event: FeedbackEvent): void {
  for (const { type, kind, entity_id, replaces } of event.items) {
    for (const tally of [tallyOf(memory.kinds, kind), tallyOf(memory.entities, entity_id)]) {
      tally[event.verdict]++;
      if (replaces !== undefined) tally[replaces] = Math.max(0, tally[replaces] - 1);
    }
    const list = memory.verdicts[type] ??= [];
    if (replaces !== undefined) removeNewest(list, replaces);
    list.push([Date.parse(event.ts), event.verdict === "used"]);
    if (list.length > keptVerdicts) list.shift();
  }
}

function removeNewest(list: [number, boolean][], verdict: Verdict): void {
  const at = list.findLastIndex(([, used]) => used === (verdict === "used"));
  if (at >= 0) list.splice(at, 1);
}

function tallyOf(tallies: Record<string, Tally>, key: string): Tally {
  return tallies[key] ??= { used: 0, dismissed: 0 };
}
