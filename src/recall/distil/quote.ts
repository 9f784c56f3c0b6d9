// Choosing what of a text to quote: whole blocks or sentences, in their order, within a bound. Pure.

import { alignToCharacter } from "../../core/text.ts";
import { type Block, toSentences } from "../../core/rows/blocks.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";

/** Records are short: what is longer is read in its evidence. */
export const maxTextChars = 600;

/** Blocks joined as they stood, up to the bound; what does not fit is left out whole, or cut at a sentence. */
export function joinBlocks(texts: readonly string[], maxChars = maxTextChars): string {
  let joined = "";
  for (const text of texts) {
    const room = maxChars - joined.length - 1;
    const piece = text.length <= room ? text : joined === "" ? cutAtSentence(text, room) : "";
    if (piece === "") break;
    joined += (joined === "" ? "" : "\n") + piece;
  }
  return joined;
}

/** As many whole sentences or lines from the front as fit; at least a piece of the first. */
export function cutAtSentence(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, alignToCharacter(text, maxChars));
  const stop = [...cut.matchAll(/[.!?](?=\s)|[。！？]/g)].at(-1)?.index ?? -1;
  const end = Math.max(cut.lastIndexOf("\n"), stop + 1);
  return end > maxChars / 3 ? cut.slice(0, end).trimEnd() : cut.trimEnd();
}

/** The sentences of a line; none ends at an abbreviation. */
export function toWholeSentences(line: string): string[] {
  const sentences: string[] = [];
  for (const part of toSentences(line)) {
    const last = sentences.at(-1);
    // "e.g. this" and `"Done." appears` are no ends of sentences.
    const goesOn = last !== undefined && (/^[\p{Ll}(]/u.test(part) || abbreviated.test(last));
    if (goesOn) sentences[sentences.length - 1] = `${last} ${part}`;
    else sentences.push(part);
  }
  return sentences;
}

const abbreviated = /\b(?:\p{L}|vs|cf|etc|approx|bzw|ca|evtl|ggf|inkl|nr|usw)\.$/iu;

/** The blocks of an answer that say most about what was asked, in their order. */
export function pickBlocks(blocks: readonly Block[], topic: ReadonlySet<string>): string[] {
  const scored = blocks.map((block, i) => ({ block, i, score: scoreBlock(block, i, topic) }))
    .filter(({ block, score }) => block.kind !== "heading" && score > 0);
  const chosen = new Set<number>();
  let chars = 0;
  for (const { block, i } of scored.toSorted((a, b) => b.score - a.score || a.i - b.i)) {
    const head = headingOf(blocks, i);
    const isNewHead = head >= 0 && !chosen.has(head);
    const cost = block.text.length + 1 + (isNewHead ? blocks[head].text.length + 1 : 0);
    if (chars > 0 && chars + cost > maxTextChars) continue;
    chosen.add(i);
    if (isNewHead) chosen.add(head);
    chars += cost;
  }
  return [...chosen].sort((a, b) => a - b).map((i) => blocks[i].text);
}

function scoreBlock({ kind, text }: Block, i: number, topic: ReadonlySet<string>): number {
  if (kind === "code" && text.length > 300) return 0;
  if (isAnnouncement(text)) return 0;
  const kinds = { heading: 0, paragraph: 1, item: 1, table: 0.8, code: 0.3 };
  return kinds[kind] + 2 * shareOf(topic, keyWords(text)) + (i <= 1 ? 0.8 : 0) +
    (/\d|`|\*\*/.test(text) ? 0.4 : 0) + (doneWords.test(text) ? 0.5 : 0) -
    (/\?\W*$/.test(text) ? 1.2 : 0) - i * 0.02;
}

const doneWords =
  /\b(?:added|fixed|created|updated|removed|implemented|changed|replaced|moved|renamed|passes|passed|failed|works?|now|built|committed|reverted|supports?|is set|default)\b/i;

function headingOf(blocks: readonly Block[], at: number): number {
  for (let i = at - 1; i >= 0; i--) if (blocks[i].kind === "heading") return i;
  return -1;
}

/** Sentences that match, each with the one after it when that gives its reason. */
export function pickSentences(text: string, pattern: RegExp): string[] {
  const sentences = toSentences(text);
  return sentences.filter((sentence, i) =>
    pattern.test(sentence) ||
    (i > 0 && pattern.test(sentences[i - 1]) &&
      /^(?:because|since|so|otherwise|it|that|this)\b/i.test(sentence))
  );
}

/** An item that is not ticked, or a step that is named in its own line. */
export const looseStep =
  /^\s*[-*+]\s+\[ \]|^\W*(?:next steps?|(?:(?:still|left) )?to[- ]?do|still (?:open|missing)|left open|remaining|follow-?up)\W{0,3}:\s*\S/i;

export const nextHeading =
  /\b(?:next steps?|to-?dos?(?![\w-]| ?(?:app|list|item))|remaining|left to do|follow-?ups?|what'?s next|still (?:needs?|to do|missing|open)|not (?:yet )?(?:done|implemented)|open (?:questions?|issues?|items?)|known (?:issues?|limitations?|gaps?)|future (?:work|improvements?)|outstanding|pending|次のステップ|残り)\b/i;

/** Points to what stands elsewhere, which nobody knows later: "#12", where that is no colour as "#1e90ff" is. */
export const pointsElsewhere = /\b(?:these|those)\b|#[1-9]\d{0,4}\b/i;
