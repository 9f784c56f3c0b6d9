// How much each kind of evidence is worth, all in one place. Pure. Three ways, because there are labels
// for two only:
// - With an edit at hand (`editedWeights`), files, commits and sections of documents are weighed
//   against each other, by weights that were fitted together. They add up as log odds.
// - Without an edit, what ties a file to the one at hand (`leadWeights`) adds up in the same way; these
//   were fitted on the first set only, with and without the edit.
// - Everything else (`evidenceWeights`) is about the share of items with only that evidence that were
//   relevant, by judgement where there were too few. At least one must hold.
// bench/suggest_fit.ts fits on the labelled cases of this repository's history and says how weights do
// on commits they were not fitted on; bench/suggest_cases.md says how the cases were labelled.

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
  edit_twins: 0.95, // 4 of 6
  names_data: 2.5, // 9 of 9
  names_code: 1.2, // 3 of 5
  same_stem: 3.4, // 11 of 12
  alike: 0.7, // 11 of 47
  test_of: 2.35, // 10 of 16
  imported_by: 2.95, // 34 of 119, most of them of little strength
  imports: 1.75, // 31 of 165, the same
  hub: -0.55, // 38 of 168

  co_changed: 0.8, // 52 of 135; fitted at 0.5, the generated project asks for 0.9
  edit_shares: 1.6, // 8 of 11
  calls_focus: 4,
  called_by_focus: 1.6,
  near_recent: 0.25,
  changed_recently: 0.05,
} as const;

/** One of the kinds above. */
export type LeadKind = keyof typeof leadWeights;

/**
 * With an edit at hand all items but decisions and warnings are weighed by one logistic regression
 * (a ridge of 0.5 towards `leadWeights`), fitted on the 183 labelled cases of both sets by
 * bench/suggest_fit.ts. This is its base, shifted so that the operating point scores a half: a
 * probability of 0.43. With `sureMargin` that has a precision of .72 at a recall of .51 in
 * cross-validation by commit, and keeps silent in 9 of 10 silent cases.
 */
export const editedBase = -2.74;

/**
 * Weighed items are said only if one of them scores that much more than needed: where everything is a
 * guess, nothing is worth an interruption.
 */
export const sureMargin = 0.12;

/**
 * What evidence of full strength adds to the log odds of an item for an edit. The counts are of judged
 * items that have it, right of all. Weights of signals that go together (as edit_uses with
 * most_edit_uses) mean something only together; what by its nature speaks for an item has at least 0.
 * What has no labels is by judgement.
 */
export const editedWeights = {
  edit_callers: 2.6, // 48 of 95; fitted at 1.5, kept for small projects at the same figures
  edit_uses: 0.46, // 103 of 134
  edit_words: 2.43, // 320 of 730
  edit_names: 0.16, // 167 of 331
  edit_twins: 1.44, // 9 of 14
  edit_shares: 0.1, // 17 of 24
  names_data: 3.33, // 27 of 54
  names_code: 1.13, // 5 of 11
  same_stem: 2.57, // 28 of 55
  alike: 0.52, // 24 of 112
  test_of: 1.74, // 32 of 53
  imported_by: 2.14, // 70 of 218
  imports: 0.83, // 73 of 307
  hub: -0.45, // 120 of 363
  co_changed: 0.65, // 155 of 482
  calls_focus: 1.54, // 6 of 10
  called_by_focus: 0.45, // 3 of 18
  near_recent: 0.25, // by judgement
  changed_recently: 0.1, // 252 of 514
  own_history: 1.05, // 42 of 251
  wrote_lines: 3.25, // 20 of 36
  doc_path: 1.07, // 1 of 1
  doc_name: 0, // 4 of 15
  doc_symbol: 1.14, // 1 of 1
  doc_defines: 0.5, // by judgement
  doc_title: 0, // 15 of 57
  doc_directory: 3.77, // 14 of 15
  like_edit: 0.75, // 485 of 1468
  like_file: 0, // 512 of 1647
  commit_like_edit: -0.22, // 45 of 172
  commit_like_file: -0.61, // 53 of 244
  section_like_edit: 1.97, // 26 of 57
  section_like_file: 0.27, // 31 of 74
  nearest_edit: 1.18, // 485 of 1468
  nearest_file: 1.25, // 512 of 1647
  most_edit_words: 0.4, // 320 of 730
  most_edit_names: 0.69, // 167 of 331
  most_co_changed: 0.1, // 155 of 482
  most_edit_uses: 2.97, // 103 of 134
  crowd: -0.25, // 528 of 1767
  signals: -0.04, // 528 of 1767
  is_section: 1.39, // 33 of 83
  is_commit: 1.55, // 62 of 287
  is_test: -0.58, // 68 of 240
  is_document: -0.55, // 30 of 123
  is_tool: -1.33, // 25 of 91
  is_code: -0.11, // 303 of 915
  is_data: -0.37, // 7 of 28
  same_class: -0.63, // 225 of 770
  same_directory: 0.34, // 173 of 457
  path_words: 1.79, // 304 of 786
  for_test: -0.02,
  for_document: -0.44,
  for_tool: 0.13,
  for_code: 0.33,
  for_data: -0.01,
  for_root: -0.42,
} as const;

/** One of the kinds above. */
export type EditedKind = keyof typeof editedWeights;

/** Whether evidence only adjusts what signals say: alone it is no reason. */
export function isAdjustment(kind: string): boolean {
  return kind === "hub" ||
    (kind in editedWeights && !(kind in leadWeights) && !(kind in evidenceWeights));
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

/** How much of what is asked a topic covers: a half is nothing, all of it is everything. */
export function topicShare(share: number): number {
  return Math.max(0, (share - 0.4) / 0.6);
}
