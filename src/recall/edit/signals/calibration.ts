// How much each kind of evidence is worth, all in one place. Pure. Three ways, because there are labels
// for two only:
// - With an edit at hand (`editedWeights`), files, commits and sections of documents are weighed
//   against each other, by weights that were fitted together. They add up as log odds.
// - Without an edit, what ties a file to the one at hand (`leadWeights`) adds up in the same way; these
//   were fitted on the first set only, with and without the edit.
// - Everything else (`evidenceWeights`) is about the share of items with only that evidence that were
//   relevant, by judgement where there were too few. At least one must hold.
// bench/suggest_fit.ts fits on the labelled cases of this repository's history, and of others, and says
// how weights do on commits they were not fitted on; bench/suggest_cases.md says how cases are labelled.

import type { Evidence, SuggestionType } from "./suggestion.ts";

/**
 * The log odds of a file about which nothing is known but that some signal led to it. Fitted at
 * -2.8; the rest is a choice: a file that is right one time in three by the labels, which know too
 * few of the right ones, scores a half and is said.
 */
export const leadBase = -2.15;

/**
 * What a signal of full strength adds to the log odds. The counts are of judged files with that
 * signal in the 89 labelled cases, right of all, with the edit known. Kinds after the blank line are
 * by judgement: there were no labels, too few, or (co_changed) only hours of history to learn from.
 */
export const leadWeights = {
  edit_callers: 2.6, // 22 of 36
  edit_uses: 1.75, // 18 of 26
  edit_words: 3, // 91 of 177, most of them of little strength
  edit_names: 0.75, // 40 of 59
  names_data: 2.5, // 9 of 9
  same_stem: 3.4, // 11 of 12
  test_of: 2.35, // 10 of 16
  imported_by: 2.95, // 34 of 119, most of them of little strength
  imports: 1.75, // 31 of 165, the same

  co_changed: 0.8, // 52 of 135; fitted at 0.5, the generated project asks for 0.9
  calls_focus: 4,
  called_by_focus: 1.6,
  near_recent: 0.25,
  // Full where hardly anything changed lately; where all did, as in the labelled cases, nothing.
  changed_recently: 1.2,
} as const;

/** One of the kinds above. */
export type LeadKind = keyof typeof leadWeights;

/**
 * With an edit at hand all items but decisions and warnings are weighed by one logistic regression
 * (a ridge of 0.5 towards `leadWeights`), fitted on the 183 labelled cases of this repository and on
 * 235 of two public ones that a rule labels. This is its base, shifted so that the operating point scores a
 * half: a probability of 0.39. With `sureMargin` that has a precision of .69 at a recall of .53 in
 * cross-validation by commit, and keeps silent in all of 10 silent cases.
 */
export const editedBase = -3;

/**
 * Weighed items are said only if one of them scores that much more than needed: where everything is a
 * guess, nothing is worth an interruption.
 */
export const sureMargin = 0.12;

/**
 * What evidence of full strength adds to the log odds of an item for an edit. Weights of signals that
 * go together (as edit_words with nearest_edit) mean something only together; evidence that
 * can only speak for an item is held at 0 or more. There were 57 weights; see
 * bench/suggest_cases.md.
 */
export const editedWeights = {
  // Fitted at 1.3; held higher, because in a small project direct callers are all there is. Costs
  // precision elsewhere: on hono .53 against .63 without it, fitted there.
  edit_callers: 3.4,
  edit_words: 2.25,
  names_data: 2.28,
  same_stem: 1.12,
  test_of: 0.41,
  imported_by: 3.08,
  co_changed: 0.54,
  wrote_lines: 2.86,
  doc_path: 1.05,
  doc_symbol: 1.16,
  doc_directory: 3.4,
  section_like_edit: 2.18,
  nearest_edit: 1.77,
  most_edit_words: 0.23,
  most_edit_names: 0.85,
  most_co_changed: 0.6,
  most_edit_uses: 2.44,
  is_section: 1.36,
  is_commit: 1.88,
  is_test: -0.3,
  is_document: -0.37,
  is_tool: -0.89,
  is_data: -0.53,
  same_class: -0.62,
  same_directory: 0.22,
  path_words: 2.55,
} as const;

/** One of the kinds above. */
export type EditedKind = keyof typeof editedWeights;

/** True if this evidence only shifts a score and is never shown as a reason. */
export function isAdjustment(kind: string): boolean {
  return kind in editedWeights && !(kind in leadWeights) && !(kind in evidenceWeights);
}

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
  doc_title: 0.28,
  doc_directory: 0.75,
  decision_directory: 0.3,
  own_history: 0.3,
  wrote_lines: 0.52, // 6 of 12
  failing_test: 0.92,
  failing_importer: 0.8,
  failing_trace: 0.85,
  deprecated: 0.78,
  reverted: 0.8,
} as const;

/** One of the kinds above. */
export type EvidenceKind = keyof typeof evidenceWeights;

/** A detected decision is worth less than one that was written down as such. */
export const detectedFactor = 0.85;

/** Evidence that ties a file to the one at hand; `strength` is a share of the full weight. */
export function leadOf(kind: LeadKind, strength: number, note: string): Evidence {
  const p = toProbability(leadBase + leadWeights[kind] * strength);
  return { kind, p, note, strength };
}

/** Evidence about an item for an edit. */
export function editedOf(kind: EditedKind, strength: number, note: string): Evidence {
  const odds = (editedWeights[kind] ?? 0) * strength;
  return { kind, p: toProbability(editedBase + odds), note, strength, odds };
}

/** How likely an item is to be relevant, with all its evidence; kept below certainty. */
export function combine(
  { type, evidence, base }: {
    type: SuggestionType;
    evidence: readonly { p: number; odds?: number }[];
    base?: number;
  },
): number {
  if (base !== undefined) {
    const odds = evidence.reduce((sum, item) => sum + (item.odds ?? 0), base);
    return Math.min(0.99, toProbability(odds));
  }
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

/**
 * How much it says that files changed together: the share of this file's commits that changed the
 * other, newer and smaller ones counting more, and more so when it was often; less what is to be
 * expected of a file that many commits change.
 */
export function coChangeStrength({ share, together, own, rate }: CoChange): number {
  const often = together < 3 ? 0 : Math.max(0, (together - 1) / (own + 2) - rate);
  const now = Math.min(1, 2 * Math.max(0, share - rate));
  return Math.min(maxCoChange, now + oftenFactor * often);
}

/** The generated project has months of commits, this repository hours: there it can be seen. */
const oftenFactor = 12;
const maxCoChange = 3.8;

/** How often two files changed together. */
export interface CoChange {
  /** By weight, out of all commits to this file. */
  share: number;
  together: number;
  own: number;
  /** In what share of the other commits the other file changed. */
  rate: number;
}

/** How likely an earlier commit to the file is to matter: a newer and a smaller one more. */
export function ownHistoryProbability({ rank, files }: { rank: number; files: number }): number {
  return evidenceWeights.own_history * (files <= 5 ? 1 : files <= 12 ? 0.8 : 0.5) * 0.85 ** rank;
}

/** The only importer is a caller to think of; one of several is a guess. */
export function importerStrength(importers: number): number {
  return importers === 1 ? 1 : importers <= 3 ? 0.5 : 0.5 / importers;
}

/** One of few says more than one of many. */
export function crowdFactor(count: number): number {
  return Math.min(1, 3 / count);
}

/** How rare a name is: 0 when it stands in a good part of the files, 1 when in hardly any. */
export function rarityOf(holders: number, files: number): number {
  // In a handful of files nothing is rare by count.
  const all = Math.max(200, files);
  const rarity = Math.log(all / (1 + holders)) / Math.log(all);
  return Math.max(0, Math.min(1, 3 * rarity - 1));
}

/** Strength of a topic by the share of its words that match: 0 up to 0.4, 1 when all do. */
export function topicShare(share: number): number {
  return Math.max(0, (share - 0.4) / 0.6);
}
