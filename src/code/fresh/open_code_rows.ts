// The rows of a store for readers that do not search: the index is opened for them and closed after.
// No words are wanted of what is not indexed yet.

import type { Entry } from "../../core/entry.ts";
import { findRows } from "../../index/liveness.ts";
import { type Corpus, locate } from "../../index/segment/corpus.ts";
import { confirmTerm } from "../../index/segment/keyword.ts";
import { openIndex, openWithoutIndex, type SearchIndex } from "../../index/search_index.ts";
import { IndexDamage } from "../../disk/byte_source.ts";
import type { Store } from "../../store/store.ts";
import type { CodeRows } from "./entry_edits.ts";

/** Opens the rows; dispose of them. */
export async function openCodeRows(
  store: Store,
  { terms = [] }: { terms?: readonly string[] } = {},
): Promise<CodeRows & Disposable> {
  // Terms by which rows are found that are not indexed yet.
  const isWanted = (term: string): boolean => term === confirmTerm || terms.includes(term);
  const index = openIndex(store, { warn() {} });
  try {
    await index.load();
    return toCodeRows(index, index.openCorpus(isWanted));
  } catch (error) {
    index[Symbol.dispose]();
    if (!(error instanceof IndexDamage)) throw error;
    const scan = openWithoutIndex(store);
    await scan.load();
    return toCodeRows(scan, scan.openCorpus(isWanted));
  }
}

export function toCodeRows(index: SearchIndex, corpus: Corpus): CodeRows & Disposable {
  const known = new Map<number, Entry>();
  return {
    corpus,
    readEntry(global) {
      let entry = known.get(global);
      if (entry === undefined) {
        const { segment, row } = locate(corpus, global);
        known.set(global, entry = index.log.read(segment, row));
      }
      return entry;
    },
    findGlobals: (id) => findRows(corpus, index.log, id),
    [Symbol.dispose]: () => index[Symbol.dispose](),
  };
}
