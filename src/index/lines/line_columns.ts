// A line table as columns in memory: what a file is encoded from, and how later lines come into it. New
// lines are spliced into sorted ones block by block: they are few, and sorting all anew takes longer.

import { toSealedFile } from "../../disk/paged_file.ts";
import {
  editColumns,
  encodeHead,
  lineMagic,
  type LogMarks,
  type RecordedEdit,
} from "./line_format.ts";

/** The lines of all edits, by hash. */
export interface LineColumns {
  high: Uint32Array;
  low: Uint32Array;
  reference: Uint32Array;
  order: Uint32Array;
}

/** A whole table. */
export interface LineParts {
  edits: readonly RecordedEdit[];
  lines: LineColumns;
}

/** The table as a file, up to some place in the logs. */
export function encodeLines({ edits, lines }: LineParts, logs: LogMarks): Uint8Array {
  const [sessions, paths] = [new Names(), new Names()];
  const rows = edits.map((edit) => ({
    ...edit,
    session: sessions.numberOf(edit.session),
    path: paths.numberOf(edit.path),
  }));
  const columnOf = (name: keyof typeof editColumns): Float64Array | Uint32Array => {
    const column = new (editColumns[name] === 8 ? Float64Array : Uint32Array)(rows.length);
    rows.forEach((row, i) => column[i] = row[name]);
    return column;
  };
  // Without names of its own: whoever purges a word looks for it here too.
  const names = new TextEncoder().encode(JSON.stringify([sessions.list, paths.list]));
  const head = encodeHead({
    edits: edits.length,
    lines: lines.high.length,
    nameBytes: names.length,
    sessions: sessions.list.length,
    earliest: edits.reduce((least, { time }) => Math.min(least, time), Infinity),
    logs,
  });
  const fields = ["time", "place", "length", "session", "path", "idHigh", "idLow"] as const;
  const { high, low, reference, order } = lines;
  const columns = [...fields.map(columnOf), high, low, reference, order];
  return toSealedFile([head, ...columns.map(toBytes), names], lineMagic);
}

/** The table without edits that no longer count; itself when all do. */
export function withoutDropped(
  parts: LineParts,
  isDropped: (idHigh: number, idLow: number) => boolean,
): LineParts {
  const { edits, lines } = parts;
  const kept: RecordedEdit[] = [];
  const numbers = edits.map((edit) =>
    isDropped(edit.idHigh, edit.idLow) ? -1 : kept.push(edit) - 1
  );
  if (kept.length === edits.length) return parts;
  const own: number[] = [];
  for (let line = 0; line < lines.reference.length; line++) {
    if ((numbers[lines.reference[line] >>> 2] ?? -1) >= 0) own.push(line);
  }
  const pick = (column: Uint32Array): Uint32Array => Uint32Array.from(own, (line) => column[line]);
  return {
    edits: kept,
    lines: {
      high: pick(lines.high),
      low: pick(lines.low),
      reference: pick(lines.reference).map((one) => numbers[one >>> 2] * 4 + (one & 3)),
      order: pick(lines.order),
    },
  };
}

/** A table with later lines in it: of those with one hash the earlier stay before the later. */
export function withLater(base: LineParts, later: LineParts): LineParts {
  const reference = later.lines.reference.map((one) => one + base.edits.length * 4);
  return {
    edits: [...base.edits, ...later.edits],
    lines: splice(base.lines, { ...later.lines, reference }),
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

class Names {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, number = this.list.push(name) - 1);
    return number;
  }
}

function toBytes(numbers: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
