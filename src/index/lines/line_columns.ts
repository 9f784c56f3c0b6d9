// A line table as columns in memory: what a file is encoded from, and how later lines come into it. New
// lines are spliced into sorted ones block by block: they are few, and sorting all anew takes longer.

import { toSealedFile } from "../../disk/paged_file.ts";
import { encodeHead, type LineHead, lineMagic, type LineNames } from "./line_format.ts";

/** What is known of each edit, a column each; names by their number. */
export interface EditColumns {
  time: Float64Array;
  place: Float64Array;
  length: Uint32Array;
  session: Uint32Array;
  path: Uint32Array;
  idHigh: Uint32Array;
  idLow: Uint32Array;
}

/** The lines of all edits, by hash. */
export interface LineColumns {
  high: Uint32Array;
  low: Uint32Array;
  reference: Uint32Array;
  order: Uint32Array;
}

/** A whole table. */
export interface LineParts {
  edits: EditColumns;
  lines: LineColumns;
  sessions: string[];
  paths: string[];
}

/** What a file says beside its lines. */
export interface LineMarks extends Pick<LineHead, "logs"> {
  /** Where it goes on from another table: that one, and which of its entries no longer count. */
  base?: number;
  dropped?: LineNames["dropped"];
}

/** The table as a file. */
export function encodeLines(
  { edits, lines, sessions, paths }: LineParts,
  { logs, base = 0, dropped = [] }: LineMarks,
): Uint8Array {
  // Without names of its own: whoever purges a word looks for it here too.
  const names = new TextEncoder().encode(JSON.stringify([sessions, paths, dropped]));
  const head = encodeHead({
    edits: edits.time.length,
    lines: lines.high.length,
    nameBytes: names.length,
    sessions: sessions.length,
    earliest: edits.time.reduce((least, time) => Math.min(least, time), Infinity),
    logs,
    base,
    dropped: dropped.length,
  });
  const { time, place, length, session, path, idHigh, idLow } = edits;
  const { high, low, reference, order } = lines;
  const columns = [time, place, length, session, path, idHigh, idLow, high, low, reference, order];
  return toSealedFile([head, ...columns.map(toBytes), names], lineMagic);
}

/** The table without edits that no longer count; itself when all do. */
export function withoutDropped(
  parts: LineParts,
  isDropped: (idHigh: number, idLow: number) => boolean,
): LineParts {
  const { edits, lines } = parts;
  const kept: number[] = [];
  const numbers = new Int32Array(edits.time.length).fill(-1);
  for (let edit = 0; edit < numbers.length; edit++) {
    if (!isDropped(edits.idHigh[edit], edits.idLow[edit])) numbers[edit] = kept.push(edit) - 1;
  }
  if (kept.length === numbers.length) return parts;
  const own: number[] = [];
  for (let line = 0; line < lines.reference.length; line++) {
    if ((numbers[lines.reference[line] >>> 2] ?? -1) >= 0) own.push(line);
  }
  const sessions = new Names();
  const paths = new Names();
  return {
    edits: {
      time: Float64Array.from(kept, (edit) => edits.time[edit]),
      place: Float64Array.from(kept, (edit) => edits.place[edit]),
      length: Uint32Array.from(kept, (edit) => edits.length[edit]),
      session: Uint32Array.from(kept, (edit) => sessions.take(parts.sessions, edits.session[edit])),
      path: Uint32Array.from(kept, (edit) => paths.take(parts.paths, edits.path[edit])),
      idHigh: Uint32Array.from(kept, (edit) => edits.idHigh[edit]),
      idLow: Uint32Array.from(kept, (edit) => edits.idLow[edit]),
    },
    lines: {
      high: Uint32Array.from(own, (line) => lines.high[line]),
      low: Uint32Array.from(own, (line) => lines.low[line]),
      reference: Uint32Array.from(own, (line) => {
        const reference = lines.reference[line];
        return numbers[reference >>> 2] * 4 + (reference & 3);
      }),
      order: Uint32Array.from(own, (line) => lines.order[line]),
    },
    sessions: sessions.list,
    paths: paths.list,
  };
}

/** A table with later lines in it: of those with one hash the earlier stay before the later. */
export function withLater(base: LineParts, later: LineParts): LineParts {
  const [sessions, paths] = [new Names(base.sessions), new Names(base.paths)];
  const session = later.edits.session.map((number) => sessions.take(later.sessions, number));
  const path = later.edits.path.map((number) => paths.take(later.paths, number));
  const before = base.edits.time.length;
  const reference = later.lines.reference.map((one) => one + before * 4);
  return {
    edits: joinColumns(base.edits, { ...later.edits, session, path }),
    lines: splice(base.lines, { ...later.lines, reference }),
    sessions: sessions.list,
    paths: paths.list,
  };
}

function joinColumns(a: EditColumns, b: EditColumns): EditColumns {
  const wide = (field: "time" | "place"): Float64Array => {
    const column = new Float64Array(a[field].length + b[field].length);
    column.set(a[field]);
    column.set(b[field], a[field].length);
    return column;
  };
  const words = (field: "length" | "session" | "path" | "idHigh" | "idLow"): Uint32Array => {
    const column = new Uint32Array(a[field].length + b[field].length);
    column.set(a[field]);
    column.set(b[field], a[field].length);
    return column;
  };
  return {
    time: wide("time"),
    place: wide("place"),
    length: words("length"),
    session: words("session"),
    path: words("path"),
    idHigh: words("idHigh"),
    idLow: words("idLow"),
  };
}

function splice(base: LineColumns, later: LineColumns): LineColumns {
  const places = new Uint32Array(later.high.length);
  for (let i = 0, from = 0; i < places.length; i++) {
    places[i] = from = firstAfter(base, { high: later.high[i], low: later.low[i], from });
  }
  const put = (old: Uint32Array, fresh: Uint32Array): Uint32Array => {
    const column = new Uint32Array(old.length + fresh.length);
    let done = 0;
    for (let i = 0; i < fresh.length; i++) {
      column.set(old.subarray(done, places[i]), done + i);
      column[places[i] + i] = fresh[i];
      done = places[i];
    }
    column.set(old.subarray(done), done + fresh.length);
    return column;
  };
  return {
    high: put(base.high, later.high),
    low: put(base.low, later.low),
    reference: put(base.reference, later.reference),
    order: put(base.order, later.order),
  };
}

/** The first line whose hash is larger. */
function firstAfter(
  { high: highs, low: lows }: LineColumns,
  { high, low, from }: { high: number; low: number; from: number },
): number {
  let to = highs.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (highs[middle] < high || (highs[middle] === high && lows[middle] <= low)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Names with a number each. */
export class Names {
  readonly list: string[];
  readonly #numbers: Map<string, number>;

  constructor(list: readonly string[] = []) {
    this.list = [...list];
    this.#numbers = new Map(list.map((name, i) => [name, i]));
  }

  numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, number = this.list.push(name) - 1);
    return number;
  }

  /** The number of what another list has under a number. */
  take(list: readonly string[], number: number): number {
    return this.numberOf(list[number] ?? "");
  }
}

function toBytes(numbers: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
