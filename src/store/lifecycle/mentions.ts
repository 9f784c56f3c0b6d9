// Which lines name an entry. By whole ids: one id may be the beginning of another, and ids of other
// products may hold slashes, spaces and letters of any script. Pure.

import { findJson } from "../../core/json.ts";
import { decodeLossy } from "../../core/utf8.ts";

/** Whether a text or a line of NDJSON names one of some ids. */
export class Mentions {
  readonly #ids: ReadonlySet<string>;
  /** Ids with brackets, quotes or control characters: looked for as plain substrings. */
  readonly #odd: string[];
  /** Few plain ids are looked for as they stand, which tells quickly that a line has none. */
  readonly #needles?: string[];

  constructor(ids: ReadonlySet<string>) {
    this.#ids = ids;
    const isQuick = ids.size <= maxNeedles && [...ids].every((id) => plain.test(id));
    if (isQuick) this.#needles = [...ids];
    this.#odd = [...ids].filter((id) => !plain.test(id) && /[[\]()"“”\p{Cc}]/u.test(id));
  }

  /** Whether a line names one: in a value, in a name, or in what a value says. */
  inLine(bytes: Uint8Array): boolean {
    const text = decodeLossy(bytes);
    if (this.#needles?.every((id) => !text.includes(id)) && !text.includes("\\u")) return false;
    const value = text.startsWith("{") ? findJson(text) : undefined;
    return value === undefined ? this.inText(text) : this.#inValue(value);
  }

  /** Whether a text names one: as a word, in brackets or in quotes. */
  inText(text: string): boolean {
    for (const [, inner] of text.matchAll(enclosed)) {
      if (this.#has(inner) || this.#has(inner.replace(/^(?:id:|corrects )\s*/, ""))) return true;
    }
    for (const [word] of text.matchAll(words)) {
      if (this.#has(word) || this.#has(word.replace(/[.:@_-]+$/, ""))) return true;
    }
    for (const [run] of text.matchAll(/\S+/g)) if (this.#has(run)) return true;
    return this.#odd.some((id) => text.includes(id));
  }

  #inValue(value: unknown): boolean {
    if (typeof value === "string") return this.#has(value) || this.inText(value);
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([name, item]) => this.#has(name) || this.#inValue(item));
  }

  #has(text: string): boolean {
    return this.#ids.has(text);
  }
}

const maxNeedles = 32;
const plain = /^[A-Za-z0-9][A-Za-z0-9_.:@-]*$/;
const words = /[A-Za-z0-9][A-Za-z0-9_.:@-]*/g;
const enclosed = /(?<=[["(“])([^\]")”]+)(?=[\]")”])/g;
