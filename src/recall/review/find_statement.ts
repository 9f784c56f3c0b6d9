// Finds the sentence of a text that states a requirement or a reason. Reports of work ("Added …", "All
// tests pass") and sentences that point elsewhere ("This …") do not count. English only. Pure.

import { toBlocks, toPlain, toSentences } from "../../core/rows/blocks.ts";
import { findSymbols, keyWords } from "../distil/key_words.ts";

const states =
  /\b(?:must(?:n't)?|never|always|only|cannot|can't|should(?:n't)?|don't|doesn't|do not|does not|won't|because|so that|otherwise|instead of|rather than|no longer|requires?|expects|needs? to|prefers?|ignores?|unless|every|whenever)\b/i;
const reports =
  /^\W*(?:done|all|here'?s|here is|now|added|removed|updated|changed|fixed|created|replaced|moved|renamed|refactored|implemented|extracted|committed|pushed|found|looking|let me|i|i'(?:ve|ll|m)|we'(?:ve|ll|re)|you|your|the (?:fix|changes?|commits?|tests?|build|lint|plan|user|issue|problem)|both|everything|tests?|this|that|these|those|it|they|there|yes|no|ok|great|good|perfect|what|why|how|if you|want|would|step|even though|\d+ \||error)\b/i;

const [minChars, maxChars, minWords] = [40, 240, 5];

/** The most telling one; undefined when there is none. */
export function findStatement(text: string): string | undefined {
  const found = toBlocks(text).filter(({ kind }) => kind === "paragraph" || kind === "item")
    .flatMap((block) => toSentences(toPlain(block.text.replace(/\s+/g, " "))))
    .map((sentence) => sentence.replace(/^(?:[-*+•]|\d+[.)])\s+/, "").trim())
    .filter((sentence) =>
      sentence.length >= minChars && sentence.length <= maxChars && states.test(sentence) &&
      !reports.test(sentence) && !/[?:]\W*$/.test(sentence) && keyWords(sentence).size >= minWords
    );
  const worthOf = (sentence: string): number => findSymbols(sentence).length;
  return found.toSorted((a, b) => worthOf(b) - worthOf(a))[0];
}
