// The one token estimator: every count in every result measures the text that is returned.

import { estimateTokenCount } from "tokenx";

/**
 * Characters per token where the estimator's own figures are off by more than a tenth, measured
 * against o200k_base on prose about software (test/core/tokens_test.ts checks it).
 */
const languageConfigs = [
  { pattern: /[\uac00-\ud7af]/, averageCharsPerToken: 1.9 },
  { pattern: /[\u3040-\u30ff]/, averageCharsPerToken: 1.5 },
  { pattern: /[\u3400-\u9fff]/, averageCharsPerToken: 1.5 },
];

/** About how many tokens a language model makes of a text. */
export function countTokens(text: string): number {
  return estimateTokenCount(text, { languageConfigs });
}
