// The coding of one posting list: row numbers as gaps, and how often the term is in each field.
// Most postings are "once, in the text" and take one or two bytes.
//   varint(gap << 2 | kind); kind 0: once in the text (or a keyword); 1: in the text only, then its
//   count as a varint; 2: a byte with a bit for each field, then one varint for each bit set.

import type { ByteWriter } from "../../disk/byte_writer.ts";

/** Appends one posting of a term that is in the text only. */
export function writeTextPosting(out: ByteWriter, gap: number, count: number): void {
  if (count === 1) return out.varint(gap * 4);
  out.varint(gap * 4 + 1);
  out.varint(count);
}

export function writePosting(out: ByteWriter, gap: number, counts: Uint32Array): void {
  out.varint(gap * 4 + 2);
  let mask = 0;
  for (let field = 0; field < counts.length; field++) if (counts[field] > 0) mask |= 1 << field;
  out.byte(mask);
  for (let field = 0; field < counts.length; field++) {
    if (counts[field] > 0) out.varint(counts[field]);
  }
}

export function forEachRow(list: Uint8Array, visit: (row: number) => void): void {
  let row = 0;
  for (let at = 0; at < list.length;) {
    let byte = list[at++];
    let head = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = list[at++];
      head |= (byte & 127) << shift;
    }
    row += head >>> 2;
    at = skipCounts(list, at, head & 3);
    visit(row);
  }
}

/** The rows of a list that are marked. Reads no further than the last mark, and calls nothing for the rest. */
export function findMarked(list: Uint8Array, marks: Uint8Array): number[] {
  const found: number[] = [];
  const last = marks.lastIndexOf(1);
  let row = 0;
  for (let at = 0; at < list.length && row <= last;) {
    let byte = list[at++];
    let head = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = list[at++];
      head |= (byte & 127) << shift;
    }
    row += head >>> 2;
    if ((head & 3) === 1) { while (list[at++] & 128); }
    else if ((head & 3) !== 0) at = skipCounts(list, at, head & 3);
    if (marks[row] === 1) found.push(row);
  }
  return found;
}

/** Appends a list to another one: rows are renumbered, and those mapped to -1 are left out. */
export function copyPostings(
  out: ByteWriter,
  list: Uint8Array,
  options: { rows: Int32Array; last: number },
): { count: number; last: number } {
  let { last } = options;
  let count = 0;
  let row = 0;
  for (let at = 0; at < list.length;) {
    let byte = list[at++];
    let head = byte & 127;
    for (let shift = 7; byte & 128; shift += 7) {
      byte = list[at++];
      head |= (byte & 127) << shift;
    }
    row += head >>> 2;
    const kind = head & 3;
    const end = skipCounts(list, at, kind);
    const target = options.rows[row];
    if (target >= 0) {
      out.varint((target - last) * 4 + kind);
      if (end > at) out.append(list, at, end);
      last = target;
      count++;
    }
    at = end;
  }
  return { count, last };
}

/** The place after the counts that follow a posting's head. */
function skipCounts(list: Uint8Array, at: number, kind: number): number {
  if (kind === 0) return at;
  let next = at;
  let left = 1;
  if (kind === 2) {
    left = 0;
    for (let mask = list[next++]; mask > 0; mask >>= 1) left += mask & 1;
  }
  while (left > 0 && next < list.length) if ((list[next++] & 128) === 0) left--;
  return next;
}
