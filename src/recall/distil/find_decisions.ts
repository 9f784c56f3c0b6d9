// Decisions: what was chosen, why, and what was not. Either the user chooses (in words, or one of the
// options that an answer offered), or an answer says how it made something and why. Pure.

import type { Entry } from "../../core/entry.ts";
import { type Block, toBlocks, toPlain, toSentences } from "../../core/rows/blocks.ts";
import { isDecided } from "../../core/rows/decision_words.ts";
import { findSymbols, keyWords, shareOf } from "./key_words.ts";
import {
  joinBlocks,
  looseStep,
  maxTextChars,
  nextHeading,
  pickSentences,
  pointsElsewhere,
} from "./quote.ts";
import { isAnnouncement } from "../../core/rows/announcement.ts";
import { type Candidate, isTypedAlone, type Report, type Scene } from "./scenes.ts";

export function findDecisions(scenes: readonly Scene[]): Candidate[] {
  return scenes.flatMap((scene, i) => [
    ...findChosen(scene, scenes[i - 1]),
    ...findReasoned(scene, scenes[i + 1]),
  ]);
}

/** What the user chose. */
function findChosen(scene: Scene, before: Scene | undefined): Candidate[] {
  if (scene.isSide || scene.prompts.length === 0) return [];
  const pointed = findPointed(scene, before?.answer);
  if (pointed !== undefined) return pointed;
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
      !pointsElsewhere.test(first) && isTypedAlone(scene),
  }];
}

/**
 * What a reply chose that only points ("option A", "let's do 1 and 3", "yes, do that"): the text of the
 * options, or the proposal where it was carried out. Undefined when the reply does not only point.
 */
function findPointed(scene: Scene, answer: Report | undefined): Candidate[] | undefined {
  const reply = scene.asked.trim();
  if (!onlyPoints(reply)) return undefined;
  const names = pointsTo(reply);
  if (answer === undefined) return [];
  const found = names.length > 0
    ? names.flatMap((name) => findOption(name, answer))
    : isDone(scene)
    ? findProposal(answer)
    : [];
  if (found.length === 0) return [];
  return [{
    type: "decision",
    about: found[0].heading,
    text: joinBlocks(found.map(({ text }) => text)),
    evidence: [...scene.prompts, answer.entry],
    scene,
    score: 4,
  }];
}

/** Whether a reply says nothing alone: an option of the answer before, or an assent. */
export function onlyPoints(reply: string): boolean {
  return pointsTo(reply).length > 0 || assents.test(reply);
}

/** The names of options in a reply that says nothing else: "A", "option 2", "let's do 1, 3". */
function pointsTo(reply: string): string[] {
  const named = pointing.exec(reply)?.[1];
  return named === undefined ? [] : named.split(/\W+|\band\b/i).filter((name) => name !== "");
}

const pointing =
  /^(?:(?:ok(?:ay)?|yes|yeah|now|please|then|so|i|we|like|prefer|want|choose|pick|take|let'?s|go|with|for|do|use|try|the|options?|approach|number|first|fix|think|'d|would|say)[\s,.:!#]+)*#?((?:[a-e]|[1-9]\d?)(?:\s*(?:,|&|\+|and|then)\s*#?(?:[a-e]|[1-9]\d?))*)[).!\s]*(?:(?:please|first|then|for now|it is)[.!\s]*)*$/i;
const assents =
  /^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|please|perfect|great|cool|good|then|and|agreed?|absolutely|exactly|lgtm|go(?: ahead)?|sounds good|looks good|make it so|let'?s (?:do|go with) (?:it|that|this)|do (?:it|that|this|so)|go for it|implement (?:it|that|this)|proceed|continue|makes sense)[\s,.!]*)+(?:please|then|thanks?)?[\s.!]*$/i;

const chooses =
  /\b(?:let'?s (?:use|go|do|keep|stick|switch|make|move|not|drop|skip)|we (?:do|will|'ll|want|are going to|should) (?!know|see|talk|discuss)|i(?:'d| would) rather|go(?:ing)? with|instead of|rather than|switch(?:ing)? to|stick with|i (?:prefer|choose|pick|want to use)|i think (?:we|the|it|this)\b.{0,80}\b(?:needs?|should|want)|decided|option [a-d1-9])\b/i;
/** A choice that names what it is for and what it is against. */
const settles =
  /\b(?:let'?s (?:use|go with|keep|stick|switch|move|drop)|we (?:will|'ll|are going to)? ?(?:use|go|keep|stick|switch|move)\b|go(?:ing)? with|switch(?:ing)? to|stick with|decided)/i;
const turnsDown = /\b(?:instead of|rather than|no longer|(?:,|and) not|over)\s+\w/i;
/** A question chooses nothing, unless it is a view put politely; many are typed without their mark. */
const asks =
  /^(?!\W*(?:i think|we want|let'?s)\b)(?!.*\bbecause\b)(?:.*\?\W*$|\W*(?:how|what|where|which|who|why)\b)/i;
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

/** The blocks of an option of an answer, by its letter or number. */
function findOption(name: string, { blocks }: Report): Block[] {
  const head = new RegExp(`^[\\s#>*-]*(?:(?:option|approach|fix)\\s*)?#?${name}[).:*\\s—–-]`, "i");
  const at = blocks.findLastIndex(({ kind, text }) => kind !== "table" && head.test(text));
  if (at >= 0) {
    const end = blocks.findIndex(({ kind, text }, i) =>
      i > at &&
      (kind === "heading" || kind === "code" || kind === "table" || anyOption.test(text))
    );
    return blocks.slice(at, end < 0 ? at + 4 : Math.min(end, at + 4));
  }
  const cell = new RegExp(`^\\|\\W*(?:option\\s*)?${name}\\W`, "i");
  return blocks.filter(({ kind }) => kind === "table").flatMap((block) =>
    block.text.split("\n").filter((line) => cell.test(line.trim())).slice(0, 1).map((line) => ({
      ...block,
      text: line.split("|").map((part) => part.trim()).filter((part) => part !== "").join(": "),
    }))
  );
}

const anyOption = /^[\s#>*-]*(?:(?:option|approach|fix)\s*)?#?(?:[a-e]|[1-9]\d?)[).:*]/i;

/** What an answer proposes at its end: "Want me to add a test?" proposes to add a test. */
function findProposal({ blocks }: Report): Block[] {
  const last = blocks.findLast(({ kind }) => kind === "paragraph" || kind === "item");
  const offer = toSentences(last?.text ?? "").findLast((sentence) => offers.test(sentence));
  if (last === undefined || offer === undefined) return [];
  const text = toPlain(offer).replace(offers, "").replace(/\?\W*$/, ".");
  return keyWords(text).size < 4 ? [] : [{ ...last, text: text[0].toUpperCase() + text.slice(1) }];
}

const offers =
  /^.*?\b(?:(?:do you )?want me to|would you like me to|should i|shall i|i (?:can|could|suggest we|recommend we)|i(?:'d| would) (?:suggest|recommend) (?:we|to))\s+(?:also |now |go ahead and |proceed (?:with|to) )?/i;

/**
 * What an answer says of how it is now and why: statements that give a reason or a limit, of an exchange
 * that changed files or whose answer was agreed to and carried out. A mere proposal is none; what is said
 * to be decided is one.
 */
function findReasoned(scene: Scene, next: Scene | undefined): Candidate[] {
  const { answer } = scene;
  if (answer === undefined || scene.isSide) return [];
  const isAgreed = next !== undefined && !next.isSide && agrees.test(next.asked) && isDone(next);
  const isCarriedOut = isAgreed || isDone(scene);
  const made = pickStatement(answer.blocks, (text) => isCarriedOut || isDecided(text));
  return made === undefined ? [] : [{ type: "decision", evidence: [answer.entry], scene, ...made }];
}

function isDone({ runs }: Scene): boolean {
  return runs.some(({ effect, failed }) => effect === "edit" && !failed);
}

/** The statement that tells most, the first of such. */
function pickStatement(
  blocks: readonly Block[],
  isWanted: (text: string) => boolean = () => true,
): { text: string; score: number } | undefined {
  return toStatements(blocks).filter(({ text }) => isWanted(text))
    .toSorted((a, b) => b.score - a.score)[0];
}

/** Sentences and list items that are understood alone, with how much they tell. */
function toStatements(blocks: readonly Block[]): { text: string; score: number }[] {
  return blocks.filter(({ kind, text, heading }) =>
    (kind === "paragraph" || kind === "item") && !looseStep.test(text) && !nextHeading.test(heading)
  ).flatMap(({ kind, text }) => {
    const plain = text.replace(/^\s*(?:[-*•+]|\d+[.)])\s+/, "").replaceAll("**", "").trim();
    return kind === "item" ? [plain.replace(/\s*\n\s*/g, " ")] : toSentences(plain);
  }).filter((text) =>
    text.length >= 50 && text.length <= 300 && stated.test(text) &&
    (isDecided(text) || !leansOn.test(text)) &&
    !isAnnouncement(text) && keyWords(text).size >= 5
  ).map((text) => ({
    text,
    score: 1 + (isDecided(text) || firm.test(text) ? 1 : 0) +
      Math.min(findSymbols(text).length, 3) / 3,
  }));
}

const stated =
  /\b(?:because|so that|instead of|rather than|no longer|never|must|otherwise|due to|cannot|can't|doesn'?t|does not|only|always|requires?|expects?|deliberately|intentionally)\b/i;
const firm = /\b(?:because|instead of|rather than|no longer|never|must|cannot|always)\b/i;
/** Sentences that point back, ask, or speak of the talk itself. */
const leansOn =
  /^(?:this|that|these|those|it|its|they|both|here|so|but|and|also|then|now|yes|no|i|i'm|i've|we|you|your|let|great|good|all tests?|the (?:fix|change|issue|problem|user)s?)\b|\b(?:I|I'll|I've|you|your|me)\b|\?\W*$|:\s*$/i;
const agrees =
  /^\W*(?:ok(?:ay)?|yes|yep|sure|go|do it|sounds good|perfect|great|agreed?|proceed|continue|please do|approved?|lgtm)\b/i;
