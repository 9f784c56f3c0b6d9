// Merges neighbouring segments into one without reading the log: dictionaries are walked side by
// side, row numbers are moved up, dead rows are left out. The result is the same as building anew.

import { breathe, isBreathDue } from "../../core/breathe.ts";
import {
  type ColumnName,
  columnNames,
  columnWidths,
  encodeSegment,
  noTotals,
  rowFlags,
  searchFields,
  type SegmentTotals,
} from "./segment_format.ts";
import { DictionaryWriter } from "./dictionary_writer.ts";
import { copyPostings } from "./postings.ts";
import type { Postings, Segment } from "./segment.ts";
import { orderIds, orderPairs } from "./segment_builder.ts";
import { keywordPrefix } from "./keyword.ts";

/** A segment to merge, and its rows to leave out. */
export interface MergeInput {
  segment: Segment;
  dead?: ReadonlySet<number>;
}

/** What a merge gives: the bytes, in parts, and where each input's rows went (-1: left out). */
export interface Merged {
  bytes: Uint8Array[];
  rows: Int32Array[];
}

/** Merges segments of one pool, which must be neighbours in the log, in order. */
export async function mergeSegments(
  inputs: readonly MergeInput[],
  signal?: AbortSignal,
): Promise<Merged> {
  const rows = renumber(inputs);
  const kept = rows.map((map) => map.reduce((sum, row) => sum + (row < 0 ? 0 : 1), 0));
  const count = kept.reduce((sum, part) => sum + part, 0);
  const { writer, superseding } = await mergeTerms(inputs, rows, signal);
  const columns = await mergeColumns(inputs, { rows, count, signal });
  const totals = sumTotals(inputs, rows, superseding);
  const bytes = encodeSegment({
    pool: inputs[0].segment.pool,
    rows: count,
    terms: writer.terms,
    totals,
    postings: writer.postings,
    dictionary: writer.dictionary,
    blocks: writer.blocks,
    columns,
    cites: mergeCites(inputs, rows),
  });
  return { bytes, rows };
}

function renumber(inputs: readonly MergeInput[]): Int32Array[] {
  let next = 0;
  return inputs.map(({ segment, dead }) => {
    const map = new Int32Array(segment.rows);
    for (let row = 0; row < segment.rows; row++) map[row] = dead?.has(row) ? -1 : next++;
    return map;
  });
}

async function mergeTerms(
  inputs: readonly MergeInput[],
  rows: Int32Array[],
  signal?: AbortSignal,
): Promise<{ writer: DictionaryWriter; superseding: number }> {
  const writer = new DictionaryWriter();
  const walks = inputs.map(({ segment }) => segment.lists(""));
  const heads = walks.map((walk) => walk.next().value as Head | undefined);
  const supersedes = keywordPrefix("supersedes");
  let superseding = 0;
  while (true) {
    if (isBreathDue()) await breathe(signal);
    let term: string | undefined;
    for (const head of heads) {
      if (head && (term === undefined || head.term < term)) term = head.term;
    }
    if (term === undefined) return { writer, superseding };
    const start = writer.postings.size;
    let last = 0;
    let count = 0;
    heads.forEach((head, i) => {
      if (head?.term !== term) return;
      const copied = copyPostings(writer.postings, head.postings.bytes, { rows: rows[i], last });
      last = copied.last;
      count += copied.count;
      heads[i] = walks[i].next().value as Head | undefined;
    });
    if (count === 0) continue;
    writer.add(term, { start, count });
    if (term.startsWith(supersedes)) superseding += count;
  }
}

interface Head {
  term: string;
  postings: Postings;
}

async function mergeColumns(
  inputs: readonly MergeInput[],
  target: { rows: Int32Array[]; count: number; signal?: AbortSignal },
): Promise<Record<ColumnName, Uint8Array>> {
  const columns: Partial<Record<ColumnName, Uint8Array>> = {};
  for (const name of columnNames) {
    if (name === "idOrder") continue;
    if (isBreathDue()) await breathe(target.signal);
    columns[name] = mergeColumn(inputs, { ...target, name });
  }
  const ids = columns.id?.slice() ?? new Uint8Array(0);
  columns.idOrder = orderIds(new Uint32Array(ids.buffer));
  return columns as Record<ColumnName, Uint8Array>;
}

function mergeColumn(
  inputs: readonly MergeInput[],
  target: { rows: Int32Array[]; count: number; name: ColumnName },
): Uint8Array {
  const width = columnWidths[target.name];
  const merged = new Uint8Array(target.count * width);
  let used = false;
  inputs.forEach(({ segment, dead }, i) => {
    const bytes = segment.columnBytes(target.name);
    if (bytes.length === 0) return;
    used ||= true;
    const map = target.rows[i];
    if (dead === undefined || dead.size === 0) {
      merged.set(bytes, (map[0] ?? 0) * width);
      return;
    }
    for (let row = 0; row < segment.rows; row++) {
      if (map[row] < 0) continue;
      merged.set(bytes.subarray(row * width, (row + 1) * width), map[row] * width);
    }
  });
  const isLength = searchFields.some((field) => field === target.name);
  if (!isLength) return merged;
  return used && merged.some((byte) => byte > 0) ? merged : new Uint8Array(0);
}

function mergeCites(inputs: readonly MergeInput[], rows: Int32Array[]): Uint32Array {
  const pairs: { hash: number; row: number }[] = [];
  inputs.forEach(({ segment }, i) => {
    const own = segment.readTable("cites");
    for (let at = 0; at < own.length; at += 2) {
      const row = rows[i][own[at + 1]];
      if (row >= 0) pairs.push({ hash: own[at], row });
    }
  });
  return orderPairs(pairs);
}

function sumTotals(
  inputs: readonly MergeInput[],
  rows: Int32Array[],
  superseding: number,
): SegmentTotals {
  const totals = { ...noTotals(), superseding };
  inputs.forEach(({ segment }, i) => {
    for (let row = 0; row < segment.rows; row++) {
      if (rows[i][row] < 0) continue;
      const flags = segment.flags(row);
      if ((flags & rowFlags.tombstone) !== 0) {
        totals.tombstones++;
        continue;
      }
      totals.entries++;
      if ((flags & rowFlags.thinking) !== 0) totals.thinking++;
      if ((flags & rowFlags.recall) !== 0) totals.recalls++;
      const time = segment.time(row);
      totals.oldestMs = Math.min(totals.oldestMs, time);
      totals.newestMs = Math.max(totals.newestMs, time);
      segment.totals.lengths.forEach((sum, field) => {
        if (sum > 0) totals.lengths[field] += segment.lengths(field)[row];
      });
    }
  });
  return totals;
}
