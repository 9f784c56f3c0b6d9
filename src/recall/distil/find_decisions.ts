// Decisions: what was chosen, why, and what was not. The user chooses (in words, or one of the options
// that an answer offered), or an answer says what it chose and why. Pure.

import type { Entry } from "../../core/entry.ts";
import { type Block, toBlocks } from "../../core/rows/blocks.ts";
import { isDecided } from "../../core/rows/decision_words.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { joinBlocks, looseStep, maxTextChars, nextHeading, pickSentences } from "./quote.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";
import { type Candidate, isTypedAlone, type Report, type Scene } from "./scenes.ts";

/** The decisions of a session. */
export function findDecisions(scenes: readonly Scene[]): Candidate[] {
  return scenes.flatMap((scene, i) => [
    ...findChosen(scene, scenes[i - 1]),
    ...findReasoned(scene, scenes[i + 1]),
  ]);
}

/** What the user chose. */
function findChosen(scene: Scene, before: Scene | undefined): Candidate[] {
  if (scene.isSide || scene.prompts.length === 0) return [];
  const option = findOption(scene.asked, before?.answer);
  if (option && before?.answer) {
    const text = joinBlocks([scene.asked, ...option.map(({ text }) => text)]);
    const evidence = [...scene.prompts, before.answer.entry];
    return [{ type: "decision", about: option[0].heading, text, evidence, scene, score: 4 }];
  }
  const chosen = scene.asked.length <= 3000
    ? pickSentences(scene.asked, chooses).filter((line) => !asks.test(line))
    : [];
  if (chosen.length === 0) return [];
  // A first prompt asks for something; it chooses only where it also turns something down.
  const first = chosen.join(" ");
  if (before === undefined && !(contrasts.test(first) && wants.test(first))) return [];
  const isShort = scene.asked.length <= maxTextChars;
  const reason = findReason(scene);
  return [{
    type: "decision",
    text: joinBlocks([isShort ? scene.asked : chosen.join("\n"), ...reason.texts]),
    evidence: [...scene.prompts, ...reason.evidence],
    scene,
    score: 4 + (contrasts.test(chosen.join(" ")) ? 1 : 0),
    isHeld: keyWords(first).size >= 4 && settles.test(first) && turnsDown.test(first) &&
      isTypedAlone(scene),
  }];
}

const chooses =
  /\b(?:let'?s (?:use|go|do|keep|stick|switch|make|move|not|drop|skip)|we (?:do|will|'ll|want|are going to|should) (?!know|see|talk|discuss)|i(?:'d| would) rather|go(?:ing)? with|instead of|rather than|switch(?:ing)? to|stick with|i (?:prefer|choose|pick|want to use)|i think (?:we|the|it|this)\b.{0,80}\b(?:needs?|should|want)|decided|option [a-d1-9])\b/i;
/** A choice that names what it is for and what it is against. */
const settles =
  /\b(?:let'?s (?:use|go with|keep|stick|switch|move|drop)|we (?:will|'ll|are going to)? ?(?:use|go|keep|stick|switch|move)\b|go(?:ing)? with|switch(?:ing)? to|stick with|decided)/i;
const turnsDown = /\b(?:instead of|rather than|no longer|(?:,|and) not|over)\s+\w/i;
/** A question chooses nothing, unless it is a view put politely. */
const asks = /^(?!\W*(?:i think|we want|let'?s)\b)(?!.*\bbecause\b).*\?\W*$/i;
const wants =
  /\b(?:let'?s|use|using|go with|we (?:want|do|need|should)|i(?:'d| want| prefer| think we))\b/i;
const contrasts = /\b(?:instead|rather than|not|over|switch|rather|drop|no longer)\b/i;

/** How the answer to a choice begins: it says what the choice means. */
function findReason({ reports, turns, asked }: Scene): { texts: string[]; evidence: Entry[] } {
  const first = turns[0]?.entry;
  const blocks = reports[0]?.blocks ?? (first ? toBlocks(first.text) : []);
  const lead = blocks.find(({ kind, text }) => kind === "paragraph" && !isAnnouncement(text));
  const entry = reports[0]?.entry ?? first;
  const isAbout = lead !== undefined && shareOf(keyWords(lead.text), keyWords(asked)) >= 0.15;
  if (!isAbout || entry === undefined || lead.text.length > 300) {
    return { texts: [], evidence: [] };
  }
  return { texts: [lead.text], evidence: [entry] };
}

/** The blocks of the option that a reply like "A" or "2" names. */
function findOption(asked: string, answer: Report | undefined): Block[] | undefined {
  const named = /^(?:option\s*)?([a-d]|[1-9])[).\s]*(?:please)?$/i.exec(asked.trim())?.[1];
  if (named === undefined || answer === undefined) return undefined;
  const head = new RegExp(`^[\\s#>*-]*(?:option\\s*)?${named}[).:*\\s]`, "i");
  const at = answer.blocks.findLastIndex(({ text }) => head.test(text));
  if (at < 0) return undefined;
  const end = answer.blocks.findIndex(({ kind, text }, i) =>
    i > at && (kind === "heading" || /^[\s#>*-]*(?:option\s*)?(?:[a-d]|[1-9])[).:*]/i.test(text))
  );
  return answer.blocks.slice(at, end < 0 ? at + 4 : end);
}

/** What an answer says it chose, recommends or rejects, with its reasons. */
function findReasoned(scene: Scene, next: Scene | undefined): Candidate[] {
  const found = scene.reports.flatMap((report) =>
    report.blocks.map((block, i) => ({ report, block, i, score: scoreDecision(block) }))
  ).filter(({ score }) => score >= 2);
  const best = [...Map.groupBy(found, ({ report }) => report).values()]
    .map((inOne) => inOne.reduce((a, b) => b.score > a.score ? b : a));
  return best.toSorted((a, b) => b.score - a.score).slice(0, perScene)
    .flatMap((choice) => toReasoned(scene, choice, next));
}

const perScene = 2;

interface Choice {
  report: Report;
  block: Block;
  i: number;
  score: number;
}

function toReasoned(scene: Scene, best: Choice, next: Scene | undefined): Candidate[] {
  const { blocks, entry } = best.report;
  const isHeading = best.block.kind === "heading";
  const from = isHeading || blocks[best.i - 1]?.kind !== "heading" ? best.i : best.i - 1;
  // What follows belongs to it as long as it is a list or under the same heading.
  const end = blocks.findIndex((block, i) =>
    i > best.i && (block.kind === "heading" || (!isHeading && block.kind !== "item"))
  );
  const texts = blocks.slice(from, end < 0 ? blocks.length : end)
    .filter(({ kind, text }) => kind !== "code" || text.length < 200).map(({ text }) => text);
  const text = joinBlocks(texts);
  if (text.length < 50) return [];
  const isAgreed = next !== undefined && !next.isSide && agrees.test(next.asked);
  return [{
    type: "decision",
    about: best.block.heading,
    text,
    evidence: [entry],
    scene,
    score: best.score + (isAgreed ? 1.5 : 0) - (scene.isSide ? 1 : 0),
  }];
}

function scoreDecision({ kind, text, heading }: Block): number {
  if (kind === "code" || kind === "table" || /\?\W*$/.test(text) || isAnnouncement(text)) return 0;
  // What is left to do was not chosen, whatever words it has ("a metric for rejected requests").
  if (looseStep.test(text) || nextHeading.test(heading)) return 0;
  const headed = kind === "heading" && headings.test(heading) ? 2 : 0;
  if (kind === "heading") return headed;
  return (isDecided(text) || weighs.test(text) ? 2 : contrasting.test(text) ? 1 : 0) +
    (reasons.test(text) ? 0.7 : 0) +
    (headings.test(heading) ? 0.8 : 0);
}

const headings =
  /\b(?:decisions?|decided|recommend\w*|rationale|trade-?offs?|why|chosen|choice|conclusion|verdict|approach)\b/i;
const weighs =
  /\b(?:going with|recommend(?:ation|ed)?|(?:best|better|right) (?:fit|choice|option|approach)|ruled out|rejected|in favou?r of|deliberately|intentionally)\b/i;
const contrasting = /\b(?:instead of|rather than|should (?:be|use|stay|not)|not needed|unlike)\b/i;
const reasons = /\b(?:because|since|so that|to avoid|due to|therefore|which means|otherwise)\b/i;
const agrees =
  /^\W*(?:ok(?:ay)?|yes|yep|sure|go|do it|sounds good|perfect|great|agreed?|proceed|continue|please do|approved?|lgtm)\b/i;
