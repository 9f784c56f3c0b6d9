// The one token estimator: every count in every result measures the text that is returned.
// Tokenx's figures; ASCII, which is nearly everything, is counted here thirty times as fast.

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

const word = 0;
const space = 1;
const mark = 2;
const other = 3;

/** What each ASCII character is to the estimator. */
const kinds = new Uint8Array(128);
for (const unit of [9, 10, 11, 12, 13, 32]) kinds[unit] = space;
for (const character of '.,!?;(){}[]<>:/\\|@#$%^&*+=`~_"-') kinds[character.charCodeAt(0)] = mark;

/** About how many tokens a language model makes of a text. */
export function countTokens(text: string): number {
  let tokens = 0;
  let before = word;
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    let end = at + 1;
    while (end < text.length && kindAt(text, end) === kind) end++;
    if (kind === other || (kind === word && kindAt(text, end) === other)) {
      // Up to the next space the estimator sees these characters as we would pass them on.
      while (end < text.length && kindAt(text, end) !== space) end++;
      tokens += estimateTokenCount(text.slice(at, end), { languageConfigs });
      before = isMark(text[end - 1]) ? mark : word;
    } else {
      tokens += kind === space
        ? spaceTokens(text, at, end, before === mark)
        : kind === mark
        ? (end - at <= 3 ? 1 : Math.ceil((end - at) / 6))
        : wordTokens(text, at, end);
      before = kind;
    }
    at = end;
  }
  return tokens;
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? kinds[unit] : other;
}

/** Space counts where it carries structure: indentation, blank lines, line ends after words. */
function spaceTokens(text: string, from: number, to: number, afterMark: boolean): number {
  for (let i = from; i < to; i++) {
    if (text.charCodeAt(i) === 10) return i < to - 1 || !afterMark ? 1 : 0;
  }
  return 0;
}

function wordTokens(text: string, from: number, to: number): number {
  const length = to - from;
  if (isAll(text, from, to, 48, 57)) return Math.ceil(length / 3);
  if (length <= 3 || (length <= 8 && isAll(text, from, to, 97, 122))) return 1;
  return Math.ceil(length / 7);
}

function isAll(text: string, from: number, to: number, low: number, high: number): boolean {
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit < low || unit > high) return false;
  }
  return true;
}

function isMark(character: string): boolean {
  const unit = character.charCodeAt(0);
  return unit < 128
    ? kinds[unit] === mark
    : /[\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u30FB\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65]/
      .test(character);
}
