// Marks the words of a text that a query matches.

import type { View } from "../../command/view.ts";

/** Marks words wherever they stand whole; those of scripts without spaces wherever they stand. */
export function highlighter(
  words: readonly string[] | undefined,
  view: Pick<View, "match">,
): (text: string) => string {
  if (!words?.length) return (text) => text;
  const pattern = patternOf(words);
  return (text) => text.replace(pattern, (found) => view.match(found));
}

/** The place of the first word in a text; -1 when there is none. */
export function findMatch(text: string, words: readonly string[] | undefined): number {
  return words?.length ? text.search(patternOf(words)) : -1;
}

const patterns = new WeakMap<readonly string[], RegExp>();

function patternOf(words: readonly string[]): RegExp {
  let pattern = patterns.get(words);
  if (pattern === undefined) {
    const [unspaced, spaced] = [
      words.filter(isUnspaced),
      words.filter((word) => !isUnspaced(word)),
    ];
    const whole = spaced.length === 0
      ? []
      : [`(?<![\\p{L}\\p{N}\\p{M}_])(?:${spaced.map(escape).join("|")})(?![\\p{L}\\p{N}\\p{M}_])`];
    pattern = new RegExp([...whole, ...unspaced.map(escape)].join("|"), "giu");
    patterns.set(words, pattern);
  }
  return pattern;
}

function isUnspaced(word: string): boolean {
  return /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af]/.test(word);
}

/** Words hold letters, digits and `_` only. */
function escape(word: string): string {
  return word.replace(/[^\p{L}\p{N}\p{M}_]/gu, "");
}
