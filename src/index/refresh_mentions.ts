// Writes the table of mentions anew where the logs have changed since it was written. Only rows that it
// does not have yet are read.

import { docType, pools } from "../core/entry.ts";
import { IndexDamage } from "../disk/byte_source.ts";
import { toSealedFile } from "../disk/paged_file.ts";
import type { Store } from "../store/store.ts";
import { LogReader } from "./log_reader.ts";
import { openIndex } from "./search_index.ts";
import type { Corpus } from "./segment/corpus.ts";
import { keyword, keywordPrefix } from "./segment/keyword.ts";
import { forEachRow } from "./segment/postings.ts";
import { Segment } from "./segment/segment.ts";
import { SegmentBuilder } from "./segment/segment_builder.ts";
import {
  headOf,
  maxMentions,
  mentionMagic,
  mentionPath,
  openMentions,
  rowWords,
  termHash,
} from "./mention_table.ts";

const decision = "decision";

/** Brings the table up to the index; where rows are not indexed yet, it is left as it is. */
export function refreshMentions(store: Store): void {
  using log = new LogReader(store);
  using current = openMentions(store, log);
  if (current !== undefined) return;
  try {
    using index = openIndex(store, { warn() {} });
    if (index.isEmpty || index.lag().tail_bytes > 0) return;
    write(store, index.openCorpus(() => false), index.log);
  } catch (error) {
    // Whoever finds the damage in a search rebuilds the index.
    if (!(error instanceof IndexDamage)) throw error;
  }
}

function write(store: Store, corpus: Corpus, log: LogReader): void {
  const found = findRows(corpus);
  if (found.length > maxMentions) return store.files.remove(mentionPath(store));
  const rows = new Uint32Array(found.length * rowWords);
  found.forEach(({ segment, row, isDecision }, i) => {
    const { pool, offset, length } = segment.place(row);
    const [high, low] = [Math.floor(offset / 2 ** 32), offset % 2 ** 32];
    const kind = pools.indexOf(pool) * 2 + Number(isDecision);
    rows.set([low, high, length, segment.sum(row), segment.idHash(row), kind], i * rowWords);
  });
  const lists = new Map<number, number[]>();
  const add = (hash: number, row: number): void => {
    const list = lists.get(hash);
    if (list === undefined) lists.set(hash, [row]);
    else list.push(row);
  };
  const known = takeOver(store, rows, add);
  const fresh = found.map((_, i) => i).filter((i) => !known.has(i));
  const builder = new SegmentBuilder("hot");
  for (const i of fresh) {
    const { segment, row } = found[i];
    builder.add({ entry: log.read(segment, row), ...segment.place(row) });
  }
  for (const { term, postings } of Segment.fromBytes(builder.finish()).lists("")) {
    if (term.startsWith("\u0001") && !term.startsWith(keywordPrefix("file"))) continue;
    forEachRow(postings.bytes, (row) => add(termHash(term), fresh[row]));
  }
  const hashes = Uint32Array.from(lists.keys()).sort();
  const starts = new Uint32Array(hashes.length + 1);
  hashes.forEach((hash, i) => starts[i + 1] = starts[i] + lists.get(hash)!.length);
  const postings = new Uint16Array(starts[hashes.length]);
  hashes.forEach((hash, i) => postings.set(lists.get(hash)!, starts[i]));
  const head = headOf(log, { rows: found.length, terms: hashes.length });
  const parts = [head, rows, hashes, starts, postings].map(({ buffer }) => new Uint8Array(buffer));
  store.files.replace(mentionPath(store), toSealedFile(parts, mentionMagic), { sync: false });
}

/** Adds what the table at hand has of some rows; returns which of them it has. */
function takeOver(
  store: Store,
  rows: Uint32Array,
  add: (hash: number, row: number) => void,
): ReadonlySet<number> {
  using old = openMentions(store);
  const numbers = new Map<string, number>();
  for (let i = 0; i < rows.length; i += rowWords) {
    numbers.set(rows.subarray(i, i + rowWords).join(), i / rowWords);
  }
  const target = Array.from(
    { length: old?.rows ?? 0 },
    (_, row) => numbers.get(old!.wordsOf(row).join()) ?? -1,
  );
  old?.hashes.forEach((hash, number) => {
    for (const row of old.rowsAt(number)) if (target[row] >= 0) add(hash, target[row]);
  });
  return new Set(target);
}

/** The decisions and sections that count, in log order. */
function findRows(
  { segments, liveness }: Corpus,
): { segment: Segment; row: number; isDecision: boolean }[] {
  return segments.flatMap((segment, i) => {
    const rows = new Map<number, boolean>();
    for (const type of [docType, decision]) {
      const list = segment.rows === 0 ? undefined : segment.findPostings(keyword("type", type));
      forEachRow(list?.bytes ?? new Uint8Array(), (row) => {
        if (liveness.dead[i]?.has(row) || liveness.superseded[i]?.has(row)) return;
        rows.set(row, type === decision);
      });
    }
    return [...rows].sort(([a], [b]) => a - b)
      .map(([row, isDecision]) => ({ segment, row, isDecision }));
  });
}
