// Collects rows and lays them out as a segment. With a filter it keeps only what one query asks
// for, which makes it the scan: same rows, same numbers, no index.

import type { Pool } from "../../core/entry.ts";
import { mayNameTime } from "../../core/time/names_time.ts";
import { countTokens } from "../../core/tokens.ts";
import { concat } from "../../core/utf8.ts";
import type { Row } from "../../store/store.ts";
import {
  citedHashes,
  flagsOf,
  keywordsOf,
  maxFieldLength,
  maxSearchedChars,
  readWords,
} from "./analyze.ts";
import {
  type ColumnName,
  encodeSegment,
  idHashOf,
  lineSum,
  noTotals,
  rowFlags,
  searchFields,
  sessionHash,
  textField,
  toBytes,
} from "./segment_format.ts";
import { DictionaryWriter } from "./dictionary_writer.ts";
import { keyword } from "./keyword.ts";
import { ByteWriter, withRoom } from "../../disk/byte_writer.ts";
import { writePosting, writeTextPosting } from "./postings.ts";
import { met } from "../text/tokenize.ts";

/** Which terms to keep; without it, all. */
export type TermFilter = (term: string) => boolean;

/** Marks a slot that has counts in other fields than `text`. */
const hasOthers = 2 ** 31;
const fields = searchFields.length;
/** With more terms than this, the next segment starts without any. */
const keptTerms = 100_000;

/** So many slots are written out as postings. */
const mostSlots = 1 << 19;

/** Posting lists of some rows, one after the other: by term, where the list ends and how many it has. */
interface Spilled {
  bytes: Uint8Array;
  terms: Uint32Array;
  ends: Uint32Array;
  counts: Uint32Array;
}

function noColumns(): {
  lengths: number[][];
  flags: number[];
  sessions: number[];
  ids: number[];
  times: number[];
  places: number[];
  tokens: number[];
  /** Pairs of a cited entry's hash and a row. */
  cites: { hash: number; row: number }[];
} {
  const lengths = searchFields.map((): number[] => []);
  const rows = { flags: [], sessions: [], ids: [], times: [], places: [] };
  return { lengths, ...rows, tokens: [], cites: [] };
}

/** For each run: where its terms' ids begin, one more than they are, its length, whether it may name a time. */
const recordSize = 4;

/** What is known of the runs that rows are made of, by their numbers. */
class KnownRuns {
  records = new Int32Array(1 << 8);
  ids = new Int32Array(1 << 8);
  /** For `countTokens`. */
  tokens = new Float64Array(1 << 7);
  #used = 0;
  #generation = -1;

  /** Forgets everything if the numbers were forgotten. */
  follow(generation: number): void {
    if (this.#generation !== generation) this.clear();
    this.#generation = generation;
  }

  keep(
    run: number,
    { ids, length, isTime }: { ids: number[]; length: number; isTime: boolean },
  ): void {
    this.ids = withRoom(this.ids, this.#used + ids.length);
    this.ids.set(ids, this.#used);
    this.records = withRoom(this.records, (run + 1) * recordSize);
    this.records.set([this.#used, ids.length + 1, length, isTime ? 1 : 0], run * recordSize);
    this.tokens = withRoom(this.tokens, (run + 1) * 2);
    this.#used += ids.length;
  }

  clear(): void {
    this.records.fill(0);
    this.tokens.fill(0);
    this.#used = 0;
  }
}

/** A segment that is being filled. One slot is kept for each term in each row. */
export class SegmentBuilder {
  readonly pool: Pool;
  readonly #keep?: TermFilter;
  readonly #ids = new Map<string, number>();
  /** The terms by their ids, and the ids in the order of the terms, up to where they were sorted. */
  #terms: string[] = [];
  #order: number[] = [];
  #columns = noColumns();
  #totals = noTotals();
  #slotTerm = new Uint32Array(1 << 12);
  #slotRow = new Uint32Array(1 << 12);
  /** How often the term is in the text; or `hasOthers`, and the number of its counts in `#others`. */
  #slotText = new Uint32Array(1 << 12);
  #slots = 0;
  /** Counts in all fields, for the few slots that have some in others than `text`. */
  #others = new Uint32Array(1 << 10);
  #othersUsed = 0;
  readonly #words = new KnownRuns();
  /** For each term, the last row it was in and the slot for it. */
  #last = new Int32Array(1 << 11).fill(-1);
  /** The postings of earlier rows, and for each term the last row that is in them. */
  #spilled: Spilled[] = [];
  #lastRow = new Int32Array(1 << 10);

  constructor(pool: Pool, keep?: TermFilter) {
    this.pool = pool;
    this.#keep = keep;
  }

  get rows(): number {
    return this.#columns.flags.length;
  }

  get terms(): number {
    return this.#terms.length;
  }

  add(row: Row): void {
    if (this.#slots >= mostSlots) this.#spill();
    const { entry } = row;
    const number = this.rows;
    const columns = this.#columns;
    const totals = this.#totals;
    const ends = readWords(entry);
    const isTimeless = this.#countWords(number, ends);
    for (const term of keywordsOf(entry)) {
      const id = this.#idOf(term);
      if (id >= 0) this.#count(id, number, textField);
    }
    // In an own log the field says nothing: every row there is one's own.
    if (row.pool === "team" && typeof entry.author === "string") {
      const id = this.#idOf(keyword("author", entry.author));
      if (id >= 0) this.#count(id, number, textField);
    }
    for (const hash of citedHashes(entry)) columns.cites.push({ hash, row: number });
    const flags = flagsOf(entry, isTimeless);
    const time = Date.parse(entry.ts);
    columns.flags.push(flags);
    columns.sessions.push(sessionHash(entry.session_id));
    columns.ids.push(idHashOf(entry.id));
    columns.times.push(time);
    columns.places.push(row.offset % 2 ** 32, Math.floor(row.offset / 2 ** 32));
    columns.places.push(row.length, lineSum(row));
    columns.tokens.push(
      this.#countTokens(entry.text, ends) * 2 + (entry.index === undefined ? 0 : 1),
    );
    if ((flags & rowFlags.tombstone) !== 0) {
      totals.tombstones++;
      return;
    }
    totals.entries++;
    if ((flags & rowFlags.thinking) !== 0) totals.thinking++;
    if ((flags & rowFlags.recall) !== 0) totals.recalls++;
    if (entry.supersedes) totals.superseding++;
    if (time < totals.oldestMs) totals.oldestMs = time;
    if (time > totals.newestMs) totals.newestMs = time;
  }

  /**
   * Starts anew without rows, in the memory that it has: new arrays would pile up faster than they
   * go. Terms are kept too, until there are too many: most come again.
   */
  clear(): void {
    if (this.#terms.length > keptTerms) {
      this.#ids.clear();
      this.#words.clear();
      this.#terms = [];
      this.#order = [];
    }
    this.#columns = noColumns();
    this.#totals = noTotals();
    this.#slots = 0;
    this.#othersUsed = 0;
    this.#last.fill(-1);
    this.#lastRow.fill(0);
    this.#spilled = [];
  }

  finish(): Uint8Array {
    return concat(this.finishParts());
  }

  /** The segment's bytes, in parts that follow each other. */
  finishParts(): Uint8Array[] {
    this.#spill();
    const writer = new DictionaryWriter();
    const { starts, parts } = groupParts(this.#spilled, this.#terms.length);
    for (const id of this.#sortTerms()) {
      if (starts[id] === starts[id + 1]) continue;
      const start = writer.postings.size;
      let count = 0;
      for (let i = starts[id]; i < starts[id + 1]; i++) {
        const { bytes, ends, counts } = this.#spilled[parts[i * 2]];
        const at = parts[i * 2 + 1];
        writer.postings.append(bytes, at === 0 ? 0 : ends[at - 1], ends[at]);
        count += counts[at];
      }
      writer.add(this.#terms[id], { start, count });
    }
    return encodeSegment({
      pool: this.pool,
      rows: this.rows,
      terms: writer.terms,
      totals: this.#totals,
      postings: writer.postings,
      dictionary: writer.dictionary,
      blocks: writer.blocks,
      columns: this.#encodeColumns(),
      cites: orderPairs(this.#columns.cites),
    });
  }

  /**
   * Counts the words that were read for a row, and the length of its fields. Returns whether its text
   * surely names no time.
   */
  #countWords(row: number, ends: readonly number[]): boolean {
    const { numbers } = met;
    const words = this.#words;
    words.follow(met.generation);
    let i = 0;
    let times = 0;
    for (let field = 0; field < ends.length; field++) {
      let length = 0;
      for (; i < ends[field]; i++) {
        const at = numbers[i] * recordSize;
        // Beyond its end there is nothing, and nothing is no number either.
        if (!(words.records[at + 1] > 0)) this.#learn(numbers[i]);
        const { records, ids } = words;
        const end = records[at] + records[at + 1] - 1;
        for (let term = records[at]; term < end; term++) this.#count(ids[term], row, field);
        length += records[at + 2];
        times |= records[at + 3];
      }
      length = Math.min(length, maxFieldLength);
      this.#columns.lengths[field].push(length);
      this.#totals.lengths[field] += length;
    }
    // Of a text that was cut, or is not ASCII, not all words are known.
    return times === 0 && met.isAscii && met.closedAt > 0 && met.chars < maxSearchedChars;
  }

  /** The tokens of a row's text, whose words were read. */
  #countTokens(text: string, ends: readonly number[]): number {
    if (!met.isAscii || met.closedAt === 0) return countTokens(text);
    const { starts, ends: stops, numbers } = met;
    const { tokens } = this.#words;
    const [from, to] = [ends[textField - 1], ends[textField]];
    return countTokens(text, { from, to, starts, ends: stops, numbers, tokens });
  }

  #learn(run: number): void {
    const ids = met.termsOf(run).map((term) => this.#idOf(term)).filter((id) => id >= 0);
    const isTime = mayNameTime(met.textOf(run));
    this.#words.keep(run, { ids, length: met.lengthOf(run), isTime });
  }

  /** The id of a term, or -1 when it is not to be kept. */
  #idOf(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    if (this.#keep && !this.#keep(term)) return -1;
    const id = this.#terms.push(term) - 1;
    this.#ids.set(term, id);
    if (id * 2 >= this.#last.length) this.#growTerms();
    return id;
  }

  #count(id: number, row: number, field: number): void {
    let slot = this.#last[id * 2 + 1];
    if (this.#last[id * 2] !== row) {
      if (this.#slots === this.#slotTerm.length) this.#growSlots();
      slot = this.#slots++;
      this.#slotTerm[slot] = id;
      this.#slotRow[slot] = row;
      this.#slotText[slot] = 0;
      this.#last[id * 2] = row;
      this.#last[id * 2 + 1] = slot;
    }
    const text = this.#slotText[slot];
    if (text >= hasOthers) this.#others[(text - hasOthers) * fields + field]++;
    else if (field === textField) this.#slotText[slot] = text + 1;
    else {
      const number = this.#othersUsed++;
      this.#others = withRoom(this.#others, this.#othersUsed * fields);
      this.#others.fill(0, number * fields, this.#othersUsed * fields);
      this.#others[number * fields + textField] = text;
      this.#others[number * fields + field] = 1;
      this.#slotText[slot] = hasOthers + number;
    }
  }

  /** The ids in the order of their terms; only the new ones are sorted. */
  #sortTerms(): number[] {
    const terms = this.#terms;
    const old = this.#order;
    const fresh = terms.slice(old.length).sort().map((term) => this.#idOf(term));
    if (fresh.length === 0) return old;
    const order: number[] = [];
    let at = 0;
    for (const id of fresh) {
      while (at < old.length && terms[old[at]] < terms[id]) order.push(old[at++]);
      order.push(id);
    }
    while (at < old.length) order.push(old[at++]);
    return this.#order = order;
  }

  /** Writes the postings of the slots: they take a fifth of the memory then, and slots begin anew. */
  #spill(): void {
    if (this.#slots === 0) return;
    const { starts, slots } = this.#groupByTerm();
    const writer = new ByteWriter();
    const [terms, ends, counts]: number[][] = [[], [], []];
    this.#lastRow = withRoom(this.#lastRow, this.#terms.length);
    for (let id = 0; id < this.#terms.length; id++) {
      if (starts[id] === starts[id + 1]) continue;
      let last = this.#lastRow[id];
      for (let i = starts[id]; i < starts[id + 1]; i++) {
        const row = slots[i * 2];
        const text = slots[i * 2 + 1];
        if (text < hasOthers) writeTextPosting(writer, row - last, text);
        else {
          const at = (text - hasOthers) * fields;
          writePosting(writer, row - last, this.#others.subarray(at, at + fields));
        }
        last = row;
      }
      this.#lastRow[id] = last;
      terms.push(id);
      ends.push(writer.size);
      counts.push(starts[id + 1] - starts[id]);
    }
    this.#spilled.push({
      bytes: concat(writer.parts()),
      terms: Uint32Array.from(terms),
      ends: Uint32Array.from(ends),
      counts: Uint32Array.from(counts),
    });
    this.#slots = 0;
    this.#othersUsed = 0;
  }

  /** Row and text count of each slot, by term and then by row (a counting sort). */
  #groupByTerm(): { starts: Uint32Array; slots: Uint32Array } {
    const terms = this.#terms.length;
    const starts = new Uint32Array(terms + 1);
    for (let slot = 0; slot < this.#slots; slot++) starts[this.#slotTerm[slot] + 1]++;
    for (let id = 0; id < terms; id++) starts[id + 1] += starts[id];
    const next = starts.slice(0, terms);
    const slots = new Uint32Array(this.#slots * 2);
    for (let slot = 0; slot < this.#slots; slot++) {
      const at = next[this.#slotTerm[slot]]++ * 2;
      slots[at] = this.#slotRow[slot];
      slots[at + 1] = this.#slotText[slot];
    }
    return { starts, slots };
  }

  #encodeColumns(): Record<ColumnName, Uint8Array> {
    const { lengths, flags, sessions, ids, times, places, tokens } = this.#columns;
    const [title, summary, text, files, tags, content] = lengths.map((column) =>
      column.some((length) => length > 0) ? toBytes(Uint16Array.from(column)) : new Uint8Array(0)
    );
    return {
      title,
      summary,
      text,
      files,
      tags,
      content,
      flags: toBytes(Uint16Array.from(flags)),
      session: toBytes(Uint32Array.from(sessions)),
      id: toBytes(Uint32Array.from(ids)),
      time: toBytes(Float64Array.from(times)),
      place: toBytes(Uint32Array.from(places)),
      idOrder: orderIds(Uint32Array.from(ids)),
      tokens: toBytes(Uint32Array.from(tokens)),
    };
  }

  #growTerms(): void {
    const from = this.#last.length;
    this.#last = withRoom(this.#last, from + 1).fill(-1, from);
  }

  #growSlots(): void {
    const count = this.#slots + 1;
    this.#slotTerm = withRoom(this.#slotTerm, count);
    this.#slotRow = withRoom(this.#slotRow, count);
    this.#slotText = withRoom(this.#slotText, count);
  }
}

/** For each term, pairs of a batch of lists that has it and its place there, in order. */
function groupParts(
  spilled: readonly Spilled[],
  terms: number,
): { starts: Uint32Array; parts: Uint32Array } {
  const starts = new Uint32Array(terms + 1);
  for (const { terms: ids } of spilled) for (const id of ids) starts[id + 1]++;
  for (let id = 0; id < terms; id++) starts[id + 1] += starts[id];
  const next = starts.slice(0, terms);
  const parts = new Uint32Array(starts[terms] * 2);
  for (const [batch, { terms: ids }] of spilled.entries()) {
    for (let place = 0; place < ids.length; place++) {
      const at = next[ids[place]]++ * 2;
      parts[at] = batch;
      parts[at + 1] = place;
    }
  }
  return { starts, parts };
}

export function orderPairs(pairs: { hash: number; row: number }[]): Uint32Array {
  pairs.sort((a, b) => a.hash - b.hash || a.row - b.row);
  return Uint32Array.from(pairs.flatMap(({ hash, row }) => [hash, row]));
}

/** Pairs of id hash and row, sorted by both: the column that finds rows from ids. */
export function orderIds(ids: Uint32Array): Uint8Array {
  const keys = new Float64Array(ids.length);
  for (let row = 0; row < ids.length; row++) keys[row] = ids[row] * 2 ** 21 + row;
  keys.sort();
  const pairs = new Uint32Array(ids.length * 2);
  keys.forEach((key, i) => {
    const row = key % 2 ** 21;
    pairs[i * 2] = (key - row) / 2 ** 21;
    pairs[i * 2 + 1] = row;
  });
  return toBytes(pairs);
}
