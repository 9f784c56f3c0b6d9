// What a word names that stands where a file may: the file, a symbol, or a symbol in a file.

import { resolvePath } from "../../../core/platform_path.ts";
import { findLanguage } from "./languages.ts";

/** A file, a symbol, or both. */
export interface NamedSubject {
  file?: string;
  symbol?: string;
}

const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/**
 * `src/a.ts` is a file, there or not; `src/a.ts#open` a symbol in it; `open`, `Store.open` and
 * `Store::open` are symbols, unless a file is called so. A symbol that is named apart stays.
 */
export function splitSubject(said: NamedSubject, { cwd }: { cwd: string }): NamedSubject {
  const { file, symbol } = said;
  if (file === undefined || symbol !== undefined || isThere(file, cwd)) return said;
  const [path, inside, ...rest] = file.split("#");
  if (inside !== undefined && rest.length === 0 && name.test(inside)) {
    return path === "" ? { symbol: inside } : { file: path, symbol: inside };
  }
  if (file.includes("/") || findLanguage(file) !== undefined) return said;
  const parts = file.replace(/\(\)$/, "").split(/\.|::/);
  return parts.every((part) => name.test(part)) ? { symbol: parts.at(-1) } : said;
}

function isThere(file: string, cwd: string): boolean {
  try {
    Deno.lstatSync(resolvePath(file, cwd));
    return true;
  } catch {
    return false;
  }
}
