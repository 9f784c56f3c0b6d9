// Without the local embedder's list of words no word is replaced: near ones are offered.

import assert from "node:assert/strict";
import { diskFiles } from "../../src/disk/files.ts";
import { search } from "../../src/search/run_search.ts";
import { request, SearchStore } from "../support/stores/search_store.ts";

Deno.test("search() without the embedder's files offers near words and replaces none", async () => {
  const { openReader } = diskFiles;
  diskFiles.openReader = (path) =>
    path.includes("/assets/embed/") ? undefined : openReader.call(diskFiles, path);
  try {
    await using t = new SearchStore([{ id: "H-1", text: "the radius of a file" }]);
    for (const [query, near] of [["fle", ["file"]], ["radis", ["radius"]]] as const) {
      const { corrected, coverage, total } = await search(t.store, request(query));
      assert.deepEqual([corrected, total], [undefined, 0], query);
      assert.deepEqual(Object.values(coverage.nearest_terms ?? {}), [near], query);
    }
  } finally {
    diskFiles.openReader = openReader;
  }
});
