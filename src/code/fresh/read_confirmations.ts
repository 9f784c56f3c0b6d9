// The confirmations of a store, by the term that their rows have.

import { confirmTerm } from "../../index/segment/keyword.ts";
import { forEachRow } from "../../index/segment/postings.ts";
import { type Confirmation, parseConfirmation } from "./confirmation.ts";
import type { CodeRows } from "./entry_edits.ts";

/** The last confirmation of each entry that has one. */
export function readConfirmations({ corpus, readEntry }: CodeRows): Map<string, Confirmation> {
  const found = new Map<string, Confirmation>();
  corpus.segments.forEach((segment, i) => {
    const postings = segment.findPostings(confirmTerm);
    if (postings === undefined) return;
    forEachRow(postings.bytes, (row) => {
      if (corpus.liveness.dead[i]?.has(row)) return;
      const confirmation = parseConfirmation(readEntry(corpus.bases[i] + row));
      const before = confirmation && found.get(confirmation.of);
      if (confirmation && (before === undefined || before.ts <= confirmation.ts)) {
        found.set(confirmation.of, confirmation);
      }
    });
  });
  return found;
}
