// Rows that `-word` takes out of an answer.

import type { Corpus } from "../../index/segment/corpus.ts";
import { forEachRow } from "../../index/segment/postings.ts";

/** A 1 for each row, by global number, that has all terms of an excluded word. */
export function excludedRows(
  corpus: Corpus,
  excluded: readonly string[][],
): Uint8Array | undefined {
  if (excluded.length === 0) return undefined;
  const rows = new Uint8Array(corpus.size);
  corpus.segments.forEach((segment, i) => {
    for (const terms of excluded) {
      const hits = new Uint16Array(segment.rows);
      for (const term of terms) {
        const list = segment.findPostings(term);
        if (list) forEachRow(list.bytes, (row) => hits[row]++);
      }
      hits.forEach((count, row) => {
        if (count === terms.length) rows[corpus.bases[i] + row] = 1;
      });
    }
  });
  return rows;
}
