// A small Orama database in the browser, with an index of its own: for what the page or an exported
// archive holds whole, where typing is live. Words match from their beginning; what finds nothing is
// looked for once more with one letter wrong, then with two, as where two are swapped.

import {
  type AnyOrama,
  create,
  insertMultiple,
  type Results,
  search,
  type Tokenizer,
} from "@orama/orama";
import { editDistance } from "../../core/text.ts";

/** What is searched: a text, and values to narrow by and count. */
export interface TextRow {
  text: string;
  [value: string]: string;
}

/** What to find. */
export interface TextAsk {
  typed: string;
  /** Values that rows must have. */
  only?: Readonly<Record<string, string>>;
  /** Never rows that have only some of the words. */
  hasAllWords?: boolean;
  limit: number;
}

/** What was found. */
export interface FoundTexts {
  /** The numbers of the rows, in the order in which they were added; best first. */
  rows: number[];
  total: number;
  /** How many rows have each value. */
  counts: Record<string, Record<string, number>>;
  /** Whether words that were typed are in none of these rows: they differ by a letter, or are left out. */
  isNear: boolean;
}

/** How much of what is typed a row must have: all words (0) or some (1), with how many wrong letters. */
interface Step {
  threshold: number;
  tolerance?: number;
}

/** Texts that can be searched while more are added. */
export class TextDatabase {
  readonly #names: readonly string[];
  readonly #database: AnyOrama;
  #count = 0;

  /** `names` are the values to narrow by. */
  constructor(names: readonly string[] = []) {
    this.#names = names;
    this.#database = create({
      schema: { text: "string", ...Object.fromEntries(names.map((name) => [name, "enum"])) },
      components: { tokenizer },
    });
  }

  /** Adds rows; they are numbered from 0. */
  async add(rows: readonly TextRow[]): Promise<void> {
    const numbered = rows.map((row) => ({ ...row, id: String(this.#count++) }));
    await insertMultiple(this.#database, numbered, numbered.length);
  }

  /** Finds rows that have all of the words; failing that, similar ones; failing that, some of them. */
  async find(ask: TextAsk): Promise<FoundTexts> {
    const words = toWords(ask.typed);
    let found = await this.#search(ask, { threshold: 0 });
    let isNear = false;
    for (const step of stepsFor(words, ask)) {
      if (found.count > 0 || words.length === 0) break;
      found = await this.#search(ask, step);
      isNear = true;
    }
    return toFound(found, isNear);
  }

  async #search(
    { typed, only = {}, limit }: TextAsk,
    step: Step,
  ): Promise<Results<TextRow>> {
    const where = Object.entries(only).map(([name, value]) => [name, { eq: value }]);
    return await search(this.#database, {
      term: typed.trim(),
      properties: ["text"],
      limit,
      ...step,
      ...(where.length > 0 ? { where: Object.fromEntries(where) } : {}),
      facets: Object.fromEntries(this.#names.map((name) => [name, {}])),
    });
  }
}

/** How many letters of a word may be wrong. */
function toleranceOf(word: string): number {
  return word.length >= 5 ? 2 : 1;
}

/** Whether a word may be meant by one that was typed. */
export function isNear(word: string, typed: string): boolean {
  const most = toleranceOf(typed);
  return Math.abs(word.length - typed.length) <= most && editDistance(word, typed) <= most;
}

/** What is tried in turn where no row has all of the words. */
function stepsFor(words: string[], { hasAllWords }: TextAsk): Step[] {
  const most = Math.max(...words.map(toleranceOf));
  const all = [1, 2].filter((tolerance) => tolerance <= most);
  const some = hasAllWords ? [] : [{ threshold: 1, tolerance: 1 }];
  return [...all.map((tolerance) => ({ threshold: 0, tolerance })), ...some];
}

function toFound({ hits, count, facets = {} }: Results<TextRow>, isNear: boolean): FoundTexts {
  return {
    rows: hits.map(({ id }) => Number(id)),
    total: count,
    counts: Object.fromEntries(
      Object.entries(facets).map(([name, { values }]) => [name, values]),
    ),
    isNear,
  };
}

/** Longer words are hashes and data: nobody types them, and they would fill the index. */
const maxWordChars = 40;
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+/gu;
const parts = /_+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** The words of a text, of identifiers also the parts, without accents; in every script. */
export function toWords(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  const found = new Set<string>();
  for (const [word] of plain.matchAll(words)) {
    if (word.length > maxWordChars) continue;
    found.add(word.toLowerCase());
    for (const part of word.split(parts)) if (part !== "") found.add(part.toLowerCase());
  }
  return [...found];
}

const tokenizer: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize: toWords,
};
