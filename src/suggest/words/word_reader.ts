// Reads the words of many texts into keys and records. Says the same as `readWords` of each, but what
// follows from a name (its terms, the words in it) is worked out once for all texts, and a name that
// is known makes no string: that is most of the time and of the memory of a build.

import { hashStart } from "../../core/hash.ts";
import { redactText } from "../../core/redact/redact.ts";
import { withRoom } from "../../pages/grow.ts";
import { maxTermChars, termsIn } from "./count_terms.ts";
import { KeyStore } from "../tables/key_store.ts";
import { idBits } from "../tables/posting_run.ts";
import { filesIn, maxTerms, maxWords, partsOf } from "./word_facts.ts";
import { termLabel, wordKeys, wordLabel } from "./word_table.ts";

/** A posting has room for so much; a term that stands in a file more often is noted apart. */
export const maxCount = 255;

/** How often a term stands in a file when that is more than a posting has room for. */
export interface ManyTimes {
  id: number;
  term: string;
  count: number;
}

const plain = hashStart("");
const ofName = hashStart("w:");
const ofTerm = hashStart("t:");
const ofWord = hashStart("v:");
const letter = 1;
const digit = 2;
/** What stands in names, by character code. */
const kinds = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$") {
  kinds[char.charCodeAt(0)] = letter;
}
for (const char of "0123456789") kinds[char.charCodeAt(0)] = digit;

/** Reads texts, one after the other, in order of their numbers. */
export class WordReader {
  readonly keys = new KeyStore();
  readonly many: ManyTimes[] = [];
  readonly #called: ReadonlySet<string>;
  /** Which text is read: marks of the one before need not be cleared. */
  #round = 0;
  /** By key: the last text that it was met in as a word, and as a source of terms or a term. */
  #worded = new Uint32Array(4096);
  #counted = new Uint32Array(4096);
  #counts = new Uint32Array(4096);
  /** By name: where in the pool the terms and words of it begin, and where they end. */
  #places = new Uint32Array(4096);
  #pool = new Uint32Array(4096);
  #pooled = 1;

  /** `called` are the words that files are called by: only those count how often they are said. */
  constructor(called: ReadonlySet<string>) {
    this.#called = called;
  }

  /** Reads the text of a file. Its words are kept and shown, so secrets go first. */
  read({ id, path }: { id: number; path: string }, given: string): void {
    const text = redactText(given).value;
    this.#round++;
    for (const key of wordKeys({ path, words: [], files: filesIn(text) })) {
      this.keys.post(this.keys.add(plain, key), id);
    }
    const { words, sources } = this.#scan(text);
    this.#postWords(id, words);
    this.#postTerms(id, sources);
  }

  /** The names of a text as `namesIn` finds them, and those in the part that terms are counted in. */
  #scan(text: string): { words: number[]; sources: number[] } {
    const words: number[] = [];
    const sources: number[] = [];
    for (let from = 0; from < text.length;) {
      if (kindAt(text, from) !== letter) {
        from++;
        continue;
      }
      let to = from + 1;
      while (to < text.length && kindAt(text, to) !== 0) to++;
      if (to - from > 1) {
        const name = this.#name(text, from, to);
        if (this.#worded[name] !== this.#round) {
          this.#worded[name] = this.#round;
          if (words.length < maxWords) words.push(name);
        }
        if (to <= maxTermChars) this.#count(name, 1, sources);
        else if (from < maxTermChars) {
          this.#count(this.#name(text, from, maxTermChars), 1, sources);
        }
      }
      from = to;
    }
    return { words, sources };
  }

  #postWords(id: number, words: number[]): void {
    for (const name of words) {
      this.keys.post(name, id);
      const place = this.#places[name];
      const terms = this.#pool[place];
      const said = this.#pool[place + 1];
      for (let i = 0; i < said; i++) {
        const word = this.#pool[place + 2 + terms + i];
        if (this.#worded[word] === this.#round) continue;
        this.#worded[word] = this.#round;
        this.keys.post(word, id);
      }
    }
  }

  #postTerms(id: number, sources: number[]): void {
    let terms: number[] = [];
    for (const name of sources) {
      const place = this.#places[name];
      const count = this.#counts[name];
      for (let i = 0; i < this.#pool[place]; i++) {
        this.#count(this.#pool[place + 2 + i], count, terms);
      }
    }
    const counts = this.#counts;
    if (terms.length > maxTerms) {
      terms = terms.sort((a, b) => counts[b] - counts[a]).slice(0, maxTerms);
    }
    for (const term of terms) {
      const count = counts[term];
      this.keys.post(term, (id | Math.min(maxCount, count) << idBits) >>> 0);
      if (count > maxCount) this.many.push({ id, term: this.keys.labelOf(term).slice(1), count });
    }
  }

  /** Counts a key; one that is new to the text joins the list. */
  #count(key: number, times: number, list: number[]): void {
    if (this.#counted[key] !== this.#round) {
      this.#counted[key] = this.#round;
      this.#counts[key] = 0;
      list.push(key);
    }
    this.#counts[key] += times;
  }

  /** The key of a name; what follows from it is worked out when it is met for the first time. */
  #name(text: string, from: number, to: number): number {
    const before = this.keys.count;
    const key = this.keys.add(ofName, text, from, to);
    if (this.keys.count > before) this.#learn(key, text.slice(from, to));
    return key;
  }

  #learn(key: number, name: string): void {
    this.keys.label(wordLabel + name);
    const terms = termsIn(name).map((term) => {
      const before = this.keys.count;
      const found = this.keys.add(ofTerm, term);
      if (this.keys.count > before) this.keys.label(termLabel + term);
      return found;
    });
    const said: number[] = [];
    for (const word of partsOf([name])) {
      if (this.#called.has(word)) said.push(this.keys.add(ofWord, word));
    }
    this.#makeRoom(terms.length + said.length + 2);
    this.#places[key] = this.#pooled;
    this.#pool.set([terms.length, said.length, ...terms, ...said], this.#pooled);
    this.#pooled += terms.length + said.length + 2;
  }

  #makeRoom(more: number): void {
    this.#pool = withRoom(this.#pool, this.#pooled + more);
    this.#worded = withRoom(this.#worded, this.keys.count);
    this.#counted = withRoom(this.#counted, this.keys.count);
    this.#counts = withRoom(this.#counts, this.keys.count);
    this.#places = withRoom(this.#places, this.keys.count);
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? kinds[code] : 0;
}
