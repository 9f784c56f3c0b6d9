// Collects the lines that sessions changed, from rows of the log. Keeps no text: a line is hashed when
// its row is met.

import { hash64 } from "../../core/hash.ts";
import { editLinesOf } from "../../core/rows/edit_lines.ts";
import { editsOf } from "../../core/rows/edits.ts";
import { hashLine } from "../../core/rows/line_hash.ts";
import { madeCommitsOf } from "../../core/rows/made_commits.ts";
import { withRoom } from "../../disk/byte_writer.ts";
import { radixOrder } from "../../disk/radix_order.ts";
import type { Row } from "../../store/snapshot.ts";
import type { LineParts } from "./line_columns.ts";
import { type LineKind, lineKinds, type RecordedEdit } from "./line_format.ts";

/** The hash under which a commit is found by its own. */
export function commitKey(oid: string): [number, number] {
  return hash64(`commit ${oid.slice(0, 7)}`);
}

/** Lines and the edits they belong to, in memory. */
export class LineDraft {
  readonly #edits: RecordedEdit[] = [];
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
      place: offset * 2 + (pool === "hot" ? 1 : 0),
      length,
      session: entry.session_id,
      idHigh,
      idLow,
    };
    for (const edit of edits) {
      const { added, removed } = editLinesOf(edit);
      if (added.length + removed.length === 0) continue;
      const number = this.#edits.push({ ...facts, path: edit.path }) - 1;
      for (const line of added) this.#post(number, "added", line);
      for (const line of removed) this.#post(number, "removed", line);
    }
    if (commits.length === 0) return;
    const number = this.#edits.push({ ...facts, path: "" }) - 1;
    const into = new Uint32Array(2);
    for (const { oid, subject } of commits) {
      const [high, low] = commitKey(oid);
      this.#post(number, "committed", { high, low, order: 0 });
      if (!hashLine(subject, { from: 0, to: subject.length, into })) continue;
      this.#post(number, "committed", { high: into[0], low: into[1], order: 0 });
    }
  }

  /** The lines as a table. */
  toParts(): LineParts {
    const order = radixOrder(this.#high, this.#low, this.#count);
    // A plain loop: there may be many.
    const sorted = (column: Uint32Array): Uint32Array => {
      const found = new Uint32Array(order.length);
      for (let i = 0; i < order.length; i++) found[i] = column[order[i]];
      return found;
    };
    return {
      edits: this.#edits,
      lines: {
        high: sorted(this.#high),
        low: sorted(this.#low),
        reference: sorted(this.#references),
        order: sorted(this.#orders),
      },
    };
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
