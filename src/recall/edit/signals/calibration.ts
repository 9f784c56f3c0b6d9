// How much each kind of evidence is worth, all in one place. Pure. What ties a file to the one at hand
// (`leadWeights`) adds up as log odds. Everything else (`evidenceWeights`) is about the share of items
// with only that evidence that were relevant: at least one must hold. The weights were fitted on
// labelled cases of this repository's history; bench/suggest.ts says how they do.

import type { Evidence, SuggestionType } from "./suggestion.ts";

/** The log odds of a file about which nothing is known but that some signal led to it. */
export const leadBase = -2.15;

/** What a signal of full strength adds to the log odds. */
export const leadWeights = {
  edit_callers: 2.6,
  edit_uses: 1.75,
  test_of: 2.35,
  imported_by: 2.95,
  imports: 2.3,
  calls_focus: 4,
  called_by_focus: 1.6,
  changed_recently: 0.4,
} as const;

/** One of the kinds above. */
export type LeadKind = keyof typeof leadWeights;

/** The probability that an item is relevant when this is all that is known. */
export const evidenceWeights = {
  decision_file: 0.92,
  decision_path: 0.9,
  decision_name: 0.8,
  decision_symbol: 0.85,
  decision_defines: 0.72,
  decision_topic: 0.62,
  decision_tag: 0.35,
  doc_path: 0.65,
  doc_name: 0.7,
  doc_symbol: 0.75,
  doc_defines: 0.5,
  failing_test: 0.92,
  failing_importer: 0.8,
  deprecated: 0.78,
} as const;

/** One of the kinds above. */
export type EvidenceKind = keyof typeof evidenceWeights;

/** Evidence that ties a file to the one at hand; `strength` is a share of the full weight. */
export function leadOf(kind: LeadKind, strength: number, note: string): Evidence {
  return { kind, p: toProbability(leadBase + leadWeights[kind] * strength), note };
}

/** How likely an item is to be relevant, with all its evidence; kept below certainty. */
export function combine(
  { type, evidence }: { type: SuggestionType; evidence: readonly { p: number }[] },
): number {
  if (type !== "related_code" && type !== "change") {
    let miss = 1;
    for (const { p } of evidence) miss *= 1 - p;
    return Math.min(0.99, 1 - miss);
  }
  let odds = leadBase;
  for (const { p } of evidence) odds += Math.log(p / (1 - p)) - leadBase;
  return Math.min(0.99, toProbability(odds));
}

function toProbability(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** The only importer is a caller to think of; one of several is a guess. */
export function importerStrength(importers: number): number {
  return importers === 1 ? 1 : importers <= 3 ? 0.5 : 0.5 / importers;
}

/** One of few imports that few others import is what a file is built on; the rest is a guess. */
export function importStrength(imports: number, importers: number): number {
  return importers <= 3 ? crowdFactor(imports) : Math.min(0.75, 2.25 / imports);
}

/** One of few says more than one of many. */
export function crowdFactor(count: number): number {
  return Math.min(1, 3 / count);
}

/** How rare a name is: 0 when a good part of the files use it, 1 when hardly any do. */
export function rarityOf(users: number, files: number): number {
  // In a handful of files nothing is rare by count.
  const all = Math.max(200, files);
  const rarity = Math.log(all / (1 + users)) / Math.log(all);
  return Math.max(0, Math.min(1, 3 * rarity - 1));
}

/** Strength of a topic by the share of its words that match: 0 up to 0.4, 1 when all do. */
export function topicShare(share: number): number {
  return Math.max(0, (share - 0.4) / 0.6);
}
