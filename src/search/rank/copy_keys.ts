// Which rows say the same, so that Orama shows the best of them once. Only what is the same counts as
// that: the same kind of row with the same words of the query and the same text, or,
// for what was said and what tools gave, a text that holds the other and little more, without another
// number, sign or negation. Rows are read only where length, kind and score leave it open.

import type { Entry } from "../../core/entry.ts";
import { type Corpus, isSuperseded, locate } from "../../index/segment/corpus.ts";
import { rowFlags } from "../../index/segment/segment_format.ts";
import type { RankedRow, RowKeys } from "./rank.ts";

/** How much of the longer text the shorter must have, and the longest that is compared so. */
const nearShare = 0.9;
const nearChars = 20_000;
/** Texts that are alike are about as similar to the query. */
const cosineSpread = 0.03;
/** Rows are compared with so many of the first that are shown: further down each stands for itself. */
const mostCompared = 200;

interface Kept {
  row: RankedRow;
  kind: RowKind;
  /** Its entry as it is compared, once it was. */
  said?: Said;
}

/** What an entry says: what is beside its words, and its text. */
interface Said extends Words {
  facts: string;
}

interface Words {
  text: string;
  /** Its words, and all of them as one text, once they were compared. */
  words?: string[];
  joined?: string;
}

/** What is known of a row without reading it. */
interface RowKind {
  flags: number;
  words: number;
  isSuperseded: boolean;
}

/** Where rows are read from. */
interface RowReader {
  corpus: Corpus;
  readEntry(global: number): Entry;
}

/** Tells which rows of a ranking say the same: their key is the number of the best of them. */
export class CopyKeys implements RowKeys {
  readonly mostTimes = 8;
  readonly #from: RowReader;
  readonly #limit: number;

  /** For the best `limit` rows that say something of their own. */
  constructor(from: RowReader, limit: number) {
    this.#from = from;
    this.#limit = Math.min(limit, mostCompared);
  }

  keysOf(ranked: readonly RankedRow[]): number[] {
    const compared: Kept[] = [];
    return ranked.map((row) => {
      const own: Kept = { row, kind: this.#kindOf(row) };
      const first = compared.find((other) => this.#isCopy(own, other)) ?? own;
      if (first === own && compared.length < this.#limit) compared.push(own);
      return first.row.global;
    });
  }

  /** Whether each of some rows says what one of others says. */
  areCopies(rows: readonly RankedRow[], others: readonly RankedRow[]): boolean {
    const known = others.map((row): Kept => ({ row, kind: this.#kindOf(row) }));
    return rows.every((row) => {
      const own: Kept = { row, kind: this.#kindOf(row) };
      return known.some((other) => this.#isCopy(own, other));
    });
  }

  #isCopy(own: Kept, shown: Kept): boolean {
    const [{ row, kind }, { row: other, kind: known }] = [own, shown];
    if (kind.flags !== known.flags || kind.isSuperseded || known.isSuperseded) return false;
    if (row.share !== other.share) return false;
    const { cosine = 0 } = row;
    if (Math.abs(cosine - (other.cosine ?? 0)) > cosineSpread) return false;
    const [less, more] = [kind.words, known.words].sort((a, b) => a - b);
    if (less < Math.floor(more * nearShare)) return false;
    const [a, b] = [this.#saidBy(own), this.#saidBy(shown)];
    if (a.facts !== b.facts) return false;
    const isSaid = (kind.flags & (rowFlags.talk | rowFlags.result)) !== 0;
    const isShort = Math.max(a.text.length, b.text.length) <= nearChars;
    // What is near has the same words: other line breaks are none.
    return isSaid && isShort ? isNear(a, b) : plain(a.text) === plain(b.text);
  }

  #saidBy(kept: Kept): Said {
    if (kept.said === undefined) {
      const entry = this.#from.readEntry(kept.row.global);
      kept.said = { facts: factsOf(entry), text: entry.text };
    }
    return kept.said;
  }

  #kindOf({ global }: RankedRow): RowKind {
    const { segment, row } = locate(this.#from.corpus, global);
    return {
      flags: segment.flags(row),
      words: segment.textLength(row),
      isSuperseded: isSuperseded(this.#from.corpus, global),
    };
  }
}

/** What two rows must have in common beside their words: of a call, all that it was called with. */
function factsOf({ type, role, title, files, tool, undone }: Entry): string {
  return JSON.stringify([type, role, title, files, tool?.name, tool?.input, undone]);
}

/** A text whatever its line breaks. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Whether one text is in the other, which has little more, and nothing that turns its meaning. */
export function isNear(a: Words, b: Words): boolean {
  const [first, second] = [a, b].map((said) => said.words ??= wordsOf(said.text));
  const [less, more] = first.length <= second.length ? [a, b] : [b, a];
  if (Math.min(first.length, second.length) < Math.max(first.length, second.length) * nearShare) {
    return false;
  }
  if (!joinedOf(more).includes(joinedOf(less))) return false;
  const telling = ({ words = [] }: Words) => words.filter(isTelling).join(" ");
  return telling(less) === telling(more);
}

function joinedOf(said: Words): string {
  return said.joined ??= ` ${said.words?.join(" ")} `;
}

/** Words and signs, without the marks of sentences and of Markdown. */
function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower.match(/[a-z0-9]+(?:'t\b)?|[<>=!+\-/%&|^~?$@]/g) ?? [];
  return lower.match(/[\p{L}\p{N}]+(?:['’]t\b)?|[<>=!+\-/%&|^~?$@]/gu) ?? [];
}

/** Numbers, signs and negations; unspaced scripts are one word, and differ as a whole. */
function isTelling(word: string): boolean {
  return isAscii(word)
    ? /[0-9]|'t$/.test(word) || turningWord.test(word)
    : /\p{N}|['’]t$/u.test(word);
}

const turningWord =
  /[<>=!+\-/%&|^~?$@]|^(?:not|no|never|none|nor|without|except|unless|instead|but|only|however|undo|revert(?:ed)?|wrong|fail(?:s|ed|ure)?|errors?)$/;

/** Most texts are: the classes of Unicode take milliseconds where they are made. */
function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
