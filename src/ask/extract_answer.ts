// An answer without a model: the best passages, word for word, each with its source.

import type { Entry } from "../core/entry.ts";
import { bestPassage } from "./passages.ts";
import type { AnswerSource } from "./answer.ts";

/** How many passages an answer has at most, and how far below the best one they may score. */
const maxPassages = 4;
const worstShare = 0.45;

/** Makes an answer from entries in order of their score. */
export function extractAnswer(
  question: string,
  found: { entry: Entry; score: number; superseded: boolean }[],
): { answer: string; sources: AnswerSource[] } {
  const best = found[0]?.score ?? 0;
  const sources: AnswerSource[] = [];
  for (const { entry, score, superseded } of found) {
    if (superseded || score < best * worstShare || sources.length >= maxPassages) continue;
    const text = bestPassage(entry.text, question);
    if (text !== "") sources.push(toSource(entry, text));
  }
  if (sources.length === 0) return { answer: "Nothing in the memory answers this.", sources };
  const lines = sources.map((source) => `- "${source.quote}" [${source.entry_id}]`);
  return { answer: `The memory says, in its own words:\n${lines.join("\n")}`, sources };
}

/** An entry as a source, with the words that are quoted. */
export function toSource(entry: Entry, quote: string): AnswerSource {
  const source: AnswerSource = { entry_id: entry.id, quote, ts: entry.ts };
  if (entry.title) source.title = entry.title;
  if (entry.session_id) source.session = entry.session_id;
  for (const name of ["collection", "document", "section"] as const) {
    const value = entry[name];
    if (typeof value === "string" && value !== "") source[name] = value;
  }
  return source;
}
