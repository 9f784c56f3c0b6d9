// What is remembered of earlier suggestions: what was shown where and when, and what came of it. A
// fold of the log, kept as derived data up to a place so that a hook reads only the newest events.

import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { findKeptJson, keepJson } from "./tables/checked_json.ts";
import {
  type FeedbackEvent,
  readSuggestionEvents,
  type SuggestedEvent,
  type SuggestionEvent,
  type Verdict,
} from "./suggestion_log.ts";
import { TableDamage } from "./tables/table_damage.ts";
import type { SuggestionType } from "./signals/suggestion.ts";

/** How often something was used and dismissed. */
export interface Tally {
  used: number;
  dismissed: number;
}

/** The memory as plain data. */
export interface SuggestionMemory {
  version: number;
  /** How far the log is in it. */
  offset: number;
  kinds: Record<string, Tally>;
  entities: Record<string, Tally>;
  /** The newest verdicts by type: time and whether it was used. */
  verdicts: Partial<Record<SuggestionType, [ts: number, used: boolean][]>>;
  /** By session: what was shown, and as what. */
  shown: Record<string, Record<string, string>>;
  /** By session and trigger: when it last gave something. */
  triggers: Record<string, number>;
}

const version = 1;
const keptVerdicts = 50;
const keptSessions = 40;
const keptTriggers = 400;
const keptEntities = 2000;
const rewriteBytes = 32 << 10;

/** Reads the memory: the kept fold and the events since. */
export function readMemory(files: Files, layout: Layout): SuggestionMemory {
  const size = files.findSize(layout.suggestions) ?? 0;
  const kept = readKept(files, layout);
  const memory = kept !== undefined && kept.offset <= size ? kept : emptyMemory();
  return memory.offset === size ? memory : catchUp(memory, { files, layout });
}

/** Takes in the events that were logged since a memory was read. */
export function catchUp(
  memory: SuggestionMemory,
  { files, layout }: { files: Files; layout: Layout },
): SuggestionMemory {
  for (const { event, cursor } of readSuggestionEvents(files, layout, { from: memory.offset })) {
    foldEvent(memory, event);
    memory.offset = cursor;
  }
  return memory;
}

/** Keeps the memory when the log has grown enough since it was kept. */
export function keepMemory(files: Files, layout: Layout, memory: SuggestionMemory): void {
  const before = readKept(files, layout)?.offset ?? 0;
  if (memory.offset - before < rewriteBytes) return;
  files.makeDirectory(layout.index);
  keepJson(files, pathOf(layout), prune(memory));
}

/** A memory of nothing. */
export function emptyMemory(): SuggestionMemory {
  return { version, offset: 0, kinds: {}, entities: {}, verdicts: {}, shown: {}, triggers: {} };
}

/** Takes one event in. */
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
  const shown = memory.shown[scope] ?? {};
  delete memory.shown[scope];
  memory.shown[scope] = shown;
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

/** The newest of everything: the log keeps the rest. */
function prune(memory: SuggestionMemory): SuggestionMemory {
  const newest = <T>(values: Record<string, T>, count: number): Record<string, T> =>
    Object.fromEntries(Object.entries(values).slice(-count));
  return {
    ...memory,
    entities: newest(memory.entities, keptEntities),
    shown: newest(memory.shown, keptSessions),
    triggers: newest(memory.triggers, keptTriggers),
  };
}

/** A damaged fold is made anew from the log, which is the truth. */
function readKept(files: Files, layout: Layout): SuggestionMemory | undefined {
  try {
    const memory = findKeptJson(files, pathOf(layout)) as SuggestionMemory | undefined;
    return memory?.version === version ? memory : undefined;
  } catch (error) {
    if (error instanceof TableDamage) return undefined;
    throw error;
  }
}

function pathOf(layout: Layout): string {
  return `${layout.index}/suggest.memory.json`;
}
