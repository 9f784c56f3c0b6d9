// How far an answer can be trusted, from the evidence alone: do several sources carry it, do they
// stand out from the rest, do they cover the question and the answer. No model is asked. An answer
// without a model is judged in three words, each fitted to the share of answers that quote the row they
// should: on recall-dev's questions, those without an answer among them. `deno task bench ask` fits it
// again on four fifths of the sessions and prints the shares on the rest.

import { shareOf, termSet } from "./term_share.ts";

export interface Evidence {
  question: string;
  answer: string;
  /** The texts of the sources that were checked. */
  sources: { id: string; text: string; score?: number }[];
  /** Sources that were claimed and did not hold. */
  dropped: number;
  /** The best score of a row that the answer does not use. */
  otherScore?: number;
}

/** The parts of the judgement, each 0 to 1, and its value in words. */
export interface Confidence {
  level: "high" | "medium" | "low";
  score: number;
  agreement: number;
  margin: number;
  coverage: number;
  support: number;
}

/** Judges the evidence. Without a source there is no confidence. */
export function judgeConfidence(evidence: Evidence): Confidence {
  const { sources, dropped } = evidence;
  if (sources.length === 0) {
    return { level: "low", score: 0, agreement: 0, margin: 0, coverage: 0, support: 0 };
  }
  const held = termSet(sources.map((source) => source.text).join("\n"));
  const coverage = shareOf(termSet(evidence.question), held);
  const support = shareOf(termSet(withoutIds(evidence.answer)), held);
  const agreement = agreementOf(evidence) * (sources.length / (sources.length + dropped));
  const margin = marginOf(evidence);
  const score = 0.35 * coverage + 0.25 * support + 0.3 * agreement + 0.1 * margin;
  const level = score >= 0.7 ? "high" : score >= 0.45 ? "medium" : "low";
  return {
    level,
    score: round(score),
    agreement: round(agreement),
    margin: round(margin),
    coverage: round(coverage),
    support: round(support),
  };
}

/** One source says so, two agree when they share words of the answer. */
function agreementOf({ sources, answer }: Evidence): number {
  const said = termSet(withoutIds(answer));
  const distinct = new Map(sources.map(({ id, text }) => [`${id}\n${text}`, text]));
  const backing = [...distinct.values()].filter((text) => shareOf(said, termSet(text)) >= 0.2);
  return backing.length === 0 ? 0.2 : backing.length === 1 ? 0.6 : backing.length === 2 ? 0.85 : 1;
}

/** Ids in brackets are no words of the answer. */
function withoutIds(text: string): string {
  return text.replace(/\[[^\][\n]*\bH-[^\][\n]*\]/g, "");
}

/** How far the best source stands above what was left aside. */
function marginOf({ sources, otherScore }: Evidence): number {
  const best = Math.max(0, ...sources.map((source) => source.score ?? 0));
  if (best === 0) return 0.5;
  if (otherScore === undefined) return 1;
  return Math.max(0, Math.min(1, 0.5 + (best - otherScore) / best));
}

/** A number with two digits. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** What is known of an answer. */
export interface ExtractFacts {
  /** The score of the search's first row. */
  score: number;
  /** How near the nearest quote is to the question; absent where nothing can be embedded. */
  near?: number;
}

/** A level, the share of right answers that it was fitted to, and what it was judged by. */
export interface Certainty extends ExtractFacts {
  level: "high" | "medium" | "low";
  share: number;
}

/** The logarithm of the odds that a quoted row answers: what each fact adds. */
const fitted = { base: -3.06, score: 2.23, near: 5.1 };
/** From these shares on; below the second, an answer says that it is not direct. */
const bounds = { high: 0.8, medium: 0.65 };
/** What the nearest quote usually has. */
const usualNear = 0.45;

export function judgeExtract(facts: ExtractFacts, weights = fitted): Certainty {
  const { score, near = usualNear } = facts;
  const odds = weights.base + weights.score * score + weights.near * near;
  const share = 1 / (1 + Math.exp(-odds));
  return {
    level: share >= bounds.high ? "high" : share >= bounds.medium ? "medium" : "low",
    share,
    ...facts,
  };
}
