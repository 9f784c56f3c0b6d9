// A corpus of an index and the ways to read its rows: the entry from the log, exact values from the
// postings, without the log.

import type { Entry } from "../core/entry.ts";
import { type Corpus, locate } from "../index/segment/corpus.ts";
import { confirmTerm, type KeywordField, keywordPrefix } from "../index/segment/keyword.ts";
import { forEachRow } from "../index/segment/postings.ts";
import type { Segment } from "../index/segment/segment.ts";
import type { TermFilter } from "../index/segment/segment_builder.ts";
import type { SearchIndex } from "../index/search_index.ts";
import { termsOf } from "./rank/terms_of.ts";

/** Which terms of a long tail are wanted: those of a text, excluded ones and keywords, or others. */
export interface WantedTerms {
  text?: string;
  excluded?: readonly { terms: string[] }[];
  /** All keywords, unless this says less. */
  keepsKeyword?: TermFilter;
  keeps?: TermFilter;
}

type Exact = string | string[] | undefined;

export class CorpusView {
  readonly index: SearchIndex;
  readonly corpus: Corpus;
  readonly #entries = new Map<number, Entry>();
  readonly #exact = new Map<KeywordField, Exact[][]>();

  constructor(index: SearchIndex, wanted: WantedTerms) {
    this.index = index;
    this.corpus = index.openCorpus(wanted.keeps ?? makeKeep(wanted));
  }

  /** Reads go through here, so that a view may say in its own way that the index is damaged. */
  read<T>(run: () => T): T {
    return run();
  }

  /** The entry of a row; the few that are read twice are kept. */
  readEntry(global: number): Entry {
    let entry = this.#entries.get(global);
    if (entry === undefined) {
      if (this.#entries.size > 1000) this.#entries.clear();
      const { segment, row } = locate(this.corpus, global);
      entry = this.read(() => this.index.log.read(segment, row));
      this.#entries.set(global, entry);
    }
    return entry;
  }

  /**
   * What a row has in a keyword field, as filters compare it and Orama can count it (`fromKey`); all rows
   * of the field are read at once.
   */
  readExact(field: KeywordField, global: number): Exact {
    let columns = this.#exact.get(field);
    if (columns === undefined) {
      columns = this.read(() => this.corpus.segments.map((segment) => exactColumn(segment, field)));
      this.#exact.set(field, columns);
    }
    const { segmentNumber, row } = locate(this.corpus, global);
    return columns[segmentNumber][row];
  }
}

function makeKeep(
  { text = "", excluded = [], keepsKeyword = () => true }: WantedTerms,
): TermFilter {
  const without = excluded.flatMap(({ terms }) => terms);
  const terms = new Set([...termsOf(text).map(({ term }) => term), ...without]);
  return (term) =>
    terms.has(term) ||
    (term.charCodeAt(0) === 1 && (keepsKeyword(term) || term === confirmTerm));
}

/** Columns by segment, which never changes: a server counts by the same fields at every key. */
const known = new WeakMap<Segment, Map<KeywordField, Exact[]>>();

function exactColumn(segment: Segment, field: KeywordField): Exact[] {
  const columns = known.get(segment) ?? new Map<KeywordField, Exact[]>();
  const column = columns.get(field) ?? makeColumn(segment, field);
  known.set(segment, columns.set(field, column));
  return column;
}

function makeColumn(segment: Segment, field: KeywordField): Exact[] {
  const isList = field === "file" || field === "tag";
  const column: Exact[] = new Array(segment.rows).fill(undefined);
  const prefix = keywordPrefix(field);
  for (const { term, postings } of segment.lists(prefix)) {
    const value = toKey(term.slice(prefix.length));
    forEachRow(postings.bytes, (row) => {
      if (isList) column[row] = [...column[row] ?? [], value];
      else column[row] = value;
    });
  }
  return column;
}

/** Orama counts in plain objects, where these names are taken: such a value gets a mark. */
const takenNames: ReadonlySet<unknown> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A value that Orama can count. */
export function toKey<T>(value: T): T | string {
  return takenNames.has(value) ? `\0${value}` : value;
}

/** A value that Orama counted, without its mark. */
export function fromKey<T>(key: T): T | string {
  return typeof key === "string" && key[0] === "\0" ? key.slice(1) : key;
}
