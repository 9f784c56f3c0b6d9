// An answer without a model: the sentences that say most about the question, each once, word for
// word, with its source. When nothing says enough, that is the answer.

import type { Entry } from "../core/entry.ts";
import { toPlain } from "../core/rows/blocks.ts";
import { toLine } from "../core/text.ts";
import { pathSeparator } from "../intake/documents/section.ts";
import { type Passage, passagesOf, widen } from "./answer_passages.ts";
import type { AnswerSource } from "./answer.ts";
import { shareOf, termSet } from "./term_share.ts";
import type { Question } from "./question.ts";

/** A row that the search found. */
export interface FoundRow {
  entry: Entry;
  score: number;
  superseded: boolean;
}

/** How near texts are to the question, one number for each; absent where nothing can be embedded. */
export type Nearness = (texts: string[]) => Promise<number[]>;

/** An answer of quotes. */
export interface Extract {
  answer: string;
  sources: AnswerSource[];
  /** Whether the quotes are only near what was asked. */
  isWeak: boolean;
}

/** What is said when nothing is found, and before what is only near. */
export const notFound = "Not found: nothing in memory answers this.";
const onlyNear = "No direct answer found. The closest matches:";

/** How many sentences an answer has at most, and how far below the best one they may score. */
const maxSources = 3;
const worstShare = 0.75;
/** The same for what was said in another session than the best. */
const elsewhereShare = 0.88;
/**
 * What the score of a row, the question's words, its meaning and the length of a passage count for;
 * and how near the nearest passage must be to count at all, and to be said without reserve. Chosen on
 * recall-dev as a whole; a third more or less of one changes three answers of 150 at most. What the
 * answer is for only decides between passages that say as much.
 */
const weights = { row: 0.7, words: 1, meaning: 1, length: 0.1, purpose: 0.2 };
const floor = { near: 0.36, nearWords: 0.4, sure: 0.45, sureWords: 0.3 };

/** Makes an answer from rows in the order of their score. */
export async function extractAnswer(
  { query: question, useCase = "" }: Pick<Question, "query" | "useCase">,
  found: readonly FoundRow[],
  nearness?: Nearness,
): Promise<Extract> {
  const best = Math.max(0, ...found.map(({ score }) => score));
  const rows = found.filter(({ superseded }) => !superseded)
    .map(({ entry, score }) => ({ passages: passagesOf(entry), row: best > 0 ? score / best : 0 }));
  const asked = termSet(question);
  const scored = (await scorePassages({ question, useCase }, rows, nearness))
    .filter((passage) => !repeats(passage, asked));
  const most = (pick: (passage: Scored) => number): number => Math.max(0, ...scored.map(pick));
  const near = nearness === undefined ? undefined : most((passage) => passage.near);
  const words = most((passage) => passage.words);
  const isUnder = (byMeaning: number, byWords: number): boolean =>
    (near === undefined || near < byMeaning) && words < byWords;
  const chosen = choose(asksForDecision.test(question) ? withDecisionFirst(scored) : scored);
  if (chosen.length === 0 || (near !== undefined && isUnder(floor.near, floor.nearWords))) {
    return { answer: notFound, sources: [], isWeak: true };
  }
  const isWeak = isUnder(floor.sure, floor.sureWords);
  const quoted = isWeak ? chosen.slice(0, 1) : chosen;
  const lines = quoted.map((passage) => `${toSentence(passage)} [${passage.entry.id}]`);
  return {
    answer: [...(isWeak ? [onlyNear] : []), ...lines].join("\n"),
    sources: quoted.map(({ entry, text }) => toSource(entry, text)),
    isWeak,
  };
}

interface Scored extends Passage {
  score: number;
  /** The share of the question's information that it has, and how near its meaning is. */
  words: number;
  near: number;
  /** All passages of its row. */
  around: readonly Passage[];
}

async function scorePassages(
  { question, useCase }: { question: string; useCase: string },
  rows: readonly { passages: Passage[]; row: number }[],
  nearness?: Nearness,
): Promise<Scored[]> {
  const all = rows.flatMap(({ passages, row }) =>
    passages.map((passage) => ({ ...passage, row, around: passages }))
  );
  const texts = all.map(({ text, heading }) => scoredText(`${heading} ${text}`));
  const held = texts.map(termSet);
  const told = rarity(termSet(question), held);
  const near = await nearness?.(texts);
  const purpose = termSet(useCase);
  return all.map(({ row, ...passage }, i) => {
    const words = sumOf(told, held[i]);
    const meaning = near?.[i] ?? 0;
    const score = passage.worth * (weights.row * row + weights.words * words +
      weights.meaning * meaning + weights.length * Math.min(1, held[i].size / 12) +
      weights.purpose * shareOf(purpose, held[i]));
    return { ...passage, score, words, near: meaning };
  }).sort((a, b) => b.score - a.score);
}

/** What a passage is judged by: the targets of links and long paths name everything and tell nothing. */
function scoredText(text: string): string {
  return text.replace(/\]\([^)]*\)/g, "]").replace(/(?:\S*\/){3,}/g, "");
}

/** How much each term of the question tells: those that few passages have tell most. Sums to 1. */
function rarity(
  wanted: ReadonlySet<string>,
  held: readonly ReadonlySet<string>[],
): Map<string, number> {
  const weighed = [...wanted].map((term): [string, number] => {
    const rows = held.filter((terms) => terms.has(term)).length;
    return [term, Math.log(1 + held.length / (rows + 0.5))];
  });
  const sum = weighed.reduce((total, [, weight]) => total + weight, 0) || 1;
  return new Map(weighed.map(([term, weight]) => [term, weight / sum]));
}

function sumOf(weights: ReadonlyMap<string, number>, held: ReadonlySet<string>): number {
  let sum = 0;
  for (const [term, weight] of weights) if (held.has(term)) sum += weight;
  return sum;
}

const asksForDecision = /\b(?:decid\w*|decisions?|(?:agree|settle)d? on|chose)\b/i;

/**
 * Who asks for a decision is told the one that was recorded, before what was weighed on the way to it;
 * one that says clearly less about the question is about something else.
 */
function withDecisionFirst(scored: readonly Scored[]): readonly Scored[] {
  const least = decisionShare * (scored[0]?.score ?? 0);
  const lead = scored.find((one) =>
    one.entry.type === "decision" && one.score >= least && one.words > 0
  );
  return lead === undefined ? scored : [lead, ...scored.filter((one) => one !== lead)];
}

const decisionShare = 0.6;

/** The best passage of each row, none of which repeats one before it. */
function choose(scored: readonly Scored[]): Passage[] {
  const chosen: (Passage & { terms: ReadonlySet<string> })[] = [];
  const best = Math.max(0, ...scored.map(({ score }) => score));
  for (const { around, ...passage } of scored) {
    if (chosen.length >= maxSources) break;
    if (passage.score < worstShare * best && passage.score !== scored[0].score) break;
    if (chosen.some(({ entry }) => entry === passage.entry)) continue;
    const [first] = chosen;
    const isBeside = first === undefined || passage.entry.session_id === first.entry.session_id;
    if (!isBeside && passage.score < elsewhereShare * best) continue;
    const wide = widen(passage, around);
    const terms = termSet(wide.text);
    // A line that leads to a table or to code says nothing without it.
    if (/[:：]\W*$/.test(wide.text)) continue;
    const isNew = chosen.every((one) =>
      shareOf(terms, one.terms) < sameShare && shareOf(one.terms, terms) < sameShare
    );
    if (isNew) chosen.push({ ...wide, terms });
  }
  return chosen;
}

const sameShare = 0.7;

/** Whether a passage says no more than the question: marked as one, or said by who asks. */
function repeats({ text, entry }: Passage, asked: ReadonlySet<string>): boolean {
  const asks = entry.role === "user" || /[?？]\W*$/.test(text);
  return asks && shareOf(termSet(text), asked) >= sameShare;
}

/** A passage as people read it: without marks, on one line. */
function toSentence({ text, heading }: Passage): string {
  const plain = toLine(text.split("\n").map(toPlain).join(" ").replace(/\]\([^)]*\)/g, "]"), 400);
  const title = heading.replace(/[:：]+$/, "");
  return title === "" || plain.includes(title) ? plain : `${title}: ${plain}`;
}

/** An entry as a source, with the words that are quoted. */
export function toSource(entry: Entry, quote: string): AnswerSource {
  const source: AnswerSource = { entry_id: entry.id, quote, ts: entry.ts };
  if (entry.title) source.title = entry.title;
  if (entry.session_id) source.session = entry.session_id;
  for (const name of ["collection", "document", "section"] as const) {
    const value = entry[name];
    if (typeof value !== "string" || value === "") continue;
    // Of a section its heading: the entry says which, should there be several of that name.
    source[name] = name === "section" ? value.split(pathSeparator).at(-1) : value;
  }
  return source;
}
