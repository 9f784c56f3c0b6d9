// Reads TOML, so that an edit of someone's settings can be checked before it is written. The parser
// is loaded only here, and only when there is a TOML file to edit.

import { CtxError } from "../core/errors.ts";

/** A table: names and values, which may be tables, lists, dates, bigints and plain values. */
export type TomlTable = Record<string, unknown>;

/** The values of a text; throws CONFIG_INVALID with the file and the line when it is not TOML. */
export async function parseToml(text: string, path: string): Promise<TomlTable> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split("\n")[0].replace(/^Invalid TOML document: /, "");
    throw new CtxError("CONFIG_INVALID", `Cannot edit "${path}", line ${error.line}: ${what}`, {
      hint: "correct the file first; it was not changed",
      cause: error,
    });
  }
}

/** Whether two values are the same, in whatever order their names are. */
export function isSameToml(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return Object.is(a, b);
  }
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.toISOString() === b.toISOString();
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length &&
    names.every((name) =>
      Object.hasOwn(b, name) && isSameToml(Reflect.get(a, name), Reflect.get(b, name))
    );
}
