// Takes secrets out of text before anything is written. Pure and synchronous.

import { redactRules } from "./redact_rules.ts";

/** Text or data with `[REDACTED:rule]` in the place of secrets, and how many there were. */
export interface Redacted<T> {
  value: T;
  count: number;
}

/** Redacts one text. */
export function redactText(text: string): Redacted<string> {
  const marked = findHints(text);
  if (marked === undefined) return { value: text, count: 0 };
  let value = text;
  let count = 0;
  for (const [i, rule] of redactRules.entries()) {
    if (!marked[i]) continue;
    value = value.replace(rule.pattern, (match, ...rest) => {
      const groups = rest.slice(0, rest.findIndex((item) => typeof item === "number"));
      const secret: string = groups.find((group) => group !== undefined) ?? match;
      if (secret.startsWith("[REDACTED:") || rule.accept?.(secret, match) === false) return match;
      count++;
      const at = match.lastIndexOf(secret);
      return match.slice(0, at) + `[REDACTED:${rule.name}]` + match.slice(at + secret.length);
    });
  }
  return { value, count };
}

/**
 * Which rules have a hint in the text, or undefined when none has: one walk over the text for all
 * hints, by their first two characters. Imports redact gigabytes, and almost all of it is clean.
 */
function findHints(text: string): boolean[] | undefined {
  if (text.length < minSecretChars) return undefined;
  let marked: boolean[] | undefined;
  let before = text.charCodeAt(0);
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const at = before < 128 && unit < 128 ? pairs[before * 128 + unit] : 0;
    before = unit;
    if (at === 0) continue;
    for (const { hint, rule } of hintsByPair[at]) {
      if (marked?.[rule] || !text.startsWith(hint, i - 1)) continue;
      marked ??= [];
      marked[rule] = true;
    }
  }
  return marked;
}

/** Nothing shorter is a secret with the words that tell it. */
const minSecretChars = 8;

/** For two ASCII characters: where in `hintsByPair` the hints are that begin with them. */
const pairs = new Uint8Array(128 * 128);
const hintsByPair: { hint: string; rule: number }[][] = [[]];
for (const [rule, { hints }] of redactRules.entries()) {
  for (const hint of hints) {
    const pair = hint.charCodeAt(0) * 128 + hint.charCodeAt(1);
    if (pairs[pair] === 0) pairs[pair] = hintsByPair.push([]) - 1;
    hintsByPair[pairs[pair]].push({ hint, rule });
  }
}

/** Redacts every string inside a JSON value; a row's own id, times and kinds are left alone. */
export function redactValue<T>(value: T): Redacted<T> {
  let count = 0;
  const walk = (item: unknown, key?: string): unknown => {
    if (typeof item === "string") {
      const result = redactField(item, key);
      count += result.count;
      return result.value;
    }
    if (typeof item !== "object" || item === null) return item;
    return Array.isArray(item) ? item.map((part) => walk(part, key)) : walkFields(item, nothing);
  };
  // Clean rows are handed back as they are: copying every one costs more than looking at it.
  const walkFields = (item: object, skipped: ReadonlySet<string>): object => {
    let copy: Record<string, unknown> | undefined;
    for (const [name, part] of Object.entries(item)) {
      if (skipped.has(name)) continue;
      const clean = walk(part, name);
      if (clean === part) continue;
      copy ??= { ...item };
      copy[name] = clean;
    }
    return copy ?? item;
  };
  const isRow = typeof value === "object" && value !== null && !Array.isArray(value);
  const clean = (isRow ? walkFields(value, untouched) : walk(value)) as T;
  return { value: clean, count };
}

/** Redacts a text with the name it stands under: `{ password: "…" }` is an assignment too. */
function redactField(text: string, key: string | undefined): Redacted<string> {
  const result = redactText(text);
  if (result.count > 0 || key === undefined || !secretName.test(key) || /\s/.test(text)) {
    return result;
  }
  const assigned = redactText(`${key}: "${text}"`);
  return assigned.count > 0 ? { value: "[REDACTED:assigned-secret]", count: 1 } : result;
}

const secretName = /secret|passw|token|key|credential/i;

const nothing: ReadonlySet<string> = new Set();
const untouched: ReadonlySet<string> = new Set(["id", "ts", "role", "type", "session_id", "refs"]);
