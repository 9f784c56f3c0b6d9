// Takes secrets out of text before anything is written. Pure and synchronous.

import { redactRules } from "./redact_rules.ts";

/** Text or data with `[REDACTED:rule]` in the place of secrets, and how many there were. */
export interface Redacted<T> {
  value: T;
  count: number;
}

/** Redacts one text. */
export function redactText(text: string): Redacted<string> {
  let value = text;
  let count = 0;
  for (const rule of redactRules) {
    if (!rule.hints.some((hint) => value.includes(hint))) continue;
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

/** Redacts every string inside a JSON value; ids and times have no secrets and are left alone. */
export function redactValue<T>(value: T): Redacted<T> {
  let count = 0;
  const walk = (item: unknown, key?: string): unknown => {
    if (typeof item === "string") {
      if (key !== undefined && untouched.has(key)) return item;
      const result = redactText(item);
      count += result.count;
      return result.value;
    }
    if (Array.isArray(item)) return item.map((part) => walk(part, key));
    if (typeof item === "object" && item !== null) {
      return Object.fromEntries(
        Object.entries(item).map(([name, part]) => [name, walk(part, name)]),
      );
    }
    return item;
  };
  const clean = walk(value) as T;
  return { value: clean, count };
}

const untouched: ReadonlySet<string> = new Set(["id", "ts", "role", "type", "session_id", "refs"]);
