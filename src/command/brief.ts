// What the brief forms of results have in common: agents pay for every word of an answer, so a brief
// row says what is needed to go on and leaves out what goes without saying. Pure.

import { countTokens } from "../core/tokens.ts";
import type { Surface } from "./command.ts";
import { encode } from "./execute.ts";

/** The fields that say something: no nothing, no empty text, list or object, no `false`. */
export function withoutEmpty<T extends object>(fields: T): Partial<T> {
  const told = Object.entries(fields).filter(([, value]) => saysSomething(value));
  return Object.fromEntries(told) as Partial<T>;
}

/** Who speaks, or what it is when it is more than a turn: `user`, `decision`, `tool_output`. */
export function kindOf({ role, type }: { role: string; type: string }): string {
  return type === "turn" ? role : type;
}

export function dayOf(ts: string): string {
  return ts.slice(0, 10);
}

/** The minute of a timestamp, without the marks of ISO. */
export function minuteOf(ts: string): string {
  return ts.slice(0, 16).replace("T", " ");
}

/** How budgets count a row: as the caller gets it, which over MCP is its brief form. */
export function briefMeasure<T>(
  surface: Surface,
  brief: (row: T) => object,
): ((row: T) => number) | undefined {
  return surface === "mcp" ? (row) => countTokens(encode(brief(row))) : undefined;
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Numbers of messages as they are shown: what was saved beside a message repeats its number, and shows none. */
export function shownNumbers(numbers: readonly number[]): (number | "")[] {
  return numbers.map((number, i) => number === numbers[i - 1] ? "" : number);
}
