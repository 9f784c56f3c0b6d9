// Collects the lines that sessions changed, from rows of the log and from a table that is there
// already, and encodes them. Keeps no text: a line is hashed when its row is met.

import { hash64 } from "../../core/hash.ts";
import { editLinesOf } from "../../core/rows/edit_lines.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { hashLine } from "../../core/rows/line_hash.ts";
import { madeCommitsOf } from "../../core/rows/made_commits.ts";
import { withRoom } from "../../pages/byte_writer.ts";
import { toSealedFile } from "../../pages/paged_file.ts";
import { radixOrder } from "../../pages/radix_order.ts";
import { type Row, toPlace } from "../../store/snapshot.ts";
import {
  headBytes,
  type LineKind,
  lineKinds,
  lineMagic,
  type LineNames,
  lineVersion,
} from "./line_format.ts";
import type { LineRun } from "./line_run.ts";

/** The hash under which a commit is found by its own. */
export function commitKey(oid: string): [number, number] {
  return hash64(`commit ${oid.slice(0, 7)}`);
}

/** Where a change was recorded. */
interface EditFacts {
  time: number;
  place: number;
  length: number;
  session: number;
  path: number;
  idHigh: number;
  idLow: number;
}

/** Lines and the edits they belong to, in memory. */
export class LineDraft {
  readonly #edits: EditFacts[] = [];
  readonly #sessions = new Names();
  readonly #paths = new Names();
  #high = new Uint32Array(1024);
  #low = new Uint32Array(1024);
  #references = new Uint32Array(1024);
  #orders = new Uint32Array(1024);
  #count = 0;

  /** How many lines there are. */
  get lines(): number {
    return this.#count;
  }

  /** Takes the lines of a row; most rows have none. Rows of no session tell nothing. */
  add({ entry, pool, offset, length }: Row): void {
    if (entry.session_id === undefined) return;
    const edits = editsOf(entry);
    const commits = madeCommitsOf(entry);
    if (edits.length + commits.length === 0) return;
    const [idHigh, idLow] = hash64(entry.id);
    const facts = {
      time: Date.parse(entry.ts),
      place: toPlace({ pool, offset }),
      length,
      session: this.#sessions.numberOf(entry.session_id),
      idHigh,
      idLow,
    };
    for (const edit of edits) {
      const { added, removed } = editLinesOf(edit);
      if (added.length + removed.length === 0) continue;
      const number = this.#edits.push({ ...facts, path: this.#paths.numberOf(edit.path) }) - 1;
      for (const line of added) this.#post(number, "added", line);
      for (const line of removed) this.#post(number, "removed", line);
    }
    if (commits.length === 0) return;
    const number = this.#edits.push({ ...facts, path: this.#paths.numberOf("") }) - 1;
    const into = new Uint32Array(2);
    for (const { oid, subject } of commits) {
      const [high, low] = commitKey(oid);
      this.#post(number, "committed", { high, low, order: 0 });
      if (!hashLine(subject, { from: 0, to: subject.length, into })) continue;
      this.#post(number, "committed", { high: into[0], low: into[1], order: 0 });
    }
  }

  /** Takes over a table, but for the entries that no longer count. */
  addRun(run: LineRun, isDropped: (idHigh: number, idLow: number) => boolean): void {
    const numbers = new Int32Array(run.edits).fill(-1);
    for (let edit = 0; edit < run.edits; edit++) {
      const { time, place, length, session, path, idHigh, idLow } = run.editAt(edit);
      if (isDropped(idHigh, idLow)) continue;
      const names = {
        session: this.#sessions.numberOf(session),
        path: this.#paths.numberOf(path),
      };
      numbers[edit] = this.#edits.push({ time, place, length, idHigh, idLow, ...names }) - 1;
    }
    const { high, low, reference, order } = run.readLines();
    this.#makeRoom(run.lines);
    for (let line = 0; line < run.lines; line++) {
      const number = numbers[reference[line] >>> 2] ?? -1;
      if (number < 0) continue;
      this.#high[this.#count] = high[line];
      this.#low[this.#count] = low[line];
      this.#references[this.#count] = number * 4 + (reference[line] & 3);
      this.#orders[this.#count++] = order[line];
    }
  }

  /** The table as a file. */
  encode(logs: LineNames["logs"]): Uint8Array {
    // Without names of its own: whoever purges a word looks for it here too.
    const marks = [logs.archive, logs.hot].map(({ offset, edges }) => [offset, edges]);
    const lists = [marks, this.#sessions.list, this.#paths.list];
    const names = new TextEncoder().encode(JSON.stringify(lists));
    const head = new Uint32Array(headBytes / 4);
    head.set([lineMagic, lineVersion, this.#edits.length, this.#count, names.length]);
    const order = radixOrder(this.#high, this.#low, this.#count);
    const edits = this.#edits;
    // Plain loops: this is done whenever some entries are new.
    const wide = (field: "time" | "place"): Uint8Array => {
      const column = new Float64Array(edits.length);
      for (let i = 0; i < edits.length; i++) column[i] = edits[i][field];
      return toBytes(column);
    };
    const words = (field: "length" | "session" | "path" | "idHigh" | "idLow"): Uint8Array => {
      const column = new Uint32Array(edits.length);
      for (let i = 0; i < edits.length; i++) column[i] = edits[i][field];
      return toBytes(column);
    };
    const sorted = (column: Uint32Array): Uint8Array => {
      const found = new Uint32Array(order.length);
      for (let i = 0; i < order.length; i++) found[i] = column[order[i]];
      return toBytes(found);
    };
    return toSealedFile([
      toBytes(head),
      wide("time"),
      wide("place"),
      words("length"),
      words("session"),
      words("path"),
      words("idHigh"),
      words("idLow"),
      sorted(this.#high),
      sorted(this.#low),
      sorted(this.#references),
      sorted(this.#orders),
      names,
    ], lineMagic);
  }

  #post(edit: number, kind: LineKind, line: { high: number; low: number; order: number }): void {
    this.#makeRoom(1);
    this.#high[this.#count] = line.high;
    this.#low[this.#count] = line.low;
    this.#references[this.#count] = edit * 4 + lineKinds.indexOf(kind);
    this.#orders[this.#count++] = line.order;
  }

  #makeRoom(more: number): void {
    const count = this.#count + more;
    if (count <= this.#high.length) return;
    this.#high = withRoom(this.#high, count);
    this.#low = withRoom(this.#low, count);
    this.#references = withRoom(this.#references, count);
    this.#orders = withRoom(this.#orders, count);
  }
}

/** Names with a number each. */
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
