// From candidates to what is said: absolute scores, feedback, thresholds, no repeats. Pure. Every
// number in a score is in its explanation.

import { suggestionTypes } from "../../core/row_kinds.ts";
import { compareText } from "../../core/text.ts";
import { combine } from "./signals/calibration.ts";
import type { SuggestionMemory, Tally } from "./suggestion_memory.ts";
import type { Candidate, SuggestionType } from "./signals/suggestion.ts";

/** How a score came about. */
export interface ScoreExplanation {
  evidence: { kind: string; p: number; note: string }[];
  /** The probability that some evidence holds. */
  combined: number;
  /** What feedback on this kind of item and on this very item does to it. */
  feedback: { kind: string; used: number; dismissed: number; factor: number };
  item_feedback: { used: number; dismissed: number; factor: number };
}

/** A suggestion. */
export interface RankedItem extends Candidate {
  relevance_score: number;
  reason: string;
  kind: string;
  explain: ScoreExplanation;
}

/** The rules of restraint. */
export interface RankOptions {
  limit: number;
  minScore: number;
  minPrecision: number;
  enabled: ReadonlySet<SuggestionType>;
  /** Where repeats count: a session or a subscription. */
  scope?: string;
  /** Also what was shown already. */
  repeat: boolean;
  now: number;
}

/** What is said, and how much is not. */
export interface Ranked {
  items: RankedItem[];
  withheld: { below_score: number; repeated: number; over_limit: number };
  silenced: SuggestionType[];
}

const verdictLifeMs = 30 * 86_400_000;
const minVerdicts = 8;
const verdictWindow = 20;

/** Scores, filters and orders candidates. */
export function rankSuggestions(
  candidates: Candidate[],
  memory: SuggestionMemory,
  options: RankOptions,
): Ranked {
  const silenced = suggestionTypes.filter((type) => isSilenced(memory, type, options));
  const allowed = candidates.filter((item) =>
    options.enabled.has(item.type) && !silenced.includes(item.type)
  );
  const scored = dedupe(allowed.map((item) => scoreOf(item, memory)).sort(compareItems));
  const relevant = scored.filter((item) => item.relevance_score >= options.minScore);
  const shown = options.scope === undefined ? {} : memory.shown[options.scope] ?? {};
  const fresh = options.repeat
    ? relevant
    : relevant.filter((item) => shown[item.entity_id] !== item.fingerprint);
  return {
    items: fresh.slice(0, options.limit),
    withheld: {
      below_score: scored.length - relevant.length,
      repeated: relevant.length - fresh.length,
      over_limit: Math.max(0, fresh.length - options.limit),
    },
    silenced,
  };
}

/** The measured precision of a type, when there are enough verdicts that are not too old. */
export function measuredPrecision(
  memory: SuggestionMemory,
  type: SuggestionType,
  now: number,
): { judged: number; precision?: number } {
  const recent = (memory.verdicts[type] ?? []).filter(([ts]) => now - ts < verdictLifeMs)
    .slice(-verdictWindow);
  if (recent.length < minVerdicts) return { judged: recent.length };
  const used = recent.filter(([, wasUsed]) => wasUsed).length;
  return { judged: recent.length, precision: used / recent.length };
}

/** Whether a type has been of too little use lately; verdicts expire, so that it speaks again. */
export function isSilenced(
  memory: SuggestionMemory,
  type: SuggestionType,
  options: { minPrecision: number; now: number },
): boolean {
  const { precision } = measuredPrecision(memory, type, options.now);
  return precision !== undefined && precision < options.minPrecision;
}

function scoreOf(item: Candidate, memory: SuggestionMemory): RankedItem {
  const evidence = [...item.evidence].sort((a, b) => b.p - a.p);
  const kind = `${item.type}/${evidence[0]?.kind ?? "none"}`;
  const combined = combine(item.evidence);
  const ofKind = memory.kinds[kind] ?? { used: 0, dismissed: 0 };
  const ofItem = memory.entities[item.entity_id] ?? { used: 0, dismissed: 0 };
  const feedback = { kind, ...ofKind, factor: round(kindFactor(ofKind)) };
  const itemFeedback = { ...ofItem, factor: round(itemFactor(ofItem)) };
  const score = Math.min(0.99, combined * feedback.factor * itemFeedback.factor);
  return {
    ...item,
    kind,
    relevance_score: round(score),
    reason: evidence.slice(0, 3).map(({ note }) => note).join("; "),
    explain: {
      evidence: evidence.map(({ kind, p, note }) => ({ kind, p: round(p), note })),
      combined: round(combined),
      feedback,
      item_feedback: itemFeedback,
    },
  };
}

const [mostOfKind, mostOfItem] = [1.25, 1.1];
export const mostFeedback = mostOfKind * mostOfItem;

/** Four imagined verdicts of each sort stand against the first real ones. */
function kindFactor({ used, dismissed }: Tally): number {
  return Math.min(mostOfKind, Math.max(0.4, 2 * (used + 4) / (used + dismissed + 8)));
}

/** An item that was dismissed and never used is half as welcome each time. */
function itemFactor({ used, dismissed }: Tally): number {
  if (used > 0) return mostOfItem;
  return 0.5 ** Math.min(4, dismissed);
}

/** One item per entity, and one per file among code and changes: the best. */
function dedupe(sorted: RankedItem[]): RankedItem[] {
  const seen = new Set<string>();
  return sorted.filter((item) => {
    const keys = [
      item.key ?? item.entity_id,
      ...(item.path === undefined ? [] : [`path:${item.path}`]),
    ];
    if (keys.some((key) => seen.has(key))) return false;
    for (const key of keys) seen.add(key);
    return true;
  });
}

function compareItems(a: RankedItem, b: RankedItem): number {
  return b.relevance_score - a.relevance_score ||
    suggestionTypes.indexOf(a.type) - suggestionTypes.indexOf(b.type) ||
    // The ids of entries begin with their time: of two decisions the later one holds.
    (a.type === "decision" ? compareText(b.entity_id, a.entity_id) : 0) ||
    compareText(a.entity_id, b.entity_id) || compareText(a.key ?? "", b.key ?? "");
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
