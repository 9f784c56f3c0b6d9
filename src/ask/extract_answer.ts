// An answer without a model: of the first rows of the search, the words that say most about the
// question, each once, word for word, with their source. When nothing was found, that is the answer.

import type { Entry } from "../core/entry.ts";
import { toPlain } from "../core/rows/blocks.ts";
import { toLine } from "../core/text.ts";
import { pathSeparator } from "../intake/documents/section.ts";
import { type Passage, passagesOf, widen } from "./answer_passages.ts";
import type { AnswerSource } from "./answer.ts";
import { type Certainty, judgeExtract } from "./confidence.ts";
import { shareOf, termSet } from "./term_share.ts";
import type { Question } from "./question.ts";

export interface FoundRow {
  entry: Entry;
  score: number;
  superseded: boolean;
  /** Whether the user's next message rejects it. */
  isRejected?: boolean;
  /** The turn that closed its exchange. */
  closing?: Entry;
}

/** How near texts are to the question, one number for each; absent where nothing can be embedded. */
export type Nearness = (texts: string[]) => Promise<number[]>;

export interface Extract {
  answer: string;
  sources: AnswerSource[];
  /** How sure it is; absent if nothing was found. */
  certainty?: Certainty;
}

/** What is said when nothing is found, and before what is only near. */
export const notFound = "Not found: nothing in memory answers this.";
const onlyNear = "No direct answer found. The closest matches:";

/** How many rows an answer quotes at most, and beside them the turn that closes the first one's exchange. */
const maxRows = 5;
/** Rows that score less than this share of the best are about something else. */
const worstShare = 0.5;
/**
 * What the question's words, its meaning, the length and the purpose count for when a row's passage is
 * chosen, and what the words count for beside the row's score. Chosen on recall-dev.
 */
const weights = { meaning: 1, length: 0.1, purpose: 0.2, row: 0.3 };

/** Makes an answer from rows in the order of their score. */
export async function extractAnswer(
  { query: question, useCase = "" }: Pick<Question, "query" | "useCase">,
  found: readonly FoundRow[],
  nearness?: Nearness,
): Promise<Extract> {
  const rows = found.filter(({ entry, superseded, isRejected }) =>
    !superseded && isRejected !== true && entry.undone !== true
  );
  const asked = { question, useCase, terms: termSet(question) };
  const closings = rows.flatMap(({ closing }) => closing ?? []);
  const quoted = await quoteRows(asked, [
    ...rows,
    ...closings.map((entry) => ({ entry, score: 0, superseded: false })),
  ], nearness);
  const best = Math.max(0, ...rows.map(({ score }) => score));
  const worthOf = ({ found, words }: Quoted): number =>
    found.score / (best || 1) + weights.row * words;
  const ranked = quoted.filter(({ found }) => found.score > 0 && found.score >= worstShare * best)
    .sort((a, b) => worthOf(b) - worthOf(a));
  const lead = ranked.findIndex(({ passage }) => passage.isBare !== true);
  if (lead > 0) ranked.unshift(...ranked.splice(lead, 1));
  const chosen = choose(
    asksForDecision.test(question) ? withDecisionFirst(ranked) : ranked,
    quoted,
  );
  if (chosen.length === 0) return { answer: notFound, sources: [] };
  const certainty = judgeExtract({
    score: best,
    near: nearness && Math.max(...chosen.map(({ near }) => near)),
  });
  const lines = chosen.map(({ passage }) => `${toSentence(passage)} [${passage.entry.id}]`);
  return {
    answer: [...(certainty.level === "low" ? [onlyNear] : []), ...lines].join("\n"),
    sources: chosen.map(({ passage }) => toSource(passage.entry, passage.text)),
    certainty,
  };
}

interface Quoted {
  found: FoundRow;
  passage: Passage;
  /** The share of the question's information that they have, and how near their meaning is. */
  words: number;
  near: number;
}

/** The best passage of each row that has one. */
async function quoteRows(
  { question, useCase, terms }: { question: string; useCase: string; terms: ReadonlySet<string> },
  rows: readonly FoundRow[],
  nearness?: Nearness,
): Promise<Quoted[]> {
  const all = rows.flatMap((found) => {
    const around = passagesOf(found.entry);
    return around.map((passage) => ({ found, passage, around }));
  }).filter(({ passage }) => !repeats(passage, terms));
  const texts = all.map(({ passage: { text, heading } }) => scoredText(`${heading} ${text}`));
  const held = texts.map(termSet);
  const told = rarity(termSet(question), held);
  const near = await nearness?.(texts);
  const purpose = termSet(useCase);
  const scored = all.map(({ found, passage, around }, i) => {
    const words = sumOf(told, held[i]);
    const meaning = near?.[i] ?? 0;
    const score = words + weights.meaning * meaning +
      weights.length * Math.min(1, held[i].size / 12) + weights.purpose * shareOf(purpose, held[i]);
    return { found, passage, around, words, near: meaning, score };
  }).sort((a, b) => b.score - a.score);
  return [...Map.groupBy(scored, ({ found }) => found).values()].flatMap((some) => {
    for (const { around, score: _score, ...one } of some) {
      const passage = widen(one.passage, around);
      // A line that leads to a table or to code says nothing without it.
      if (!/[:：]\W*$/.test(passage.text)) return [{ ...one, passage }];
    }
    return [];
  });
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
function withDecisionFirst(ranked: readonly Quoted[]): readonly Quoted[] {
  const least = decisionShare * (ranked[0]?.found.score ?? 0);
  const lead = ranked.find(({ found, words }) =>
    found.entry.type === "decision" && found.score >= least && words > 0
  );
  return lead === undefined ? ranked : [lead, ...ranked.filter((one) => one !== lead)];
}

const decisionShare = 0.6;

/** The first rows, none of which repeats one before it; after the first, how its exchange ended. */
function choose(ranked: readonly Quoted[], quoted: readonly Quoted[]): Quoted[] {
  const chosen: (Quoted & { terms: ReadonlySet<string> })[] = [];
  const add = (one: Quoted): void => {
    const terms = termSet(one.passage.text);
    if (!chosen.some((other) => saysSame({ ...one, terms }, other))) chosen.push({ ...one, terms });
  };
  let most = maxRows;
  for (const one of ranked) {
    if (chosen.length >= most) break;
    add(one);
    if (chosen.length > 1) continue;
    const end = quoted.find(({ found }) => found.entry === one.found.closing);
    if (end !== undefined) add(end);
    most = maxRows + chosen.length - 1;
  }
  return chosen;
}

/** Whether two quotes say the same: they are of one row, or share their words and numbers. */
function saysSame(
  one: Quoted & { terms: ReadonlySet<string> },
  other: Quoted & { terms: ReadonlySet<string> },
): boolean {
  if (one.passage.entry.id === other.passage.entry.id) return true;
  return !hasOtherNumber(one.passage, other.passage) &&
    (shareOf(one.terms, other.terms) >= sameShare || shareOf(other.terms, one.terms) >= sameShare);
}

const sameShare = 0.7;

/** Whether a text has a number that the other lacks: "10 words" and "30 words" are two states. */
function hasOtherNumber({ text }: Passage, other: Passage): boolean {
  const numbers = new Set(other.text.match(/\d+/g));
  return text.match(/\d+/g)?.some((number) => !numbers.has(number)) ?? false;
}

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
