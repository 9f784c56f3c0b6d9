// The one token estimator: every count in every result measures the text that is returned.
// Tokenx's figures; ASCII, which is nearly everything, is counted here several times as fast.

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

/** What each ASCII character is to the estimator, as bits; runs of one group are segments. */
const lower = 1;
const digit = 2;
const letter = 4;
const word = lower | digit | letter;
const space = 8;
const newline = 16;
const mark = 32;

const kinds = new Uint8Array(0x2800).fill(letter, 0, 128);
kinds.fill(lower, 97, 123).fill(digit, 48, 58).fill(space, 9, 14)[32] = space;
kinds[10] = space | newline;
for (const character of '.,!?;(){}[]<>:/\\|@#$%^&*+=`~_"-') kinds[character.charCodeAt(0)] = mark;
// Dashes, quotes, arrows and lines that outputs are full of, and where a text was cut. The estimator
// takes them for letters, but is slow to.
for (const [from, to] of [[0x2010, 0x2028], [0x2190, 0x2194], [0x2500, 0x25a0]]) {
  kinds.fill(letter, from, to);
}
kinds[0x23bf] =
  kinds[0x25cf] =
  kinds[0x2713] =
  kinds[0x2717] =
    letter;

/** Of longer texts so many characters stand for the rest. */
const maxCounted = 1 << 20;

/** About how many tokens a language model makes of a text. */
export function countTokens(text: string): number {
  if (text.length > maxCounted) {
    return Math.round(countTokens(text.slice(0, maxCounted)) * (text.length / maxCounted));
  }
  let tokens = 0;
  let at = 0;
  let afterMark = false;
  while (at < text.length) {
    const first = kindAt(text, at);
    const group = first & word ? word : first & space ? space : first;
    // What all characters of the segment are, together; 0 is outside ASCII.
    let kind = first;
    let end = at + 1;
    let next = 0;
    for (; end < text.length; end++) {
      // `kindAt`, written out: short commands run this loop interpreted.
      const unit = text.charCodeAt(end);
      next = unit < kinds.length ? kinds[unit] : 0;
      if ((next & group) === 0) break;
      kind |= next;
    }
    if (group === 0 || (group === word && end < text.length && next === 0)) {
      // Up to the next space the estimator sees these characters as we would pass them on.
      while (end < text.length && (kindAt(text, end) & space) === 0) end++;
      tokens += estimateTokenCount(text.slice(at, end), { languageConfigs });
      afterMark = isMark(text[end - 1]);
    } else {
      if (group === word) tokens += wordTokens(kind, end - at);
      else if (group === mark) tokens += end - at <= 3 ? 1 : Math.ceil((end - at) / 6);
      else if (kind & newline) tokens += spaceTokens(text, at, end, afterMark);
      afterMark = group === mark;
    }
    at = end;
  }
  return tokens;
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < kinds.length ? kinds[unit] : 0;
}

/** Space counts where it carries structure: indentation, blank lines, line ends after words. */
function spaceTokens(text: string, from: number, to: number, afterMark: boolean): number {
  if (!afterMark) return 1;
  for (let i = from; i < to - 1; i++) if (text.charCodeAt(i) === 10) return 1;
  return 0;
}

function wordTokens(kind: number, length: number): number {
  if (kind === digit) return Math.ceil(length / 3);
  if (length <= 3 || (length <= 8 && kind === lower)) return 1;
  return Math.ceil(length / 7);
}

function isMark(character: string): boolean {
  const unit = character.charCodeAt(0);
  return unit < 128 ? kinds[unit] === mark : cjkPunctuation.test(character);
}

const cjkPunctuation =
  /[\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u30FB\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65]/;
