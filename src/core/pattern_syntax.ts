// The syntax of patterns: a subset of JavaScript's regular expressions, parsed to a small tree.
// What cannot be matched in linear time is refused with its name. Pure.

import { CtxError } from "./errors.ts";

/** A part of a pattern. */
export type Node =
  | { kind: "set"; accepts: (code: number) => boolean; negated?: boolean }
  | { kind: "assert"; assertion: "start" | "end" | "boundary" | "inside" }
  | { kind: "sequence"; items: Node[] }
  | { kind: "choice"; items: Node[] }
  | { kind: "repeat"; item: Node; min: number; max: number };

/** Parses a pattern; throws USAGE when it is not one, or needs what is refused. */
export function parsePattern(source: string): Node {
  refuseInvalid(source);
  const parser = new Parser(source);
  return parser.parse();
}

/** JavaScript itself says what is wrong with a pattern, without running it. */
function refuseInvalid(source: string): void {
  try {
    new RegExp(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*: /s, "") : "invalid";
    throw new CtxError("USAGE", `Cannot use the pattern "${source}": ${reason}`, {
      hint: "escape special characters with a backslash",
    });
  }
}

const maxRepeat = 1000;
const escapes: Record<string, number> = { n: 10, r: 13, t: 9, f: 12, v: 11, "0": 0 };

type Accepts = (code: number) => boolean;

const classes: Record<string, Accepts> = {
  d: (code) => code >= 48 && code <= 57,
  w: (code) => /\w/.test(String.fromCharCode(code)),
  s: (code) => /\s/.test(String.fromCharCode(code)),
};

class Parser {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw this.#refuse("an unmatched )");
    return node;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.#take("|")) items.push(this.#sequence());
    return items.length === 1 ? items[0] : { kind: "choice", items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#peek())) {
      items.push(this.#repeat(this.#atom()));
    }
    return { kind: "sequence", items };
  }

  #atom(): Node {
    const character = this.#next();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#set();
      case ".":
        return { kind: "set", accepts: (code) => !isLineEnd(code) };
      case "^":
        return { kind: "assert", assertion: "start" };
      case "$":
        return { kind: "assert", assertion: "end" };
      case "\\":
        return this.#escape();
      default:
        return literal(character.charCodeAt(0));
    }
  }

  #group(): Node {
    if (this.#take("?")) {
      if (this.#take("<")) {
        if ("=!".includes(this.#peek())) throw this.#refuse("lookbehind");
        while (this.#next() !== ">");
      } else if (!this.#take(":")) throw this.#refuse("lookahead");
    }
    const node = this.#choice();
    this.#next();
    return node;
  }

  #repeat(item: Node): Node {
    const count = this.#count();
    if (count === undefined) return item;
    this.#take("?");
    if (count.min > maxRepeat || (count.max !== Infinity && count.max > maxRepeat)) {
      throw this.#refuse(`a repetition of more than ${maxRepeat}`);
    }
    return { kind: "repeat", item, ...count };
  }

  #count(): { min: number; max: number } | undefined {
    if (this.#take("*")) return { min: 0, max: Infinity };
    if (this.#take("+")) return { min: 1, max: Infinity };
    if (this.#take("?")) return { min: 0, max: 1 };
    const braces = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at));
    if (!braces) return undefined;
    this.#at += braces[0].length;
    const min = Number(braces[1]);
    const max = braces[2] === undefined ? min : braces[3] === "" ? Infinity : Number(braces[3]);
    return { min, max };
  }

  #escape(): Node {
    const letter = this.#peek();
    if (letter === "b" || letter === "B") {
      this.#at++;
      return { kind: "assert", assertion: letter === "b" ? "boundary" : "inside" };
    }
    if (/[1-9k]/.test(letter)) throw this.#refuse("a backreference");
    return { kind: "set", accepts: this.#escaped().accepts };
  }

  /** After a backslash: a class, or one character with its code. */
  #escaped(): { accepts: Accepts; code?: number } {
    const letter = this.#next();
    if (/[dws]/.test(letter)) return { accepts: classes[letter] };
    if (/[DWS]/.test(letter)) {
      const inner = classes[letter.toLowerCase()];
      return { accepts: (code) => !inner(code) };
    }
    if (/[pP]/.test(letter) && this.#peek() === "{") throw this.#refuse("a Unicode property");
    const hex = letter === "x"
      ? /^[0-9a-f]{2}/i.exec(this.#rest())
      : letter === "u"
      ? /^[0-9a-f]{4}/i.exec(this.#rest())
      : null;
    if (hex) this.#at += hex[0].length;
    const code = hex ? parseInt(hex[0], 16) : escapes[letter] ?? letter.charCodeAt(0);
    return { accepts: (other) => other === code, code };
  }

  #set(): Node {
    const negated = this.#take("^");
    const parts: Accepts[] = [];
    while (!this.#take("]")) {
      const from = this.#member();
      const isRange = this.#peek() === "-" && this.#source[this.#at + 1] !== "]";
      if (!isRange || from.code === undefined) {
        parts.push(from.accepts);
        continue;
      }
      this.#at++;
      const to = this.#member();
      const [low, high] = [from.code, to.code ?? from.code];
      parts.push((code) => code >= low && code <= high);
      if (to.code === undefined) parts.push(to.accepts, (code) => code === 45);
    }
    return { kind: "set", accepts: (code) => parts.some((accepts) => accepts(code)), negated };
  }

  #member(): { accepts: Accepts; code?: number } {
    const character = this.#next();
    if (character === "\\") {
      if (this.#take("b")) return { accepts: (code) => code === 8, code: 8 };
      return this.#escaped();
    }
    const code = character.charCodeAt(0);
    return { accepts: (other) => other === code, code };
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #rest(): string {
    return this.#source.slice(this.#at, this.#at + 8);
  }

  #next(): string {
    return this.#source[this.#at++] ?? "";
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #refuse(what: string): CtxError {
    return new CtxError("USAGE", `Cannot use the pattern "${this.#source}": it has ${what}`, {
      hint: "write it without lookarounds, backreferences and very large counts",
    });
  }
}

function literal(expected: number): Node {
  return { kind: "set", accepts: (code) => code === expected };
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}
