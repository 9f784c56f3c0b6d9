// Reads a line table, or the lines of rows that it does not have yet: both have one form. A lookup reads a
// few pages; every number that leads somewhere is checked on the way.

import { findJson } from "../../core/json.ts";
import { aligned, PagedColumn } from "../../disk/paged_column.ts";
import { type ByteSource, IndexDamage, PagedSource } from "../../disk/byte_source.ts";
import type { LineParts } from "./line_columns.ts";
import {
  decodeHead,
  editColumns,
  headBytes,
  lineColumns,
  type LineHead,
  type LineKind,
  lineKinds,
  type LineNames,
  type RecordedEdit,
} from "./line_format.ts";

export interface RecordedLine {
  high: number;
  low: number;
  edit: number;
  kind: LineKind;
  order: number;
}

/** After this many guesses a lookup halves what is left. */
const maxGuesses = 6;

const wholeColumn = 2 ** 30;

/** Lines sorted by hash, with their edits; close it. */
export class LineRun implements Disposable {
  readonly head: LineHead;
  readonly #source: ByteSource;
  #names?: LineNames;
  readonly #edit: Record<keyof typeof editColumns, PagedColumn>;
  readonly #line: Record<keyof typeof lineColumns, PagedColumn>;

  /** Reads the head only. Throws IndexDamage for another form. */
  constructor(source: ByteSource) {
    this.#source = source;
    const head = decodeHead(source.read(0, headBytes));
    if (head === undefined) throw new IndexDamage("the line table has another form");
    this.head = head;
    let start = headBytes;
    // What is in memory needs no pages: a column is then one view.
    const bytesPerRead = source instanceof PagedSource ? undefined : wholeColumn;
    const columns = <T extends Record<string, 4 | 8>>(
      widths: T,
      values: number,
    ): Record<keyof T, PagedColumn> => {
      const made = Object.entries(widths).map(([name, width]) => {
        const column = new PagedColumn(source, { start, width, values, bytesPerRead });
        start += width * values;
        return [name, column];
      });
      return Object.fromEntries(made);
    };
    this.#edit = columns(editColumns, head.edits);
    this.#line = columns(lineColumns, head.lines);
  }

  /** Sessions and paths, read when they are asked for. */
  get names(): LineNames {
    if (this.#names !== undefined) return this.#names;
    const { edits, lines, nameBytes } = this.head;
    const start = headBytes + edits * bytesOf(editColumns) + lines * bytesOf(lineColumns);
    return this.#names = parseNames(this.#source.read(start, nameBytes));
  }

  /** The lines with a hash, in the order of the log, at most `limit`. */
  find(high: number, low: number, limit: number): RecordedLine[] {
    const found: RecordedLine[] = [];
    for (let at = this.#first(high, low); at < this.head.lines && found.length < limit; at++) {
      if (this.#line.high.at(at) !== high || this.#line.low.at(at) !== low) break;
      found.push(this.#lineAt(at));
    }
    return found;
  }

  editAt(edit: number): RecordedEdit {
    if (edit >= this.head.edits) throw new IndexDamage("the line table points outside itself");
    const column = this.#edit;
    return {
      time: column.time.at(edit),
      place: column.place.at(edit),
      length: column.length.at(edit),
      session: nameAt(this.names.sessions, column.session.at(edit)),
      path: nameAt(this.names.paths, column.path.at(edit)),
      idHigh: column.idHigh.at(edit),
      idLow: column.idLow.at(edit),
    };
  }

  /** The whole table. */
  readParts(): LineParts {
    const { edits, lines } = this.head;
    let at = headBytes + edits * bytesOf(editColumns);
    const words = (): Uint32Array => {
      const { buffer, byteOffset } = aligned(this.#source.read(at, lines * 4), 4);
      at += lines * 4;
      return new Uint32Array(buffer, byteOffset, lines);
    };
    return {
      edits: Array.from({ length: edits }, (_, edit) => this.editAt(edit)),
      // In the order of the file.
      lines: { high: words(), low: words(), reference: words(), order: words() },
    };
  }

  #lineAt(line: number): RecordedLine {
    const reference = this.#line.reference.at(line);
    const kind = lineKinds[reference & 3];
    if (kind === undefined) throw new IndexDamage("the line table has another form");
    return {
      high: this.#line.high.at(line),
      low: this.#line.low.at(line),
      edit: reference >>> 2,
      kind,
      order: this.#line.order.at(line),
    };
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]();
  }

  /** The first line that is not before a hash. Hashes are spread evenly: its place can be guessed. */
  #first(high: number, low: number): number {
    let [from, to] = [0, this.head.lines];
    let [least, most] = [0, 2 ** 32];
    for (let tries = 0; from < to; tries++) {
      const share = tries < maxGuesses && most > least ? (high - least) / (most - least) : 0.5;
      const middle = Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));
      const there = this.#line.high.at(middle);
      if (there < high || (there === high && this.#line.low.at(middle) < low)) {
        [from, least] = [middle + 1, there];
      } else [to, most] = [middle, there];
    }
    return from;
  }
}

function parseNames(bytes: Uint8Array): LineNames {
  const value = findJson(new TextDecoder().decode(bytes));
  const [sessions, paths] = Array.isArray(value) ? value : [];
  if (!isNames(sessions) || !isNames(paths)) {
    throw new IndexDamage("the line table has other names");
  }
  return { sessions, paths };
}

function bytesOf(columns: Record<string, number>): number {
  return Object.values(columns).reduce((sum, width) => sum + width, 0);
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function nameAt(names: readonly string[], number: number): string {
  const name = names[number];
  if (name === undefined) throw new IndexDamage("the line table points outside itself");
  return name;
}
