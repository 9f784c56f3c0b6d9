// How much each kind of evidence is worth: about the share of labelled items with only that evidence
// that were relevant, on the development half of this repository's history where it has enough of
// them, by judgement where not. bench/suggest.ts measures what they give together, also on the other
// half; bench/suggest_cases.md says how the cases were labelled. Pure.

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
  test_of: 0.72,
  test_name: 0.55,
  same_stem: 0.75,
  edit_uses: 0.8,
  edit_imports: 0.6,
  edit_callers: 0.75,
  edit_shares: 0.6,
  own_history: 0.3,
  calls_focus: 0.85,
  called_by_focus: 0.34,
  imported_by: 0.6,
  imports: 0.15,
  near_recent: 0.12,
  changed_recently: 0.08,
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

/** The probability that at least one piece of evidence holds, kept below certainty. */
export function combine(ps: number[]): number {
  let miss = 1;
  for (const p of ps) miss *= 1 - p;
  return Math.min(0.99, 1 - miss);
}

/**
 * How likely a file is to matter because both changed together: the share of this file's commits,
 * shrunk towards nothing while there are few.
 */
export function coChangeProbability(together: number, alone: number): number {
  if (together < 2) return 0;
  return Math.min(0.9, (together + 0.5) / (alone + 2));
}

/** How likely an earlier commit to the file is to matter: a newer and a smaller one more. */
export function ownHistoryProbability({ rank, files }: { rank: number; files: number }): number {
  return evidenceWeights.own_history * (files <= 5 ? 1 : files <= 12 ? 0.8 : 0.5) * 0.85 ** rank;
}

/** An importer among many says little: the weight falls with the number of importers. */
export function crowdFactor(count: number): number {
  return count <= 3 ? 1 : Math.max(0.3, 3 / count + 0.2);
}

/** The only importer is a caller to think of; one of several is a guess. */
export function importerFactor(importers: number): number {
  return importers === 1 ? 1 : importers <= 3 ? 0.75 : crowdFactor(importers) * 0.75;
}

/** What everything uses says little about an edit that uses it too. */
export function hubFactor(importers: number): number {
  return importers <= 5 ? 1 : importers <= 15 ? 0.75 : importers <= 40 ? 0.4 : 0.15;
}

/** How much of what is asked a topic covers: a half is nothing, all of it is everything. */
export function topicShare(share: number): number {
  return Math.max(0, (share - 0.4) / 0.6);
}
