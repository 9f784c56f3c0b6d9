// Reads a model's answer, however it wrapped it: JSON in a fence, JSON with words around it, or
// plain prose with ids in brackets. Pure; what it claims is not yet believed.

import { findJson, findObjectEnd, isObject } from "../core/json.ts";
import { AnswerReader } from "./answer_reader.ts";

export interface ClaimedSource {
  entry_id: string;
  quote?: string;
}

export interface ParsedAnswer {
  answer: string;
  sources: ClaimedSource[];
  note?: string;
  form: "json" | "prose";
}

/** Reads an answer; an empty text gives an empty answer. */
export function parseAnswer(text: string): ParsedAnswer {
  const fenced = [...text.matchAll(/```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/g)]
    .map((match) => match[1]);
  for (const candidate of [text, ...fenced, ...objectsIn(text)]) {
    const found = toAnswer(findJson(candidate.trim()));
    if (found) return found;
  }
  // JSON that is cut off or has quotes that nobody escaped still has its answer.
  const reader = new AnswerReader();
  reader.push(text);
  const answer = reader.answer?.trim();
  return answer
    ? { answer, sources: citedIn(text), form: "json" }
    : { answer: text.trim(), sources: citedIn(text), form: "prose" };
}

/** The ids that a text cites in brackets, or names outright, each once. */
export function citedIn(text: string): ClaimedSource[] {
  const ids = new Set<string>();
  for (const [, list] of text.matchAll(/\[([^\][\n]{3,300})\]/g)) {
    for (const part of list.split(/[,;\s]+/)) if (/^H-[\w.:@-]+$/.test(part)) ids.add(part);
  }
  for (const [id] of text.matchAll(/\bH-[A-Za-z0-9][\w:@-]{3,}/g)) ids.add(id);
  return [...ids].map((entry_id) => ({ entry_id }));
}

function toAnswer(value: unknown): ParsedAnswer | undefined {
  if (!isObject(value) || typeof value.answer !== "string") return undefined;
  const note = typeof value.note === "string" && value.note.trim() !== "" ? value.note : undefined;
  const listed = Array.isArray(value.sources) ? value.sources.flatMap(toSource) : [];
  const sources = listed.length > 0 ? listed : citedIn(value.answer);
  return { answer: value.answer.trim(), sources, ...(note ? { note } : {}), form: "json" };
}

function toSource(value: unknown): ClaimedSource[] {
  if (typeof value === "string") return [{ entry_id: value.replace(/^\[|\]$/g, "") }];
  if (!isObject(value)) return [];
  const id = value.entry_id ?? value.id;
  if (typeof id !== "string") return [];
  return [{ entry_id: id, ...(typeof value.quote === "string" ? { quote: value.quote } : {}) }];
}

/** The outermost objects in a text, by counting braces outside of strings; the first few tries count. */
function objectsIn(text: string): string[] {
  const found: string[] = [];
  let from = text.indexOf("{");
  for (let tries = 0; from >= 0 && tries < 40; tries++) {
    const end = findObjectEnd(text, from);
    if (end >= 0) found.push(text.slice(from, end));
    from = text.indexOf("{", end >= 0 ? end : from + 1);
  }
  return found;
}
