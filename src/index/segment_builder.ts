// Collects rows into a segment in memory. With a filter it keeps only what one query asks for,
// which makes it the scan: same rows, same numbers, no index.

import type { Pool } from "../core/entry.ts";
import { hash64 } from "../core/hash.ts";
import type { Row } from "../store/store.ts";
import { analyze, flagsOf, keywordsOf, searchFields, sessionHash, textField } from "./analyze.ts";
import { PostingWriter } from "./postings.ts";
import type { Place, Postings, Segment } from "./segment.ts";

/** Which terms to keep; without it, all. */
export type TermFilter = (term: string) => boolean;

interface Columns {
  lengths: Uint16Array[];
  flags: Uint8Array;
  sessions: Uint32Array;
}

/** A segment that is being filled. It can be searched at any time. */
export class SegmentBuilder implements Segment {
  readonly pool: Pool;
  readonly #keep?: TermFilter;
  readonly #postings = new Map<string, PostingWriter>();
  readonly #lengths: number[][] = searchFields.map(() => []);
  readonly #flags: number[] = [];
  readonly #sessions: number[] = [];
  readonly #times: number[] = [];
  readonly #offsets: number[] = [];
  readonly #sizes: number[] = [];
  readonly #idHashes: number[] = [];
  #columns?: Columns;

  constructor(pool: Pool, keep?: TermFilter) {
    this.pool = pool;
    this.#keep = keep;
  }

  get rows(): number {
    return this.#flags.length;
  }

  /** Adds the next row of the log. */
  add(row: Row): void {
    const { entry } = row;
    const doc = this.rows;
    const lengths = analyze(entry, (term, field) => this.#count(term, doc, field));
    for (const term of keywordsOf(entry)) this.#count(term, doc, textField);
    lengths.forEach((length, field) => this.#lengths[field].push(length));
    this.#flags.push(flagsOf(entry));
    this.#sessions.push(sessionHash(entry.session_id));
    this.#times.push(Date.parse(entry.ts));
    this.#offsets.push(row.offset);
    this.#sizes.push(row.length);
    this.#idHashes.push(idHashOf(entry.id));
  }

  findPostings(term: string): Postings | undefined {
    const writer = this.#postings.get(term);
    if (writer === undefined) return undefined;
    const bytes = writer.finish();
    return { bytes, count: writer.count };
  }

  terms(prefix: string): string[] {
    return [...this.#postings.keys()].filter((term) => term.startsWith(prefix)).sort();
  }

  lengths(field: number): Uint16Array {
    return this.#column().lengths[field];
  }

  flags(): Uint8Array {
    return this.#column().flags;
  }

  sessions(): Uint32Array {
    return this.#column().sessions;
  }

  time(row: number): number {
    return this.#times[row];
  }

  place(row: number): Place {
    return { pool: this.pool, offset: this.#offsets[row], length: this.#sizes[row] };
  }

  idHash(row: number): number {
    return this.#idHashes[row];
  }

  /** The rows of some ids: hashes narrow the choice, the text at the place decides. */
  findIds(
    ids: ReadonlySet<string>,
    readId: (place: Place) => string | undefined,
  ): Map<string, number> {
    const hashes = new Set([...ids].map(idHashOf));
    const found = new Map<string, number>();
    this.#idHashes.forEach((hash, row) => {
      if (!hashes.has(hash)) return;
      const id = readId(this.place(row));
      if (id !== undefined && ids.has(id) && !found.has(id)) found.set(id, row);
    });
    return found;
  }

  #column(): Columns {
    if (this.#columns?.flags.length === this.rows) return this.#columns;
    this.#columns = {
      lengths: this.#lengths.map((column) => Uint16Array.from(column)),
      flags: Uint8Array.from(this.#flags),
      sessions: Uint32Array.from(this.#sessions),
    };
    return this.#columns;
  }

  #count(term: string, doc: number, field: number): void {
    if (this.#keep && !this.#keep(term)) return;
    let writer = this.#postings.get(term);
    if (writer === undefined) {
      writer = new PostingWriter();
      this.#postings.set(term, writer);
    }
    writer.add(doc, field);
  }
}

/** The hash by which rows are found from an id. */
export function idHashOf(id: string): number {
  return hash64(id)[1];
}
