// How much each kind of evidence is worth: about the share of items with only that evidence that were
// relevant in labelled cases (bench/suggest/suggest.ts). Pure.

/** The probability that an item is relevant when this is all that is known. */
export const evidenceWeights = {
  decision_file: 0.92,
  decision_path: 0.9,
  decision_name: 0.8,
  decision_symbol: 0.85,
  decision_defines: 0.72,
  decision_topic: 0.62,
  doc_path: 0.65,
  doc_name: 0.7,
  doc_symbol: 0.75,
  doc_defines: 0.5,
  calls_focus: 0.86,
  called_by_focus: 0.37,
  test_of: 0.6,
  only_importer: 0.69,
  imported_by: 0.35,
  imports: 0.54,
  changed_recently: 0.15,
  failing_test: 0.92,
  failing_importer: 0.8,
  deprecated: 0.78,
} as const;

export type EvidenceKind = keyof typeof evidenceWeights;

/** One reason to believe that an item is relevant. */
export interface Evidence {
  kind: string;
  p: number;
  /** The reason in words. */
  note: string;
}

/** Evidence of a kind; `factor` weakens it. */
export function toEvidence(kind: EvidenceKind, note: string, factor = 1): Evidence {
  return { kind, p: evidenceWeights[kind] * factor, note };
}

/** How likely it is that at least one reason holds; kept below certainty. */
export function combine(evidence: readonly { p: number }[]): number {
  return Math.min(0.99, 1 - evidence.reduce((miss, { p }) => miss * (1 - p), 1));
}
