// Whether a line of a side log repeats a forgotten text without naming the entry: a query somebody
// typed, a question in a chat, a line that an older version wrote. Pure.

import { findJson, isObject } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";
import type { LostWords } from "./lost_words.ts";

/** Whether a line of traces, suggestions, subscriptions or chats repeats what is lost. */
export function repeatsLost(bytes: Uint8Array, words: LostWords): boolean {
  const text = decodeLossy(bytes);
  const line = findJson(text);
  if (!isObject(line)) return words.areQuotedIn(text);
  if (typeof line.trace_id === "string" || line.query !== undefined) {
    return wordsOfTrace(line).some((said) => words.areIn(said));
  }
  const own = [line.text, isObject(line.trigger) ? line.trigger.source : undefined];
  return own.some((said) => typeof said === "string" && words.areAllOf(said)) ||
    stringsOf(line).some((said) => words.areQuotedIn(said));
}

/** The same for bytes that were put aside: as text, as JSON escapes it, and in base64. */
export function repeatsLostBytes(bytes: Uint8Array, words: LostWords): boolean {
  const line = findJson(decodeLossy(bytes));
  if (!isObject(line)) return words.areQuotedIn(decodeLossy(bytes));
  const [, raw] = decodeBase64(line.base64);
  return [line.text, raw].some((said) =>
    typeof said === "string" && (words.areQuotedIn(said) || words.areQuotedIn(unescape(said)))
  );
}

/** What a trace keeps of somebody's words; the rest are ids, numbers and names of ours. */
const wordy = ["query", "text", "title", "activity", "symbol", "pattern", "question", "use_case"];

function wordsOfTrace({ query, args, steps, error }: Record<string, unknown>): string[] {
  const asked = (value: unknown): string[] =>
    isObject(value) ? wordy.flatMap((name) => stringsOf(value[name])) : [];
  const calls = Array.isArray(steps) ? steps : [];
  return [
    ...stringsOf(query),
    ...asked(args),
    ...calls.flatMap((step) =>
      isObject(step) && typeof step.arguments === "string" ? asked(findJson(step.arguments)) : []
    ),
    ...(isObject(error) && typeof error.message === "string"
      ? [...error.message.matchAll(/"([^"]+)"/g)].map(([, said]) => said)
      : []),
  ];
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}

/** JSON's escapes as what they stand for; a torn row cannot be parsed. */
function unescape(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (_, code) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[nrtbf]/g, " ").replace(/\\(.)/g, "$1");
}

/** Bytes that were put aside in base64, as text: byte by byte, and as UTF-8; none when it is no base64. */
export function decodeBase64(base64: unknown): string[] {
  if (typeof base64 !== "string") return [];
  try {
    const units = atob(base64);
    return [units, decodeLossy(Uint8Array.from(units, (unit) => unit.charCodeAt(0)))];
  } catch {
    return [];
  }
}
