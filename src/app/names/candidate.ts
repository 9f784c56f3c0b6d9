// What a shortened id may mean, and the error that shows it when that is several things.

import { CtxError } from "../../core/errors.ts";
import { ageOf } from "../../core/time/age_of.ts";
import { toLine } from "../../core/text.ts";
import type { Context } from "../../command/command.ts";
import type { Named } from "../../command/shape.ts";

/** Something that an id names. */
export interface Candidate {
  id: string;
  ts: string;
  title: string;
  session_id?: string;
}

/** More are not listed. */
export const mostListed = 10;
/** What 80 columns leave of a row beside its id and its age. */
const mostTitle = 44;

/** The ids that a word may begin, in small letters: as it was said, and with the letter before it. */
export function beginningsOf(word: string, letter: string): string[] {
  const said = word.toLowerCase();
  return said.startsWith(`${letter.toLowerCase()}-`)
    ? [said]
    : [`${letter.toLowerCase()}-${said}`, said];
}

/** Whether an id is the one that was said, or begins with it. */
export function isAbout(word: string, letter: string): (candidate: { id: string }) => boolean {
  const beginnings = word === "" ? [] : beginningsOf(word, letter);
  return ({ id }) => beginnings.some((beginning) => id.toLowerCase().startsWith(beginning));
}

/** Of what a word begins, what it names in full; else all. */
export function preferWhole<C extends { id: string }>(found: C[], word: string): C[] {
  const exact = found.filter(({ id }) => id === word);
  if (exact.length > 0) return exact.slice(0, 1);
  const same = found.filter(({ id }) => id.toLowerCase() === word.toLowerCase());
  return same.length > 0 ? same : found;
}

/** Says what a word may mean, newest first. */
export function severalError(
  word: string,
  found: readonly Candidate[],
  { names, context }: { names: Named; context: Pick<Context, "surface" | "now"> },
): CtxError {
  const kind: Record<string, string> = {
    H: "entries",
    S: "sessions",
    T: "traces",
    G: "suggestions",
    B: "subscriptions",
  };
  const shown = found.toSorted((a, b) => a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)
    .slice(0, mostListed);
  const rows = shown.map(({ id, ts, title }) => {
    // What is stored goes to an agent only where it is marked as such.
    const said = context.surface === "mcp" ? "" : `  ${toLine(title, mostTitle)}`;
    return `\n  ${id}  ${ageOf(ts, context.now())}${said}`.trimEnd();
  });
  const count = found.length > mostListed ? `more than ${mostListed}` : found.length;
  const what = `${count} ${kind[names[0]]}`;
  // In the hint, because a trace keeps the message: titles must not outlive what they are of.
  return new CtxError("NOT_FOUND", `Cannot use "${toLine(word, 80)}": it matches ${what}`, {
    hint: `type more of the id. Matches:${rows.join("")}`,
  });
}
