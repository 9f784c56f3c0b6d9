// The open index of a store. A server searches many times, and the files stay open between searches. It
// is kept by the store, not here: a prompt's hook may load this file twice (build/merge_chunks.ts).

import { readManifest } from "../index/manifest.ts";
import { openIndex, openWithoutIndex, type SearchIndex } from "../index/search_index.ts";
import type { Store } from "../store/store.ts";

const name = "index";

/** The open index of a store, opened anew when it is no longer what the logs say. */
export function useIndex(store: Store, warn: (message: string) => void): SearchIndex {
  const open = store.kept.get(name) as SearchIndex | undefined;
  if (open?.isCurrent()) return open;
  closeIndex(store);
  const index = openIndex(store, { warn });
  store.kept.set(name, index);
  return index;
}

/** Has a store searched by its logs alone, until its index is another one. */
export function useLogs(store: Store): void {
  closeIndex(store);
  const { text } = readManifest(store.files, store.layout);
  store.kept.set(name, openWithoutIndex(store, text));
}

export function closeIndex(store: Store): void {
  store.kept.get(name)?.[Symbol.dispose]();
  store.kept.delete(name);
}
